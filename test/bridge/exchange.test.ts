/** The bridge reads HTTP/1.1 as Node's own client does, however the bytes are cut; and refuses what could be read in two ways. */

import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Exchange } from '../../bridge/exchange.ts';

interface Taken {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

const ok = 'HTTP/1.1 200 OK\r\n';

const wellFormed: readonly (readonly [string, string])[] = [
  ['a length', `${ok}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"é":"☕"}`],
  ['nothing', `${ok}Content-Length: 0\r\n\r\n`],
  ['odd spelling', `${ok}CONTENT-type:\t Text/Event-Stream ; charset=utf-8 \r\ncontent-LENGTH:  2 \r\nX:\r\n\r\nhi`],
  ['no reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi'],
  ['a name twice', `${ok}Vary: a\r\nVary: b\r\nContent-Length: 2\r\n\r\nhi`],
  ['chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0c\r\n, wide world\r\n0\r\n\r\n`],
  ['an extension', `${ok}Transfer-Encoding: Chunked\r\n\r\nA;name="va;lue"\r\n\r\n\r\n0\r\n\r\n0\r\n0\r\n\r\n`],
  ['a trailer', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nServer-Timing: a\r\nB: c\r\n\r\n`],
  ['two trailers', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nB: c\r\nD: e\r\n\r\n`],
  ['until the end', `${ok}Content-Type: text/plain\r\n\r\nall that comes\r\n\r\n0\r\n\r\n`],
  ['no content', 'HTTP/1.1 204 No Content\r\nX: y\r\n\r\n'],
  ['not modified', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\n\r\n'],
  [
    'an interim one',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: a\r\n\r\n${ok}Content-Length: 2\r\n\r\nhi`,
  ],
  ['a refusal', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno'],
];

test.each(wellFormed)('%s', async (_, text) => {
  const bytes = Buffer.from(text);
  const expected = await readByNode(bytes);
  for (let size = 1; size <= bytes.length; size++) expect(await readByUs(bytes, size)).toEqual(expected);
});

test('what follows a response is none of it', async () => {
  for (const framed of ['Content-Length: 2\r\n\r\nhi', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n']) {
    const exchange = new Exchange(() => {});
    expect(exchange.push(Buffer.from(`${ok}${framed}HTTP/1.1 200 OK`)).toString()).toBe('HTTP/1.1 200 OK');
    expect(exchange.isComplete).toBe(true);
  }
});

const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

test.each([
  ['another protocol', 'ICY 200 OK\r\n\r\n'],
  ['an older one', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a status out of range', 'HTTP/1.1 099 No\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 No\r\n\r\n'],
  ['another protocol to go on with', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ['a header without a name', `${ok}: value\r\nContent-Length: 0\r\n\r\n`],
  ['a header without a colon', `${ok}Content-Length\r\n\r\n`],
  ['a space before the colon', `${ok}Content-Length : 0\r\n\r\n`],
  ['a line that goes on', `${ok}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
  ['a zero byte', `${ok}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
  ['a bare carriage return', `${ok}X: a\rContent-Length: 5\r\nContent-Length: 0\r\n\r\n`],
  ['a carriage return too many', `${ok}Vary: a\r\r\nContent-Length: 0\r\n\r\n`],
  ['a header in the reason, behind a carriage return', 'HTTP/1.1 200 OK\r\rContent-Length: 3\r\n\r\nabcdef'],
  ['a header in the reason, behind a line feed', 'HTTP/1.1 200 OK\nContent-Length: 3\r\n\r\nabcdef'],
  ['a control character', `${ok}X: a\x01b\r\nContent-Length: 0\r\n\r\n`],
  ['a coding behind a vertical tab', `${ok}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
  ['a length behind another space', `${ok}Content-Length: \xa02\r\n\r\nhi`],
  ['a length of nothing that is none', 'HTTP/1.1 204 No Content\r\nContent-Length: x\r\n\r\n'],
  ['a bare line feed', `${ok}X: a\nContent-Length: 5\r\nContent-Length: 0\r\n\r\n`],
  ['two ends', `${ok}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${ok}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
  ['a negative length', `${ok}Content-Length: -1\r\n\r\n`],
  ['a length in hexadecimal', `${ok}Content-Length: 0x2\r\n\r\nhi`],
  ['an endless length', `${ok}Content-Length: 99999999999999999999\r\n\r\nhi`],
  ['another coding', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['chunked twice', `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['no chunk size', `${chunked}\r\nhi\r\n0\r\n\r\n`],
  ['a chunk size that is none', `${chunked}2g\r\nhi\r\n0\r\n\r\n`],
  ['a prefixed chunk size', `${chunked}0x2\r\nhi\r\n0\r\n\r\n`],
  ['a signed chunk size', `${chunked}+2\r\nhi\r\n0\r\n\r\n`],
  ['an endless chunk size', `${chunked}fffffffffffffffff\r\nhi\r\n0\r\n\r\n`],
  ['a chunk that goes on', `${chunked}2\r\nhi!\r\n0\r\n\r\n`],
  ['an extension with a line feed', `${chunked}2;\n0\r\nhi\r\n0\r\n\r\n`],
  ['a trailer that is none', `${chunked}0\r\nnot a header\r\n\r\n`],
  ['an endless trailer', `${chunked}0\r\n${'A: b\r\n'.repeat(5_000)}`],
  ['endless interim ones', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000)],
  ['a head without an end', `${ok}X: ${'a'.repeat(20_000)}`],
  ['a chunk size without an end', `${chunked}2;${'a'.repeat(5_000)}`],
])('%s is refused', async (_, text) => {
  const bytes = Buffer.from(text, 'latin1');
  for (const size of [1, 7, bytes.length]) {
    await expect(readByUs(bytes, size)).rejects.toMatchObject({ name: 'MalformedResponse' });
  }
});

test.each([
  ['in its head', `${ok}Content-Length: 2\r\n`],
  ['in its length', `${ok}Content-Length: 3\r\n\r\nhi`],
  ['in a chunk', `${chunked}3\r\nhi`],
  ['before the last chunk', `${chunked}2\r\nhi\r\n`],
  ['in its trailer', `${chunked}2\r\nhi\r\n0\r\n`],
  ['with line feeds alone', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
])('cut off %s it is no response', async (_, text) => {
  await expect(readByUs(Buffer.from(text), 1)).rejects.toThrow('ended');
  await expect(readByNode(Buffer.from(text))).rejects.toThrow();
});

const space = fc.constantFrom('', ' ', '\t', '  ');
const fieldText = fc.stringMatching(/^[!-~]{0,20}$/);
const fields = fc.array(fc.tuple(fc.stringMatching(/^[A-Za-z]{1,8}-Test$/), space, fieldText, space), { maxLength: 4 });
const piece = fc.uint8Array({ minLength: 1, maxLength: 300 }).map(bytes => Buffer.from(bytes));

/** A response, and the body that is in it. */
const response = fc
  .record({
    status: fc.constantFrom(200, 202, 404, 503),
    fields,
    pieces: fc.array(piece, { maxLength: 5 }),
    isChunked: fc.boolean(),
    extension: fieldText,
  })
  .map(({ status, fields, pieces, isChunked, extension }) => {
    const body = Buffer.concat(pieces);
    const lines = fields.map(([name, before, value, after]) => `${name}:${before}${value}${after}\r\n`).join('');
    const head = (framing: string) => Buffer.from(`HTTP/1.1 ${status} x\r\n${lines}${framing}\r\n\r\n`);
    if (!isChunked) return { status, body, bytes: Buffer.concat([head(`content-length: ${body.length}`), body]) };
    const chunks = pieces.flatMap(each => [
      Buffer.from(`${each.length.toString(16)};${extension}\r\n`),
      each,
      Buffer.from('\r\n'),
    ]);
    const end = Buffer.from(`0\r\n${lines}\r\n`);
    return { status, body, bytes: Buffer.concat([head('Transfer-Encoding: chunked'), ...chunks, end]) };
  });

test('however it is written and cut, its body is what was put in', async () => {
  await fc.assert(
    fc.asyncProperty(response, fc.integer({ min: 1, max: 400 }), async ({ status, body, bytes }, size) => {
      expect(await readByUs(bytes, size)).toEqual({ status, mediaType: '', body: body.toString('latin1') });
    }),
    { numRuns: 500 },
  );
});

test('damaged, it is the same however it is cut', async () => {
  const damage = fc.record({ at: fc.nat(), by: fc.constantFrom(...'\r\n\0 :;0af-\x0b\xa0'), replaces: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(response, fc.array(damage, { minLength: 1, maxLength: 3 }), async ({ bytes }, damages) => {
      let text = bytes.toString('latin1');
      for (const { at, by, replaces } of damages) {
        const place = at % text.length;
        text = text.slice(0, place) + by + text.slice(replaces ? place + 1 : place);
      }
      const damaged = Buffer.from(text, 'latin1');
      const outcomes = await Promise.all([1, 13, damaged.length].map(size => outcomeOf(damaged, size)));
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(outcomes[2]).toEqual(outcomes[0]);
    }),
    { numRuns: 500 },
  );
});

/** What was read, or the name of what was thrown. */
function outcomeOf(bytes: Buffer, size: number): Promise<Taken | string> {
  return readByUs(bytes, size).catch((error: Error) => error.name);
}

/** As a connection feeds it: cut into pieces of one size, then ended. */
async function readByUs(bytes: Buffer, size: number): Promise<Taken> {
  const exchange = new Exchange(() => {});
  const taken = takeAll(exchange);
  try {
    for (let start = 0; start < bytes.length; start += size) exchange.push(bytes.subarray(start, start + size));
    exchange.end();
    exchange.fail(new Error('ended'));
  } catch (error) {
    exchange.fail(error as Error);
  }
  return taken;
}

async function takeAll(exchange: Exchange): Promise<Taken> {
  const response = await exchange.response;
  const pieces: Buffer[] = [];
  for (let piece = await response.next(); piece !== null; piece = await response.next()) pieces.push(piece);
  return {
    status: response.head.status,
    mediaType: response.head.mediaType,
    body: Buffer.concat(pieces).toString('latin1'),
  };
}

async function readByNode(bytes: Buffer): Promise<Taken> {
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise<Taken>((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, agent: false }, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const [mediaType = ''] = (response.headers['content-type'] ?? '').toLowerCase().split(';');
          const status = response.statusCode ?? 0;
          resolve({ status, mediaType: mediaType.trim(), body: Buffer.concat(chunks).toString('latin1') });
        });
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  } finally {
    server.close();
  }
}
