/**
 * A server that attacks its client: file requests, absurd lengths, garbage. What demands the password
 * is in `attacks/sign-in/`.
 */

import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { TlsMode } from '../../../daemon/access/connection.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { growthWhile } from '../../memory-growth.ts';
import { type Collected, collect } from '../collecting-sink.ts';
import { endpointOf } from './endpoint.ts';
import {
  column,
  eof,
  type FakeServer,
  lastEof,
  ok,
  oneColumn,
  packet,
  type Script,
  type Sender,
  startFakeServer,
  text,
} from './fake-server.ts';

const secret = 'the-password-of-the-victim';
let server: FakeServer | null = null;
let database: Database | null = null;

afterEach(async () => {
  await database?.close();
  await server?.stop();
});

async function attacked(
  script: Script,
  host = '127.0.0.1',
  timeoutSeconds = 5,
  mode: TlsMode = 'disable',
): Promise<Collected> {
  server = await startFakeServer(script);
  const endpoint = endpointOf(
    { host: '127.0.0.1', port: server.port, user: 'root' },
    { host, tls: { mode, caFile: null } },
  );
  database = openMysql(endpoint, { password: async () => secret, now: () => performance.now() });
  return collect(database, 'select attack', { timeoutSeconds, limits: { cellBytes: 1000, wireBytes: 8_000_000 } });
}

const lost = (message: RegExp): unknown => ({ kind: 'not_connected', message: expect.stringMatching(message) });
const fileRequest = (path: string): Buffer => Buffer.concat([Buffer.from([0xfb]), Buffer.from(path)]);

describe('a MySQL server without read-only XA transactions', () => {
  test.each([
    ['refused', 0],
    ['writable', 1],
  ] as const)('%s: the plain read-only transaction replaces it before the statement is sent', async (xa, left) => {
    const { outcome, rows } = await attacked({
      xa,
      attack: send => send.packets(...oneColumn, text('value'), lastEof),
    });
    expect(outcome).toMatchObject({ kind: 'done' });
    expect(rows).toEqual([['value']]);
    const sent = server?.received().toString('latin1') ?? '';
    expect(sent.split('XA ROLLBACK')).toHaveLength(1 + left);
    expect(sent.indexOf('START TRANSACTION READ ONLY')).toBeGreaterThan(sent.indexOf('XA START'));
    expect(sent.indexOf('select attack')).toBeGreaterThan(sent.indexOf('START TRANSACTION READ ONLY'));
  });
});

describe('a MariaDB server whose next read waits in its transaction', () => {
  const attack = (send: Sender): void => send.packets(...oneColumn, text('value'), lastEof);
  /** Without the question that the first read asks. */
  const sent = (): string =>
    server
      ?.received()
      .toString('latin1')
      .replace(/.{5}CREATE TEMPORARY TABLE `[^`]+`\.nothing \(a INT\)/s, '') ?? '';

  test('it starts after the reset, and the statement comes alone', async () => {
    await attacked({ mariadb: true, attack });
    await collect(database as Database, 'select attack again', { timeoutSeconds: 5 });
    const [first = '', second = ''] = sent().split('select attack again')[0]?.split('select attack') ?? [];
    expect(first).toMatch(/SET .*XA START/s);
    expect(second).toMatch(/^.{5}.*SET .*XA START '[^']+'.{5}$/s);
  });

  test.each(['refused', 'writable'] as const)('%s: the plain one replaces it before each statement', async xa => {
    await attacked({ mariadb: true, xa, attack });
    await collect(database as Database, 'select attack again');
    const [untilLast = ''] = sent().split('select attack again');
    for (const before of untilLast.split('select attack')) expect(before).toMatch(/START TRANSACTION READ ONLY.{5}$/s);
    // After each XA START: two of the reads, and one after the reset.
    expect(untilLast.split('XA ROLLBACK')).toHaveLength({ refused: 1, writable: 1 + 3 }[xa]);
  });

  test('one that doesn’t end takes its connection along; the write runs on another', async () => {
    await attacked({ mariadb: true, keepsXa: true, attack });
    const { outcome } = await collect(database as Database, 'update attack', { session: 'write' });
    expect(outcome.kind).toBe('done');
    expect(sent()).toMatch(/XA END.*mysql_native_password.*START TRANSACTION READ WRITE.{5}update attack/s);
  });
});

describe('a MySQL server that is too old for a variable', () => {
  test.each([
    ['transaction_read_only', 'SET SESSION TRANSACTION READ ONLY'],
    ['max_execution_time', 'SET SESSION TRANSACTION READ ONLY'],
    ['foreign_key_checks', 'SET SESSION unique_checks = 1'],
  ])('%s: the session is set up one statement after the other', async (lacks, instead) => {
    const script: Script = { lacks, attack: send => send.packets(...oneColumn, text('value'), lastEof) };
    const first = await attacked(script);
    const second = database === null ? null : await collect(database, 'select attack');
    for (const answer of [first, second]) expect(answer?.rows).toEqual([['value']]);
    const sent = server?.received().toString('latin1') ?? '';
    // The second statement came after a reset.
    expect(sent.lastIndexOf('select attack')).toBeGreaterThan(sent.lastIndexOf(instead));
    expect(sent.lastIndexOf(instead)).toBeGreaterThan(sent.indexOf('select attack'));
  });
});

describe('a hostile MySQL server', () => {
  test('the fake answers like a real one if it doesn’t attack', async () => {
    const { outcome, rows } = await attacked({ attack: send => send.packets(...oneColumn, text('value'), lastEof) });
    expect(outcome).toMatchObject({ kind: 'done', warnings: [] });
    expect(rows).toEqual([['value']]);
  });

  test('gets no file of this machine, in answer to a statement or as its login', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-hostile-'));
    const path = join(folder, 'private');
    writeFileSync(path, 'CONTENTS-OF-A-PRIVATE-FILE');
    try {
      const { outcome } = await attacked({ attack: send => send.packets(fileRequest(path)) });
      expect(outcome).toEqual(lost(/file of this machine/));
      expect(server?.received().includes('CONTENTS-OF-A-PRIVATE-FILE')).toBe(false);
      await database?.close();
      await server?.stop();
      const early = await attacked({ afterLogin: [ok(), fileRequest(path)] });
      expect(early.outcome.kind).not.toBe('done');
      expect(server?.received().includes('CONTENTS-OF-A-PRIVATE-FILE')).toBe(false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each<readonly [string, (send: Parameters<NonNullable<Script['attack']>>[0]) => void]>([
    ['an absurd number of columns', send => send.packets(Buffer.from([0xfe, 255, 255, 255, 255, 255, 255, 255, 255]))],
    ['no columns at all', send => send.packets(Buffer.from([0xfc, 0, 0]))],
    ['an empty packet', send => send.raw(Buffer.from([0, 0, 0, 1]))],
    ['a packet out of order', send => send.raw(packet(9, ok()))],
    ['a column definition cut short', send => send.packets(Buffer.from([1]), Buffer.from([3, 0x64]), eof())],
    [
      'a column name longer than its packet',
      send =>
        send.packets(
          Buffer.from([1]),
          Buffer.concat([column('a').subarray(0, 8), Buffer.from([0xfd, 255, 255, 255])]),
          eof(),
        ),
    ],
    ['a cell longer than its row', send => send.packets(...oneColumn, Buffer.from([200, 65]), lastEof)],
    [
      'a cell of 2^63 bytes',
      send => send.packets(...oneColumn, Buffer.from([0xfe, 0, 0, 0, 0, 0, 0, 0, 128, 65]), lastEof),
    ],
    ['a row with too many cells', send => send.packets(...oneColumn, Buffer.concat([text('a'), text('b')]), lastEof)],
    ['columns without an end', send => send.packets(Buffer.from([1]), column('a'), text('row'))],
    ['an answer too many', send => send.packets(...oneColumn, Buffer.from([0xff]), lastEof)],
  ])('%s', async (_, attack) => {
    const { outcome } = await attacked({ attack });
    expect(['not_connected', 'query_failed']).toContain(outcome.kind);
  });

  test('an answer that continues after its end isn’t taken for the next one', async () => {
    let asked = 0;
    const result = await attacked({
      attack: send => {
        asked += 1;
        send.packets(
          ...oneColumn,
          text(`answer ${asked}`),
          lastEof,
          ...oneColumn.map(Buffer.from),
          text('forged'),
          lastEof,
        );
      },
    });
    expect(result.rows).toEqual([['answer 1']]);
    if (database === null) throw new Error('not opened');
    expect((await collect(database, 'select attack')).rows).toEqual([['answer 2']]);
  });

  test('text that isn’t UTF-8 is replaced, and reported', async () => {
    const { outcome, rows } = await attacked({
      attack: send => send.packets(...oneColumn, text(Buffer.from([0x41, 0xff, 0x42])), lastEof),
    });
    expect(rows).toEqual([['A\ufffdB']]);
    expect(outcome).toMatchObject({ kind: 'done', warnings: [expect.stringMatching(/UTF-8/)] });
  });

  test('endless bytes end at the limit, in rows, in column definitions and before the login', async () => {
    const flood = (first: Buffer) => (send: Parameters<NonNullable<Script['attack']>>[0]) => {
      send.raw(first);
      const chunk = Buffer.alloc(256 * 1024, 0x41);
      const more = (): void => {
        while (!send.socket.destroyed && send.socket.write(chunk)) {}
      };
      send.socket.on('drain', more);
      more();
    };
    const growth = await growthWhile(async () => {
      const inRow = Buffer.concat([
        ...oneColumn.map((payload, index) => packet(index + 1, payload)),
        Buffer.from([255, 255, 255, 4, 0xfe, 0, 0, 0, 16, 0, 0, 0, 0]),
      ]);
      const { outcome, rows } = await attacked({ attack: flood(inRow) });
      expect(outcome).toMatchObject({ kind: 'done', cutByWire: true });
      expect(rows).toEqual([[{ kept: 'A'.repeat(1000), fullBytes: 2 ** 28 }]]);
      await database?.close();
      await server?.stop();
      const inColumns = Buffer.concat([packet(1, Buffer.from([1])), Buffer.from([255, 255, 255, 2])]);
      expect((await attacked({ attack: flood(inColumns) })).outcome.kind).toBe('not_connected');
      await database?.close();
      await server?.stop();
      const early = await attacked({ greeting: Buffer.alloc(10_000_000, 0x41) });
      expect(early.outcome.kind).toBe('not_connected');
    });
    expect(growth).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ['garbage', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['nothing but a version', Buffer.from([10])],
    ['an error', Buffer.concat([Buffer.from([0xff, 0x10, 0x04]), Buffer.from('Too many connections')])],
  ])('%s for a greeting', async (_, greeting) => {
    expect((await attacked({ greeting }, '127.0.0.1', 2)).outcome.kind).toMatch(
      /^(?:not_connected|timeout|busy|no_answer)$/,
    );
  });

  const switchTo = (plugin: string): Buffer =>
    Buffer.concat([Buffer.from([0xfe]), Buffer.from(`${plugin}\0`), Buffer.from('12345678901234567890\0')]);

  test('packets after the unencrypted greeting don’t count as the TLS server’s', async () => {
    const behindGreeting = packet(2, switchTo('mysql_clear_password'));
    const { outcome } = await attacked({ tls: true, behindGreeting }, '127.0.0.1', 5, 'verify-full');
    expect(outcome).toEqual(lost(/more than it was asked for|TLS|closed/));
    expect(server?.received().includes(secret)).toBe(false);
    // Only the request for TLS was sent, and no TLS after it.
    expect(server?.received().length ?? 0).toBeLessThanOrEqual(36);
  });

  test('after a failed TLS handshake nothing continues unencrypted', async () => {
    for (const mode of ['prefer', 'require', 'verify-full'] as const) {
      const { outcome } = await attacked({ tls: true }, '127.0.0.1', 5, mode);
      expect(outcome).toEqual({ ...(lost(/TLS|closed/) as object), problem: 'tls_failed' });
      expect(server?.received().includes('mysql_native_password')).toBe(false);
      await database?.close();
      await server?.stop();
    }
  });

  test('an unsupported login method is named', async () => {
    const { outcome } = await attacked({ afterLogin: [switchTo('client_ed25519')] });
    expect(outcome).toEqual(lost(/client_ed25519/));
  });
});
