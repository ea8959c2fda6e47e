/**
 * Servers that restart, hang, or never existed: what a caller is told, and that nobody else waits.
 */

import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { openLine } from '../../servers/cuttable-line.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { contextOf, describeWithPostgres, endpointOf, eventually, portsOf, runOn } from './suite.ts';

describeWithPostgres('PostgreSQL outages', suite => {
  test('the server restarts between two calls, and the second answers', async () => {
    const database = suite.open();
    await Promise.all([1, 2, 3].map(() => runOn(database, 'select pg_sleep(0.1)')));
    await suite.server.restart();
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
    await suite.server.restart();
    expect(await database.status(contextOf())).toMatchObject({ kind: 'done' });
    await suite.server.restart();
    const write = await runOn(database, 'create temporary table t as select 1 as a', { session: 'write' });
    expect(write.outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
  });

  test('a first session that is cut is no pooler', async () => {
    const line = await openLine(suite.server.port);
    line.set({ bytes: 'lock_timeout,statement_timeout', passesThem: false, how: 'cut', once: true });
    const database = suite.open({ port: line.port });
    expect((await runOn(database, 'select 1')).outcome.kind).toBe('not_connected');
    // Behind a pooler it is refused.
    const alone = await runOn(database, 'vacuum pg_class', { session: 'alone', schema: 'public' });
    expect(alone.outcome).toMatchObject({ kind: 'done' });
    await database.close();
    await line.close();
  });

  test('a limit of the server itself is told as that, and the next call works', async () => {
    // Older servers have no such limit (test/servers/newer.sh has one that does).
    if (Number(await suite.server.psql('show server_version_num')) < 170_000) return;
    await suite.server.psql("create role hurried login password 'not-a-secret'");
    await suite.server.psql("alter role hurried set transaction_timeout = '300ms'");
    const database = suite.open({ user: 'hurried' }, 'not-a-secret');
    for (const session of ['read', 'write'] as const) {
      expect((await runOn(database, 'select pg_sleep(2)', { session })).outcome).toEqual({
        kind: 'server_limit',
        limit: 'transaction_timeout',
      });
      expect((await runOn(database, 'select 1', { session })).outcome.kind).toBe('done');
    }
  });

  test('sessions that died silently are replaced by a fresh one', async () => {
    const database = suite.open();
    await Promise.all([1, 2].map(() => runOn(database, 'select pg_sleep(0.1)')));
    const ended = await suite.server.psql(
      "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'Sallyport%'",
    );
    expect(Number(ended)).toBeGreaterThan(0);
    const answers = await Promise.all([1, 2, 3].map(n => runOn(database, `select ${n}`)));
    expect(answers.map(({ rows }) => rows)).toEqual([[[1]], [[2]], [[3]]]);
  });

  test('a server that hangs times out, while another connection continues', async () => {
    const hung = suite.open();
    await runOn(hung, 'select 1');
    // Until it is clean, so the next statement uses it.
    await eventually(
      () =>
        suite.server.ask(
          "select count(*) from pg_stat_activity where application_name like 'Sallyport%' and state = 'idle' and query <> 'select 1'",
        ),
      count => count !== '0',
    );
    suite.server.pause();
    try {
      const startedAt = performance.now();
      const [warm, cold] = await Promise.all([
        runOn(hung, 'select 1', { timeoutSeconds: 0.5 }),
        runOn(suite.open(), 'select 1', { timeoutSeconds: 0.5 }),
        expect(runOn(suite.open({ port: 1 }), 'select 1')).resolves.toMatchObject({
          outcome: { kind: 'not_connected' },
        }),
      ]);
      expect(warm.outcome).toEqual({ kind: 'no_answer', stage: 'statement', seconds: 0.5 });
      expect(cold.outcome).toEqual({ kind: 'no_answer', stage: 'sign_in', seconds: 0.5 });
      expectWithin(startedAt, 10_000);
    } finally {
      suite.server.resume();
    }
    expect((await runOn(hung, 'select 1')).rows).toEqual([[1]]);
  });

  test('a client that leaves while the server hangs is released at once', async () => {
    suite.server.pause();
    try {
      const abort = new AbortController();
      const dialling = runOn(suite.open(), 'select 1', { signal: abort.signal });
      // A hanging server can't tell how far the dial is.
      void setTimeout(50).then(() => abort.abort());
      expect((await dialling).outcome).toEqual({ kind: 'cancelled' });
    } finally {
      suite.server.resume();
    }
  });

  test('closing ends running statements, waits for them, and refuses later ones', async () => {
    const database = openPostgres(endpointOf(suite.server), portsOf(suite.server.password));
    const running = runOn(database, 'select pg_sleep(30)');
    await eventually(
      () =>
        suite.server.ask("select count(*) from pg_stat_activity where query like '%pg_sleep(30)' and state = 'active'"),
      count => count === '1',
    );
    await database.close();
    await database.close();
    expect((await running).outcome).toMatchObject({ kind: 'not_connected' });
    expect((await runOn(database, 'select 1')).outcome).toMatchObject({ kind: 'not_connected' });
    expect(
      await suite.server.psql(
        "select count(*) from pg_stat_activity where application_name like 'Sallyport%' and state = 'active'",
      ),
    ).toBe('0');
  });
});

describeWithPostgres('PostgreSQL behind a network that disappears', suite => {
  /** Forwards to the server until told to swallow everything, as a lost route does. */
  async function throughNetwork(): Promise<{
    port: number;
    /** Resolves once nothing has passed for a while, so the server's messages have been read. */
    quiet(): Promise<void>;
    vanish(): void;
    close(): Promise<void>;
  }> {
    let passedAt = 0;
    const sockets = new Set<Socket>();
    let gone: Set<Socket> = new Set();
    const proxy = createServer(near => {
      const far = connect(suite.server.port, suite.server.host);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('data', bytes => {
          passedAt = performance.now();
          if (!gone.has(from)) to.write(bytes);
        });
        from.on('error', () => {});
        from.on('close', () => {
          sockets.delete(from);
          if (!gone.has(from)) to.end();
        });
      }
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    return {
      port: typeof address === 'object' && address !== null ? address.port : 0,
      async quiet() {
        while (performance.now() - passedAt < 200) await setTimeout(50);
      },
      vanish() {
        gone = new Set(sockets);
      },
      close() {
        for (const socket of sockets) socket.destroy();
        return new Promise(resolve => proxy.close(() => resolve()));
      },
    };
  }

  test('the read itself checks a session that was idle meanwhile, and then runs on a fresh one', async () => {
    const network = await throughNetwork();
    let hoursAsleep = 0;
    const ports = {
      password: async () => suite.server.password,
      now: () => performance.now() + hoursAsleep * 3_600_000,
    };
    const database = openPostgres(endpointOf(suite.server, { port: network.port }), ports);
    const busy = "select count(*) from pg_stat_activity where application_name like 'Sallyport%' and state <> 'idle'";
    const untilIdle = async () => {
      await eventually(
        () => suite.server.psql(busy),
        count => count === '0',
      );
      await network.quiet();
    };
    try {
      expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
      await untilIdle();
      network.vanish();
      hoursAsleep = 1;
      const startedAt = performance.now();
      expect((await runOn(database, 'select 2')).rows).toEqual([[2]]);
      expectWithin(startedAt, 10_000);
      // A long statement on a live session isn't taken for a dead one.
      await untilIdle();
      hoursAsleep = 2;
      expect((await runOn(database, 'select 3 from pg_sleep(4)')).rows).toEqual([[3]]);
    } finally {
      await database.close();
      await network.close();
    }
  });
});
