/**
 * Behind pgpool-II with a standby that lags: a read sees what was written before, and no child of
 * pgpool ends because of what we stop.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { needs } from '../../needs.ts';
import { type Pgpool, pgpoolUnavailable, startPgpool } from '../../servers/pgpool.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';
import { until } from '../../waiting/until.ts';
import { previewing, told } from '../preview-for-tests.ts';
import { endpointOf, portsOf, runOn } from './suite.ts';

const binaries = findPostgres();
const missing = 'unavailable' in binaries ? binaries.unavailable : pgpoolUnavailable();

needs(missing).describe('behind pgpool-II', () => {
  let [primary, standby]: (PostgresServer | null)[] = [null, null];
  let pgpool: Pgpool;
  let database: Database;
  beforeAll(async () => {
    if ('unavailable' in binaries) return;
    primary = await startPostgres(binaries);
    await primary.psql(`create table t (id int primary key, name text); insert into t values (1, 'before');
      create table large as select g, repeat('x', 200) as filling from generate_series(1, 300000) as g`);
    standby = await startPostgres(binaries, primary);
    await standby.psql("alter system set recovery_min_apply_delay = '1h'");
    await standby.psql('select pg_reload_conf()');
    const delay = () => standby?.psql('show recovery_min_apply_delay');
    await until(async () => (await delay()) === '1h', 'the standby lags');
    pgpool = await startPgpool(primary, standby);
    database = openPostgres(endpointOf(primary, { port: pgpool.port }), portsOf(null));
  }, 120_000);
  afterAll(async () => {
    await database?.close();
    await pgpool?.stop();
    await standby?.stop();
    await primary?.stop();
  }, 60_000);

  const name = async (more = {}) => (await runOn(database, 'select name from t', more)).rows;

  test('a read sees the write before it, which the standby has not', async () => {
    for (const text of ['first', 'second']) {
      const write = await runOn(database, 'update t set name = $1', { session: 'write', parameters: [text] });
      expect(write.outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
      for (const isStateless of [true, false]) expect(await name({ isStateless })).toEqual([[text]]);
    }
    expect(await standby?.psql('select name from t')).toBe('before');
    expect((await runOn(database, 'delete from t')).outcome.kind).toBe('read_only');
  }, 60_000);

  test('a preview shows rows as the primary has them, before the statement too', async () => {
    await runOn(database, 'update t set name = $1', { session: 'write', parameters: ['now'] });
    const preview = await previewing(() => database)("update t set name = 'next' where id = 1");
    expect(told(preview)).toEqual({ rows_affected: 1, before: [[1, 'now']], after: [[1, 'next']] });
    expect(await standby?.psql('select name from t')).toBe('before');
  }, 60_000);

  test('after statements that were stopped, each in another way, calls are answered and no child has ended', async () => {
    const sleep = 'select pg_sleep(5)';
    const expected: string[] = [];
    const ended: string[] = [];
    for (const isStateless of [true, false]) {
      const stopped = { isStateless, signal: AbortSignal.timeout(400) };
      const runs = [
        ['timeout', sleep, { isStateless, timeoutSeconds: 0.3 }],
        ['cancelled', sleep, stopped],
        ['done', 'select * from large', { isStateless, maxRows: 10 }],
        ['cancelled', sleep, { session: 'write', signal: AbortSignal.timeout(1_500) }],
      ] as const;
      for (const [kind, sql, more] of runs) {
        expected.push(kind, 'done');
        ended.push((await runOn(database, sql, more)).outcome.kind);
        const several = await Promise.all(Array.from({ length: 3 }, () => runOn(database, 'select count(*) from t')));
        const other = several.find(({ outcome }) => outcome.kind !== 'done');
        ended.push(JSON.stringify(other?.outcome) ?? 'done');
      }
    }
    expect(ended).toEqual(expected);
    await database.close();
    const active =
      "select query from pg_stat_activity where query ~ 'sleep|large' and state <> 'idle' and pid <> pg_backend_pid()";
    await until(async () => (await primary?.psql(active)) === '', 'nothing runs on', 30);
    expect(pgpool.said()).not.toMatch(/FATAL|exits with status/);
  }, 120_000);
});
