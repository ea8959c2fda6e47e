/**
 * Answers what never became a request: malformed, too slow, or with too large headers. Only Node
 * has parsed it.
 */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.ts';
import { type HttpAnswer, plain, refuse } from './refuse.ts';

export function answerMalformed(error: Error, stream: Duplex, connections: Connections): void {
  const begun = connections.current(stream);
  // Part of an answer may have been sent: anything written now would land in the middle of it.
  if (!stream.writable || begun?.headersSent === true) {
    stream.destroy();
    return;
  }
  answerRaw(stream, answerFor('code' in error ? error.code : undefined));
}

/** Writes to a connection without Node's answer object, and ends it. */
export function answerRaw(stream: Duplex, { status, headers, body }: HttpAnswer): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  if (headers.Connection === undefined) head.push('Connection: close');
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => stream.destroy());
}

function answerFor(code: unknown): HttpAnswer {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse({ kind: 'body_too_slow' });
    case 'HPE_HEADER_OVERFLOW':
      return plain(431, 'headers_too_large', 'The request headers are too large.');
    default:
      return plain(400, 'bad_request', 'The request is not valid HTTP.');
  }
}
