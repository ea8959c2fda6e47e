/** Answers what never became a request: malformed, too slow, or with headers too large. Node parsed it; nobody else saw it. */

import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.ts';
import { plain, refuse } from './refuse.ts';

export function answerMalformed(error: Error, stream: Duplex, connections: Connections): void {
  const begun = stream instanceof Socket ? connections.current(stream) : null;
  // Bytes of an answer may be on their way already: anything written now would land in the middle of it.
  if (!stream.writable || begun?.headersSent === true) {
    stream.destroy();
    return;
  }
  const { status, body } = answerFor('code' in error ? error.code : undefined);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => stream.destroy());
}

function answerFor(code: unknown): { readonly status: string; readonly body: string } {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        body: refuse({ kind: 'body_too_slow' }).body,
      };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        body: plain(431, 'headers_too_large', 'The request headers are too large.').body,
      };
    default:
      return { status: '400 Bad Request', body: plain(400, 'bad_request', 'The request is not valid HTTP.').body };
  }
}
