/** Restarts, hangs, cancellations and crowds: the work of the pool and the canceller. */

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { needs } from '../../needs.ts';
import { openLine } from '../../servers/cuttable-line.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { openSlowLine } from '../../servers/slow-line.ts';
import { expectWithin, here } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { collect } from '../collecting-sink.ts';
import { endpointOf, portsOf } from './endpoint.ts';

needs(mariadbUnavailable()).describe('mysql outages', () => {
  let server: MariadbServer;
  let database: Database;

  beforeAll(async () => {
    server = await startMariadb();
    await server.client('CREATE DATABASE own; CREATE DATABASE other; CREATE TABLE own.t (a int primary key)');
    database = openMysql(endpointOf(server, { database: 'own' }), portsOf(server));
  }, 60_000);

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  const sessions = async (): Promise<string[]> => {
    const sql =
      "SELECT CONCAT(command, ' ', COALESCE(info, '')) FROM information_schema.processlist WHERE host LIKE '127.%'";
    return (await server.ask(sql)).split('\n').filter(line => line !== '');
  };
  const areIdle = async () => (await sessions()).every(line => line.startsWith('Sleep'));
  // Twice, since a session also looks idle between two statements that clean it.
  const untilIdle = () => until(async () => (await areIdle()) && (await areIdle()), 'every session is at rest');
  const statementRuns = (sql: string) =>
    until(async () => (await sessions()).some(line => line.includes(sql.slice(0, 16))), 'the statement runs');

  test('the server restarts between two calls, and the second answers', async () => {
    expect((await collect(database, "select '1'")).rows).toEqual([['1']]);
    await server.restart();
    expect((await collect(database, "select '2'")).rows).toEqual([['2']]);
    await server.restart();
    const write = await collect(database, 'insert into t values (1)', { session: 'write' });
    expect(write.outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
  }, 60_000);

  test('of several hosts the one that answers is used, if none belongs to a cluster', async () => {
    const host = `127.0.0.1:1,127.0.0.1:${server.port}`;
    const own = openMysql(endpointOf(server, { host, database: 'own' }), portsOf(server));
    try {
      const { outcome, rows } = await collect(own, 'select @@port');
      expect([outcome, rows]).toEqual([expect.objectContaining({ kind: 'done' }), [[String(server.port)]]]);
    } finally {
      await own.close();
    }
  });

  test('a pooled connection that died silently is recognised, and the read runs on another', async () => {
    const line = await openLine(server.port);
    const own = openMysql(endpointOf({ ...server, port: line.port }, { database: 'own' }), portsOf(server));
    const ask = async () => (await collect(own, 'select connection_id()')).rows[0]?.[0];
    try {
      const first = await ask();
      expect(first).toBeDefined();
      // After that much rest a session is checked before use.
      await wait(2_000);
      // A read on MySQL begins by something else, and that serves.
      line.set({ bytes: isMysql() ? 'XA START' : 'DO 0', passesThem: false, how: 'cut', once: true });
      const second = await ask();
      expect(second).toBeDefined();
      expect(second).not.toBe(first);
    } finally {
      await own.close();
      await line.close();
    }
  });

  test('a pooled connection that was killed isn’t used again', async () => {
    const { rows } = await collect(database, 'select connection_id()');
    await untilIdle();
    const pooled = (await server.ask("SELECT id FROM information_schema.processlist WHERE host LIKE '127.%'")).split(
      '\n',
    );
    expect(pooled).toContain(String(rows[0]?.[0]));
    // A slow machine may have dialled a second one meanwhile.
    for (const id of pooled.filter(line => line !== '')) await server.ask(`KILL ${id}`);
    await until(async () => (await sessions()).length === 0, 'all are gone');
    expect((await collect(database, "select '3'")).rows).toEqual([['3']]);
  });

  test('a read whose session is killed has ended, and doesn’t start again', async () => {
    expect((await collect(database, "select '4'")).rows).toEqual([['4']]);
    await untilIdle();
    const sql = 'select sleep(20), 4';
    const killed = collect(database, sql);
    await statementRuns(sql);
    await server.client(
      `SET @kill = (SELECT CONCAT('KILL ', id) FROM information_schema.processlist WHERE info = '${sql}'); PREPARE k FROM @kill; EXECUTE k`,
    );
    expect((await killed).outcome).toMatchObject({ kind: expect.stringMatching(/^(not_connected|query_failed)$/) });
    // A killed session may remain visible for a moment.
    const again = (await sessions()).filter(line => line.includes(sql) && !line.startsWith('Killed'));
    expect(again).toEqual([]);
  });

  test('a server that is gone is not_connected; one that hangs gives no answer; all recover', async () => {
    const nowhere = openMysql(endpointOf({ ...server, port: 1 }), portsOf(server));
    expect((await collect(nowhere, 'select 1')).outcome).toMatchObject({
      kind: 'not_connected',
      message: expect.stringMatching(/127\.0\.0\.1:1/),
    });
    await nowhere.close();
    expect((await collect(database, "select '1'")).rows).toEqual([['1']]);
    const undialled = openMysql(endpointOf(server), portsOf(server));
    // Until the pooled connection is clean, so the statement uses it.
    await untilIdle();
    server.pause();
    try {
      const silent = (stage: string) => ({ kind: 'no_answer', stage, seconds: 1 });
      const { outcome } = await collect(database, 'select 1', { timeoutSeconds: 1 });
      expect(outcome).toEqual(silent('statement'));
      const dialled = await collect(undialled, 'select 1', { timeoutSeconds: 1 });
      expect(dialled.outcome).toEqual(silent('sign_in'));
      const client = new AbortController();
      const hanging = collect(database, 'select 1', { signal: client.signal });
      // A hanging server can't tell whether the statement has started.
      await wait(50);
      client.abort();
      expect((await hanging).outcome).toEqual({ kind: 'cancelled' });
    } finally {
      server.resume();
      await undialled.close();
    }
    expect((await collect(database, "select '4'")).rows).toEqual([['4']]);
  }, 60_000);

  const closed = { kind: 'not_connected', message: 'The connection was closed.' };

  test('close doesn’t wait for a server that hangs', async () => {
    const closing = openMysql(endpointOf(server), portsOf(server));
    await collect(closing, 'select 1');
    server.pause();
    const started = performance.now();
    try {
      const hanging = collect(closing, 'select 1');
      await wait(50);
      await closing.close();
      expect((await hanging).outcome).toEqual(closed);
      expectWithin(started, 5000);
    } finally {
      server.resume();
    }
  });

  test('close ends all statements in a remote server, however many there are', async () => {
    const line = await openSlowLine(server.port);
    const closing = openMysql(endpointOf({ ...server, port: line.port }, { database: 'own' }), portsOf(server));
    // A single sleep ends by itself if its client is gone.
    const sql = dialect('select count(*) from seq_1_to_800 where sleep(0.05)');
    const running = async () => (await sessions()).filter(session => session.includes(sql)).length;
    try {
      const asked = Array.from({ length: 8 }, () => collect(closing, sql, { timeoutSeconds: 60 }));
      await until(async () => (await running()) === 8, 'all run');
      line.delay(400);
      await closing.close();
      await until(async () => (await running()) === 0, 'all have ended', 5);
      for (const { outcome } of await Promise.all(asked)) expect(outcome).toEqual(closed);
    } finally {
      await line.close();
    }
  }, 60_000);

  test('cancelled statements end in the server, soon, and leave no session', async () => {
    const delays: number[] = [];
    for (const sql of [
      'select sleep(30)',
      "select benchmark(2000000000, sha2('a', 512))",
      dialect('select count(*) from seq_1_to_1000000000 where seq % 7 = 9'),
    ]) {
      for (let round = 0; round < 3; round += 1) {
        const client = new AbortController();
        const running = collect(database, sql, { signal: client.signal, timeoutSeconds: 60 });
        await statementRuns(sql);
        const started = performance.now();
        client.abort();
        expect((await running).outcome).toEqual({ kind: 'cancelled' });
        await until(
          async () => (await sessions()).every(line => !line.includes(sql.slice(0, 16))),
          'the statement has ended',
          5,
        );
        delays.push(performance.now() - started);
      }
    }
    expect(delays.sort((a, b) => a - b)[4]).toBeLessThan(here(2_000));
  }, 60_000);

  test('a cancelled write is rolled back', async () => {
    const client = new AbortController();
    const sql = dialect('insert into t select 100 + seq + sleep(0.05) from seq_1_to_500');
    const running = collect(database, sql, { session: 'write', signal: client.signal });
    await statementRuns(sql);
    client.abort();
    expect((await running).outcome).toEqual({ kind: 'cancelled' });
    await until(
      async () => (await server.ask('SELECT COUNT(*) FROM own.t WHERE a > 50')) === '0\n',
      'its rows are gone',
      5,
    );
  });

  test('a write over its time limit is rolled back', async () => {
    const sql = dialect('insert into t select 100 + seq + sleep(0.05) from seq_1_to_500');
    const { outcome } = await collect(database, sql, { session: 'write', timeoutSeconds: 1 });
    expect(outcome).toEqual({ kind: 'timeout', seconds: 1 });
    expect(await server.ask('SELECT COUNT(*) FROM own.t WHERE a > 50')).toBe('0\n');
  });

  test('functions that swallow their end still time out', async () => {
    const { outcome } = await collect(database, "select benchmark(2000000000, sha2('a', 512))", { timeoutSeconds: 1 });
    expect(outcome).toEqual({ kind: 'timeout', seconds: 1 });
  });

  test('50 at once, each with its own rows, on a limited number of sessions', async () => {
    // The server may still be ending the session of the test above.
    await untilIdle();
    let most = 0;
    let over = false;
    const counting = (async () => {
      while (!over) most = Math.max(most, (await sessions()).length);
    })();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        collect(database, dialect(`select ${n} + seq, sleep(0.002) from seq_1_to_20`), { client: `client ${n % 3}` }),
      ),
    );
    over = true;
    await counting;
    answers.forEach(({ outcome, rows }, n) => {
      expect(outcome).toMatchObject({ kind: 'done' });
      expect(rows.map(row => row[0])).toEqual(Array.from({ length: 20 }, (_, seq) => `${n + seq + 1}`));
    });
    expect(most).toBeLessThanOrEqual(10);
  }, 60_000);

  test('a caller that waits for a connection may leave', async () => {
    const client = new AbortController();
    const busy = Array.from({ length: 8 }, () => collect(database, 'select sleep(2)', {}));
    await until(
      async () => (await sessions()).filter(line => line.includes('select sleep(2)')).length === 8,
      'all sessions are busy',
    );
    const started = performance.now();
    const waiting = collect(database, 'select 1', { signal: client.signal });
    // No event tells that it waits in line.
    await wait(50);
    client.abort();
    expect((await waiting).outcome).toEqual({ kind: 'cancelled' });
    expectWithin(started, 1500);
    await Promise.all(busy);
  });

  test('the DBA sees who asks', async () => {
    await collect(database, 'select 1', { client: 'Some Client' });
    const printed = await server.ask(
      "SELECT ATTR_VALUE FROM performance_schema.session_connect_attrs WHERE ATTR_NAME = 'program_name'",
    );
    expect(printed).toContain('Sallyport: Some Client\n');
  });

  test('another database can be named if the connection allows it', async () => {
    expect((await collect(database, 'select database()', { database: 'other' })).rows).toEqual([['other']]);
    expect((await collect(database, 'select database()', { schema: 'other' })).rows).toEqual([['other']]);
    expect((await collect(database, 'select database()')).rows).toEqual([['own']]);
    const both = await collect(database, 'select 1', { database: 'own', schema: 'other' });
    expect(both.outcome.kind).toBe('unsupported');
    const own = openMysql(endpointOf(server, { database: 'own', databases: 'own' }), portsOf(server));
    expect((await collect(own, 'select database()', { schema: 'own' })).rows).toEqual([['own']]);
    expect((await collect(own, 'select 1', { database: 'other' })).outcome.kind).toBe('unsupported');
    await own.close();
    const missing = await collect(database, 'select 1', { database: 'nowhere' });
    expect(missing.outcome).toMatchObject({
      kind: 'query_failed',
      code: '1049',
      message: expect.stringMatching(/nowhere/),
    });
  });

  test('a wrong password is reported without it', async () => {
    const secret = 'not-the-password-5150';
    const wrong = openMysql(endpointOf(server), { ...portsOf(server), password: async () => secret });
    const { outcome } = await collect(wrong, 'select 1');
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringMatching(/Access denied/) });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    await wrong.close();
  });

  test('close leaves no session', async () => {
    await database.close();
    await until(async () => (await sessions()).length === 0, 'no session is left', 5);
  });
});
