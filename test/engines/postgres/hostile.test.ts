/**
 * What a hostile or broken server may send: each case ends in a failure, never in a crash, a hang
 * or a large daemon.
 */

import { createRequire } from 'node:module';
import { connect, createServer, type Server, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Endpoint, TlsMode } from '../../../daemon/access/connection.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { BoundedStream } from '../../../daemon/engines/postgres/wire/bounded-stream.ts';
import { type RowState, readRow } from '../../../daemon/engines/postgres/wire/rows.ts';
import { startUp } from '../../../daemon/engines/postgres/wire/sign-in.ts';
import { type Cell, shownCells } from '../collecting-sink.ts';
import { eventually, portsOf, runOn } from './suite.ts';

const servers: Server[] = [];
const databases: Database[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await Promise.all(databases.splice(0).map(database => database.close()));
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
});

/** Lets everybody in who says so. */
function lettingIn(): ConstructorParameters<typeof BoundedStream>[1] {
  return { isDone: true, answer: async () => null };
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
}

function message(code: string, body: Buffer | string): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  return Buffer.concat([Buffer.from(code, 'latin1'), int32(bytes.length + 4), bytes]);
}

/** A message that claims to be longer or shorter than it is. */
function lying(code: string, length: number, body = ''): Buffer {
  return Buffer.concat([Buffer.from(code, 'latin1'), int32(length), Buffer.from(body, 'latin1')]);
}

const ready = Buffer.concat([
  message('S', 'server_encoding\0UTF8\0'),
  message('K', Buffer.concat([int32(1), int32(2)])),
  message('Z', 'I'),
]);
const signedIn = Buffer.concat([message('R', int32(0)), ready]);

/** Our questions after the sign-in, which are no part of a case. */
const aboutLimits = /lock_timeout,statement_timeout|set_config\('lock_timeout', \$3, false\)/;
const knowsNone = Buffer.concat([message('E', 'SERROR\0VERROR\0C42501\0Mno\0\0'), message('Z', 'I')]);

/** Listens and lets `speak` answer each piece from a client, with the number of earlier pieces. */
async function fakeServer(speak: (socket: Socket, turn: number, bytes: Buffer) => void): Promise<number> {
  const server = createServer(socket => {
    let turn = 0;
    socket.on('error', () => {});
    socket.on('data', bytes => {
      if (aboutLimits.test(bytes.toString('latin1'))) {
        socket.write(knowsNone);
        return;
      }
      speak(socket, turn, bytes);
      turn += 1;
    });
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function endpointAt(port: number, mode: TlsMode = 'disable'): Endpoint {
  return {
    engine: 'postgres',
    host: '127.0.0.1',
    port,
    socketPath: null,
    filePath: null,
    database: 'd',
    databases: 'own',
    user: 'u',
    tls: { mode, caFile: null },
    password: { kind: 'stored' },
    timeZone: null,
  };
}

function openAt(port: number, mode: TlsMode = 'disable', changes: Partial<Endpoint> = {}): Database {
  const database = openPostgres({ ...endpointAt(port, mode), ...changes }, portsOf('the-password'));
  databases.push(database);
  return database;
}

const startupMessages: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a length of 2 GB', lying('R', 0x7fffffff)],
  ['a negative length', lying('R', -1)],
  ['a length of zero', lying('Z', 0)],
  ['an authentication nobody knows', message('R', int32(999))],
  ['an authentication cut short', message('R', Buffer.alloc(2))],
  ['SASL with no mechanism', message('R', Buffer.concat([int32(10), Buffer.from('\0')]))],
  ['SASL continued before it began', message('R', Buffer.concat([int32(11), Buffer.from('r=x,s=y,i=1')]))],
  ['MD5 without salt', message('R', int32(5))],
  ['an endless greeting', Buffer.concat(Array.from({ length: 200 }, () => message('S', `a\0${'b'.repeat(1_000)}\0`)))],
  ['rows before sign-in', message('D', Buffer.from([0, 1, 0, 0, 0, 1, 65]))],
  ['an unknown message', message('?', 'x')],
  ['an error without an end', lying('E', 4 + 4, 'SERR')],
];

test.each(startupMessages)('%s at sign-in', async (_what, bytes) => {
  const port = await fakeServer((socket, turn) => {
    if (turn === 0) socket.write(bytes);
  });
  const { outcome } = await runOn(openAt(port), 'select 1', { timeoutSeconds: 0.2 });
  expect(outcome.kind).toBe('not_connected');
  expect(JSON.stringify(outcome)).not.toContain('the-password');
});

function oneColumnOf(typeOid: number): Buffer {
  const description = Buffer.concat([
    Buffer.from('\0\x01v\0', 'latin1'),
    Buffer.alloc(6),
    int32(typeOid),
    Buffer.from([255, 255]),
    int32(-1),
    Buffer.from([0, 0]),
  ]);
  return message('T', description);
}

const oneColumn = oneColumnOf(25);

const statementMessages: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a negative length', lying('C', -5)],
  ['an error of 2 GB', lying('E', 0x7fffffff, 'S')],
  ['columns that are not there', message('T', Buffer.from([255, 255]))],
  [
    'a row of 2 GB with one value as long',
    Buffer.concat([oneColumn, lying('D', 0x7fffffff), Buffer.from([0, 1]), int32(0x7ffffff0)]),
  ],
  [
    'a value longer than its row',
    Buffer.concat([oneColumn, message('D', Buffer.concat([Buffer.from([0, 1]), int32(1_000)]))]),
  ],
  [
    'a value of negative length',
    Buffer.concat([oneColumn, message('D', Buffer.concat([Buffer.from([0, 1]), int32(-7)]))]),
  ],
  [
    'a row with more columns than announced',
    Buffer.concat([oneColumn, message('D', Buffer.concat([Buffer.from([0, 2]), int32(-1), int32(-1)]))]),
  ],
  ['an empty row', Buffer.concat([oneColumn, message('D', '')])],
  ['a status nobody knows', message('Z', '?')],
  ['authentication once more', message('R', int32(3))],
  ['a tag without an end', message('C', 'SELECT')],
  ['an unknown message', message('!', 'x')],
  ['a result of minus two columns', message('T', Buffer.from([255, 254]))],
  ['an error without an end', message('E', 'SERROR\0Mwhat')],
  ['an error whose last field has no end', message('E', 'SERROR\0M')],
  ['an error without its last byte', message('E', 'SERROR\0Mwhat\0')],
  ['an error of nothing', message('E', '')],
  ['a tag of nothing', message('C', '')],
  [
    'a long row with more values than columns',
    Buffer.concat([oneColumn, message('D', Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(40_000_000, 255)]))]),
  ],
];

test.each(statementMessages)('%s in answer to a statement', async (_what, bytes) => {
  const port = await fakeServer((socket, turn) => {
    if (turn === 0) socket.write(signedIn);
    if (turn === 1) socket.write(bytes);
  });
  const { outcome, rows } = await runOn(openAt(port), 'select 1', { timeoutSeconds: 0.3 });
  expect(['not_connected', 'no_answer', 'timeout']).toContain(outcome.kind);
  expect(rows).toEqual([]);
});

test.each(['an error without an end', 'a result of minus two columns', 'an empty row', 'authentication once more'])(
  '%s closes the line at once',
  async wanted => {
    let closed = false;
    const sent: Buffer[] = [];
    const port = await fakeServer((socket, turn, bytes) => {
      sent.push(bytes);
      socket.on('close', () => {
        closed = true;
      });
      if (turn === 0) socket.write(signedIn);
      if (turn === 1) socket.write(statementMessages.find(([what]) => what === wanted)?.[1] ?? '');
    });
    const { outcome } = await runOn(openAt(port), 'select 1');
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('was lost') });
    await eventually(
      async () => closed,
      isClosed => isClosed,
    );
    expect(Buffer.concat(sent).toString('latin1')).not.toContain('the-password');
  },
);

test('a farewell is recognised in each language of the server', async () => {
  const fields = 'S\u0412\u0410\u0416\u041d\u041e\0VFATAL\0C57P01\0Mterminating connection\0\0';
  const port = await fakeServer((socket, turn) => {
    if (turn === 0) socket.write(signedIn);
    if (turn === 1) socket.end(message('E', Buffer.from(fields)));
  });
  expect((await runOn(openAt(port), 'select 1')).outcome).toEqual({
    kind: 'not_connected',
    message: `The connection to PostgreSQL at 127.0.0.1:${port} was lost: terminating connection.`,
  });
});

/**
 * The first byte of its fields and the last byte of its length are neighbours: no length may be
 * read as a field.
 */
const lengths = Array.from({ length: 256 }, (_, low) => 86 * 256 + low);

test.each([86, 342, ...lengths.filter((_, at) => at % 51 === 0), lengths.at(-1) ?? 0])(
  'an error of %d bytes is read completely',
  async length => {
    const rest = Buffer.from('SFEHLER\0VERROR\0C22P02\0\0');
    const text = 'x'.repeat(length - 4 - rest.length - 'M\0'.length);
    const port = await fakeServer((socket, turn) => {
      if (turn === 0) socket.write(signedIn);
      if (turn > 0) {
        const fields = Buffer.concat([rest.subarray(0, -1), Buffer.from(`M${text}\0\0`)]);
        socket.write(Buffer.concat([message('E', fields), message('Z', 'I')]));
      }
    });
    const { outcome } = await runOn(openAt(port), 'select 1', { timeoutSeconds: 2 });
    expect(outcome).toEqual({ kind: 'query_failed', message: text, code: '22P02' });
  },
);

test('a text with a field’s sign in it isn’t taken for the field', async () => {
  const fields = 'SERROR\0VERROR\0C57P01\0MVFATAL\0DV\0\0';
  const port = await fakeServer((socket, turn) => {
    if (turn === 0) socket.write(signedIn);
    if (turn > 0) socket.write(Buffer.concat([message('E', fields), message('Z', 'I')]));
  });
  const { outcome } = await runOn(openAt(port), 'select 1', { timeoutSeconds: 2 });
  expect(outcome).toEqual({ kind: 'query_failed', message: 'VFATAL\nDetail: V', code: '57P01' });
});

test('rows wait in the network while a column’s type is looked up', async () => {
  const row = message('D', Buffer.concat([Buffer.from([0, 1]), int32(100_000), Buffer.alloc(100_000, 'x')]));
  const port = await fakeServer(socket => {
    socket.write(Buffer.concat([signedIn, oneColumn, ...Array.from({ length: 200 }, () => row)]));
  });
  const socket = connect(port, '127.0.0.1', () => socket.write('hello'));
  clients.push(socket);
  const stream = new BoundedStream(socket, lettingIn());
  stream.on('error', () => {});
  stream.on('data', (bytes: Buffer) => {
    if (bytes[0] === oneColumn[0]) stream.hold();
  });
  await eventually(
    async () => stream.receivedBytes,
    received => received > 0,
  );
  await setTimeout(500);
  expect(stream.receivedBytes).toBeLessThan(1_000_000);
  let read = 0;
  const shape = { kinds: ['text' as const], cellBytes: 10, notes: { invalidUtf8: false } };
  stream.readRows({ shape, row: () => (read += 1), cut: () => {} }, 1e9);
  stream.release();
  await eventually(
    async () => read,
    count => count === 200,
  );
});

test('no object of the driver holds the password after the sign-in', async () => {
  const { Client } = createRequire(import.meta.url)('pg') as typeof import('pg');
  const port = await fakeServer((socket, turn) => {
    socket.write(turn === 0 ? message('R', int32(3)) : signedIn);
  });
  const socket = connect(port, '127.0.0.1');
  clients.push(socket);
  const { connect: connectAsBefore } = Client.prototype;
  let client: unknown;
  Client.prototype.connect = new Proxy(connectAsBefore, {
    apply(target, self, given) {
      client = self;
      return Reflect.apply(target, self, given);
    },
  });
  const password = async () => 'the-password';
  const endpoint = endpointAt(port);
  const identity = { chosenAddress: () => null, wantsKey: () => false, judge: () => {}, signedIn: async () => {} };
  const options = { endpoint, user: 'u', database: 'd', settings: {}, password, identity, address: null };
  await startUp({ socket, kind: 'clear', socketOwner: null }, options);
  Client.prototype.connect = connectAsBefore;
  expect(client).toBeInstanceOf(Client);
  expect(inspect(client, { depth: null, showHidden: true })).not.toContain('the-password');
});

test.each(['prefer', 'require', 'verify-ca', 'verify-full'] as const)(
  '%s: after a failed handshake nothing is sent unencrypted',
  async mode => {
    const sent: Buffer[] = [];
    let connections = 0;
    const port = await fakeServer((socket, turn, bytes) => {
      sent.push(bytes);
      if (turn === 0) {
        connections += 1;
        socket.write('S');
      } else socket.end('this is no TLS');
    });
    const { outcome } = await runOn(openAt(port, mode), 'select 1', { timeoutSeconds: 2 });
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('TLS failed') });
    expect(connections).toBe(1);
    expect(sent.slice(1).every(bytes => bytes[0] === 0x16)).toBe(true);
  },
);

test.each(['S', 'N', 'E'])(
  'bytes after the answer %p to the request for TLS aren’t taken for the server’s',
  async answer => {
    const port = await fakeServer((socket, turn) => {
      if (turn === 0) socket.write(Buffer.concat([Buffer.from(answer), signedIn]));
    });
    const { outcome } = await runOn(openAt(port, 'prefer'), 'select 1', { timeoutSeconds: 1 });
    expect(outcome.kind).toBe('not_connected');
  },
);

test('a server that leaves when asked for TLS is named so', async () => {
  const port = await fakeServer(socket => socket.end());
  const { outcome } = await runOn(openAt(port, 'require'), 'select 1', { timeoutSeconds: 5 });
  expect(outcome).toEqual({
    kind: 'not_connected',
    isUnanswered: true,
    message: `Could not connect to PostgreSQL at 127.0.0.1:${port}: the server closed the connection when asked for TLS.`,
    problem: 'tls_failed',
  });
});

test('a server that speaks out of turn isn’t listened to', async () => {
  const port = await fakeServer((socket, turn) => {
    if (turn === 0) socket.write(Buffer.concat([signedIn, message('C', 'SELECT 1\0'), message('Z', 'I')]));
  });
  expect((await runOn(openAt(port), 'select 1', { timeoutSeconds: 0.3 })).outcome.kind).not.toBe('done');
});

test('rows arrive the same however the network cuts them', () => {
  const cell = fc.oneof(fc.constant(null), fc.string({ unit: 'grapheme', maxLength: 40 }));
  const table = fc
    .integer({ min: 0, max: 4 })
    .chain(width =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }).map(rows => ({ width, rows })),
    );
  fc.assert(
    fc.property(
      table,
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      fc.boolean(),
      ({ width, rows }, cuts, long) => {
        const filler = long ? 'z'.repeat(140_000) : '';
        const bytes = Buffer.concat(
          rows.map(cells => {
            const values = [...cells, filler].map(value =>
              value === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
            );
            return message('D', Buffer.concat([Buffer.from([0, width + 1]), ...values]));
          }),
        );
        const seen: (readonly Cell[])[] = [];
        const socket = new Socket();
        const stream = new BoundedStream(socket, lettingIn());
        socket.emit('data', ready);
        const shape = {
          kinds: Array.from({ length: width + 1 }, () => 'text' as const),
          cellBytes: 100_000,
          notes: { invalidUtf8: false },
        };
        const row = (body: Buffer, start: number, end: number, state: RowState) =>
          void seen.push(shownCells(readRow(body, start, end, shape, state)));
        stream.readRows({ shape, row, cut: () => {} }, 1e9);
        for (let offset = 0, turn = 0; offset < bytes.length; turn += 1) {
          const step = (cuts[turn % cuts.length] ?? 1) * (long && turn > 20 ? 997 : 1);
          socket.emit('data', bytes.subarray(offset, offset + step));
          offset += step;
        }
        const last = long ? { kept: 'z'.repeat(100_000), fullBytes: 140_000 } : '';
        expect(seen).toEqual(rows.map(cells => [...cells, last]));
      },
    ),
    { numRuns: 60 },
  );
});
