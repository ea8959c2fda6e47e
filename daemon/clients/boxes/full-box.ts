/**
 * Tells a program in a box, in the protocol that it speaks, that the box takes no further
 * connection. Counts none.
 */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { parsedJson } from '../../../shared/json.ts';
import { type RequestId, refuse } from '../http/refuse.ts';

/** The first byte of MCP's lines, and of no HTTP request. */
export const openingBrace = 0x7b;

const retryAfterSeconds = 5;

/** @param first bytes that the program sent. @param most connections of its kind. */
export function sayFull(connection: Socket, first: Buffer, most: number): void {
  const sentence = `This box has ${most} programs connected in this way, as many as it may; end one, or try again later.`;
  const refusal = { kind: 'limited', limit: 'concurrency', sentence, retryAfterSeconds } as const;
  if (first[0] === openingBrace) return void connection.end(`${refuse(refusal, idIn(first)).body}\n`);
  const { status, headers, body } = refuse(refusal);
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Null if the first line isn't whole, or no request. */
function idIn(first: Buffer): RequestId | null {
  const [line = ''] = first.toString().split('\n', 1);
  const message = parsedJson(line);
  if (typeof message !== 'object' || message === null || !('id' in message)) return null;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
}
