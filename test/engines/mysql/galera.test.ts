/**
 * A Galera cluster of three nodes: reads and writes on each, rehearsals without XA, nodes that
 * stop, hang and die; as separate connections and as one.
 */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { needs } from '../../needs.ts';
import { type GaleraCluster, galeraUnavailable, startGalera } from '../../servers/galera.ts';
import type { MariadbServer } from '../../servers/mariadb.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { call, collect } from '../collecting-sink.ts';
import { endpointOf, portsOf } from './endpoint.ts';

needs(galeraUnavailable()).describe('Galera', () => {
  let cluster: GaleraCluster;
  let databases: readonly [Database, Database, Database];
  beforeAll(async () => {
    cluster = await startGalera();
    await cluster.nodes[0].client(
      'create database own; create table own.t (id int primary key, v int); insert into own.t values (1, 1), (2, 2)',
    );
    const open = (node: MariadbServer) => openMysql(endpointOf(node, { database: 'own' }), portsOf(node));
    const [first, second, third] = cluster.nodes;
    databases = [open(first), open(second), open(third)];
  }, 120_000);
  afterAll(async () => {
    await Promise.all((databases ?? []).map(database => database.close()));
    await cluster?.stop();
  }, 60_000);

  const several: Database[] = [];
  afterEach(async () => {
    await Promise.all(several.splice(0).map(database => database.close()));
  });
  /** All nodes as one connection, in this order. */
  const openAll = (order: readonly (0 | 1 | 2)[] = [0, 1, 2], password?: string): Database => {
    const { nodes } = cluster;
    const host = order.map(at => `${nodes[at].host}:${nodes[at].port}`).join(',');
    const database = openMysql(
      endpointOf(nodes[0], { host, database: 'own' }),
      portsOf({ password: password ?? nodes[0].password }),
    );
    several.push(database);
    return database;
  };
  const answering = async (database: Database, timeoutSeconds = 15): Promise<unknown> => {
    const { outcome, rows } = await collect(database, 'select @@port', { timeoutSeconds });
    return outcome.kind === 'done' ? Number(rows[0]?.[0]) : outcome;
  };

  const table = async (database: Database) => (await collect(database, 'select id, v from t order by id')).rows;

  test('all nodes read what one node writes', async () => {
    const write = await collect(databases[1], 'update t set v = 3 where id = 2', { session: 'write' });
    expect(write.outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
    // A node applies another's writes with a delay.
    for (const database of databases)
      await until(async () => JSON.stringify(await table(database)) === '[[1,1],[2,3]]', 'it reads what was written');
  });

  test('a read can’t write on a node without XA', async () => {
    const { outcome } = await collect(databases[2], 'delete from t');
    expect(outcome).toMatchObject({ kind: 'read_only' });
  });

  test('a rehearsal counts and undoes without XA', async () => {
    const sink = { columns() {}, row: () => true };
    const rehearsed = await databases[0].rehearse(call, async ({ run, rowCounts }) => {
      const step = { sql: 'delete from t', parameters: [], limits: call.limits, ours: false };
      return { outcome: await run(step, sink), changes: await rowCounts() };
    });
    expect(rehearsed).toMatchObject({
      kind: 'done',
      value: { outcome: { kind: 'done', rowsAffected: 2 }, changes: { kind: 'done' } },
    });
    expect(await table(databases[1])).toHaveLength(2);
  });

  test('a node that hangs blocks nobody who asks another, and answers when it continues', async () => {
    const [, , third] = cluster.nodes;
    third.pause();
    try {
      // The others wait for it before they write, until they exclude it from the cluster.
      const write = await collect(databases[0], 'insert into t values (3, 3)', { session: 'write' });
      expect(write.outcome).toMatchObject({ kind: 'done' });
      const late = await collect(databases[2], 'select 1', { timeoutSeconds: 1 });
      expect(late.outcome.kind).toMatch(/^(?:timeout|not_connected|no_answer)$/);
    } finally {
      third.resume();
    }
    await until(async () => (await table(databases[2])).length === 3, 'it is back, with what it missed', 30);
  }, 60_000);

  test('the first of several nodes answers; a cancel goes to the node that runs the statement', async () => {
    const [first] = cluster.nodes;
    const database = openAll();
    expect(await answering(database)).toBe(first.port);
    const leaving = new AbortController();
    const slow = collect(database, 'select sleep(60)', { signal: leaving.signal });
    const running = async () => (await first.ask('show processlist')).includes('select sleep');
    await until(running, 'it runs');
    leaving.abort();
    expect((await slow).outcome).toEqual({ kind: 'cancelled' });
    await until(async () => !(await running()), 'it was stopped');
  }, 60_000);

  test('a wrong password is tried on one node', async () => {
    const outcome = await answering(openAll([0, 1, 2], 'wrong'));
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('Access denied') });
    expect(outcome).toMatchObject({ message: expect.not.stringContaining('None of the') });
  });

  test('the first node stopped: another answers; frozen: another answers, and is asked first from then on', async () => {
    const [first, second] = cluster.nodes;
    const database = openAll();
    expect(await answering(database)).toBe(first.port);
    first.pause();
    try {
      expect(await answering(database)).toBe(second.port);
      const begun = performance.now();
      expect(await answering(database)).toBe(second.port);
      expectWithin(begun, 1_000);
      expect(await answering(openAll())).toBe(second.port);
    } finally {
      first.resume();
    }
    await until(async () => (await answering(openAll())) === first.port, 'it is back', 30);
  }, 90_000);

  test('a node that hangs during a query: the call ends in time, and another answers the next', async () => {
    const [first, second] = cluster.nodes;
    const database = openAll();
    const slow = collect(database, 'select sleep(5)', { timeoutSeconds: 2 });
    await until(async () => (await first.ask('show processlist')).includes('select sleep'), 'it runs');
    first.pause();
    try {
      expect((await slow).outcome.kind).toMatch(/^(?:timeout|no_answer)$/);
      expect(await answering(database)).toBe(second.port);
    } finally {
      first.resume();
    }
    await until(async () => (await answering(openAll())) === first.port, 'it is back', 30);
  }, 90_000);

  test('a node killed during a write: it is sent to no other, and another answers the next call', async () => {
    const [, second, third] = cluster.nodes;
    const database = openAll([1, 2, 0]);
    expect(await answering(database)).toBe(second.port);
    const before = (await table(databases[0])).length;
    const write = collect(database, 'insert into t select 100, sleep(20)', { session: 'write' });
    await until(async () => (await second.ask('show processlist')).includes('insert into t'), 'it runs');
    process.kill(second.processId, 'SIGKILL');
    expect((await write).outcome.kind).toMatch(/^(?:not_connected|outcome_unknown)$/);
    expect(await answering(database)).toBe(third.port);
    expect(await table(databases[0])).toHaveLength(before);
    await second.restart(cluster.options(1));
    await until(async () => (await answering(databases[1])) === second.port, 'it is back', 30);
  }, 90_000);

  test('a node that is killed during a query: the query ends, the others continue', async () => {
    const slow = collect(databases[1], 'select sleep(20)');
    await until(
      async () => (await cluster.nodes[1].ask('show processlist')).includes('select sleep'),
      'the statement runs',
    );
    process.kill(cluster.nodes[1].processId, 'SIGKILL');
    expect((await slow).outcome).toMatchObject({ kind: 'not_connected' });
    expect((await collect(databases[1], 'select 1')).outcome).toMatchObject({ kind: 'not_connected' });
    const write = await collect(databases[2], 'insert into t values (4, 4)', { session: 'write' });
    expect(write.outcome).toMatchObject({ kind: 'done' });
    await until(async () => (await table(databases[0])).length === 4, 'the first node has it too');
  }, 60_000);

  test('a node that lost the others says so, and isn’t asked in vain', async () => {
    process.kill(cluster.nodes[2].processId, 'SIGKILL');
    await until(async () => (await collect(databases[0], 'select 1 from t')).outcome.kind !== 'done', 'it notices', 30);
    const { outcome } = await collect(databases[0], 'select id from t');
    expect(outcome).toMatchObject({ kind: 'query_failed', message: expect.stringContaining('WSREP') });
    const together = await answering(openAll());
    expect(together).toMatchObject({
      kind: 'not_connected',
      message: expect.stringContaining('is cut off from its cluster'),
    });
    expect(together).toMatchObject({
      message: expect.stringMatching(/^None of the 3 servers answers\. .*No server listens at/),
    });
  }, 60_000);
});
