/**
 * Tells a program in a box, in the protocol that it speaks, that the box takes no further
 * connection. Counts none.
 */

import type { Socket } from 'node:net';
import { errorCodes } from '../../../shared/codes.ts';
import { parsedJson } from '../../../shared/json.ts';

/** The first byte of MCP's lines, and of no HTTP request. */
export const openingBrace = 0x7b;

const retryAfterSeconds = 5;

/** @param first bytes that the program sent. @param most connections of its kind. */
export function sayFull(connection: Socket, first: Buffer, most: number): void {
  const message = `This box has ${most} programs connected in this way, as many as it may; end one, or try again later.`;
  const error = { code: errorCodes.rateLimited, message };
  if (first[0] === openingBrace) {
    connection.end(`${JSON.stringify({ jsonrpc: '2.0', ...idIn(first), error })}\n`);
    return;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', error });
  const head = [
    'HTTP/1.1 429 Too Many Requests',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Retry-After: ${retryAfterSeconds}`,
    'Connection: close',
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Nothing if the first line isn't whole, or is no request. */
function idIn(first: Buffer): { readonly id?: string | number } {
  const message = parsedJson(first.toString().split('\n', 1)[0] ?? '');
  if (typeof message !== 'object' || message === null || !('id' in message)) return {};
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? { id } : {};
}
