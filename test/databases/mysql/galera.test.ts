/** A Galera cluster of three: reads and writes on any node, rehearsals without XA, nodes that are killed and that hang. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openMysql } from '../../../daemon/databases/mysql/open.ts';
import type { Database } from '../../../daemon/query/database.ts';
import { needs } from '../../needs.ts';
import { type GaleraCluster, galeraUnavailable, startGalera } from '../../servers/galera.ts';
import type { MariadbServer } from '../../servers/mariadb.ts';
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

  const table = async (database: Database) => (await collect(database, 'select id, v from t order by id')).rows;

  test('what one node writes, all read', async () => {
    const write = await collect(databases[1], 'update t set v = 3 where id = 2', { session: 'write' });
    expect(write.outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
    for (const database of databases) {
      expect(await table(database)).toEqual([
        [1, 1],
        [2, 3],
      ]);
    }
  });

  test('a read can not write on a node without XA', async () => {
    const { outcome } = await collect(databases[2], 'delete from t');
    expect(outcome).toMatchObject({ kind: 'read_only' });
  });

  test('a rehearsal counts and takes back without XA', async () => {
    const sink = { columns() {}, row: () => true };
    const rehearsed = await databases[0].rehearse(call, async ({ run, changes }) => {
      const step = { sql: 'delete from t', parameters: [], limits: call.limits, ours: false };
      return { outcome: await run(step, sink), changes: await changes() };
    });
    expect(rehearsed).toMatchObject({
      kind: 'done',
      value: { outcome: { kind: 'done', rowsAffected: 2 }, changes: { kind: 'done' } },
    });
    expect(await table(databases[1])).toHaveLength(2);
  });

  test('a node that hangs holds up nobody who asks another, and answers when it goes on', async () => {
    const [, , third] = cluster.nodes;
    third.pause();
    try {
      // The others wait for it before they write, until they have put it out of the cluster.
      const write = await collect(databases[0], 'insert into t values (3, 3)', { session: 'write' });
      expect(write.outcome).toMatchObject({ kind: 'done' });
      const late = await collect(databases[2], 'select 1', { timeoutSeconds: 1 });
      expect(late.outcome.kind).toMatch(/^(timeout|not_connected)$/);
    } finally {
      third.resume();
    }
    await until(async () => (await table(databases[2])).length === 3, 'it is back, with what it missed', 30);
  }, 60_000);

  test('a node that is killed in the middle of a query: the query ends, the others go on', async () => {
    const slow = collect(databases[1], 'select sleep(20)');
    await until(
      async () => (await cluster.nodes[1].client('show processlist')).includes('select sleep'),
      'the statement runs',
    );
    process.kill(cluster.nodes[1].processId, 'SIGKILL');
    expect((await slow).outcome).toMatchObject({ kind: 'not_connected' });
    expect((await collect(databases[1], 'select 1')).outcome).toMatchObject({ kind: 'not_connected' });
    const write = await collect(databases[2], 'insert into t values (4, 4)', { session: 'write' });
    expect(write.outcome).toMatchObject({ kind: 'done' });
    expect(await table(databases[0])).toHaveLength(4);
  }, 60_000);

  test('a node that lost the others says so, and is not asked in vain', async () => {
    process.kill(cluster.nodes[2].processId, 'SIGKILL');
    await until(async () => (await collect(databases[0], 'select 1 from t')).outcome.kind !== 'done', 'it notices', 30);
    const { outcome } = await collect(databases[0], 'select id from t');
    expect(outcome).toMatchObject({ kind: 'query_failed', message: expect.stringContaining('WSREP') });
  }, 60_000);
});
