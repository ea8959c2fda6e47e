/**
 * Nobody saw the end of a write: what the client is told, what the activity log says, and what the
 * database holds.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { connectionNames, describeWithThreeEngines, type ToolResult } from './three-engines.ts';

interface Row {
  readonly kind: string;
  readonly outcome: string | null;
  readonly reason: string | null;
}

describeWithThreeEngines('a write whose end nobody saw', three => {
  let token: string;

  beforeAll(async () => {
    token = (await three.mint('--scope', 'read-write')).token;
    for (const name of Object.values(connectionNames)) {
      const set = await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
      expect(set).toMatchObject({ code: 0 });
    }
  }, 60_000);

  beforeEach(async () => {
    await three.postgres.psql('drop table if exists t; create table t (a integer)', 'shop');
    await three.mariadb.client(
      'CREATE OR REPLACE TABLE my (a int primary key) ENGINE=MyISAM; CREATE OR REPLACE TABLE safe (a int) ENGINE=InnoDB',
      { database: 'shop' },
    );
  });

  const rowsFor = async (table: string): Promise<number> =>
    Number(await three.mariadb.ask(`select count(*) from ${table}`, 'shop'));
  const lastStatement = async (): Promise<Row | undefined> => {
    const { stdout } = await three.here(['activity', '--category', 'query', '--json']);
    return (JSON.parse(stdout) as Row[]).findLast(row => row.kind !== 'attempt');
  };
  /** Each separately: ALTER SYSTEM can't run in a transaction. */
  const configure = async (...changes: readonly string[]): Promise<void> => {
    for (const change of changes) await three.postgres.psql(`alter system ${change}`);
    await three.postgres.psql('select pg_reload_conf()');
  };
  const textOf = ({ content }: ToolResult) => content?.[0]?.text;
  const filling = (table: string) => `insert into ${table} select seq from seq_1_to_1000 where sleep(0.05) = 0`;
  /** Long enough for rows to be written. */
  const fills = (table: string) =>
    until(async () => {
      const sql = `select count(*) from information_schema.processlist where time_ms > 500 and info = '${filling(table)}'`;
      return (await three.mariadb.ask(sql)).trim() === '1';
    }, 'it runs');
  const unknown = { kind: 'outcome', outcome: 'unknown', reason: 'outcome_unknown' };

  test('a table without transactions, out of time: reported as perhaps changed', async () => {
    const result = await three.query(token, 'mysql', filling('my'), { timeout_seconds: 3 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^outcome_unknown: How the statement ended on "Maria" is not known, .*: it may have taken effect\. Look before you repeat it\.$/,
    );
    expect(await rowsFor('my')).toBeGreaterThan(0);
    expect(await lastStatement()).toMatchObject(unknown);
    expect((await three.here(['activity'])).stdout).toMatch(/execute_query +Maria +outcome unknown /);
  });

  test('a table with transactions, out of time: reported as stopped, and nothing remains', async () => {
    const result = await three.query(token, 'mysql', filling('safe'), { timeout_seconds: 3 });
    expect(textOf(result)).toMatch(/^timeout: .* 3 s, /);
    expect(await rowsFor('safe')).toBe(0);
    expect(await lastStatement()).toMatchObject({ outcome: 'error' });
  });

  test('a pause during a write: a rolled back one is an error, any other is unknown', async () => {
    for (const [table, outcome] of [
      ['safe', 'error'],
      ['my', 'unknown'],
    ] as const) {
      const running = three.query(token, 'mysql', filling(table)).catch(() => null);
      await fills(table);
      expect((await three.here(['pause'])).code).toBe(0);
      await running;
      await until(async () => (await three.running('mysql')).length === 0, 'it is stopped');
      expect((await three.here(['resume'])).code).toBe(0);
      await until(async () => (await lastStatement())?.outcome === outcome, `${table}: ${outcome}`);
      expect((await rowsFor(table)) > 0).toBe(outcome === 'unknown');
    }
  }, 90_000);

  test('a backend that freezes in COMMIT', async () => {
    // Its COMMIT waits for a standby that never comes. Deferred code runs before that.
    await configure("set synchronous_commit = 'on'", "set synchronous_standby_names = 'nobody'");
    const writing = three.query(token, 'postgres', 'insert into t values (1)', { timeout_seconds: 5 });
    let pid = 0;
    await until(async () => {
      pid = Number(
        await three.postgres.psql("select pid from pg_stat_activity where query = 'COMMIT' and state = 'active'"),
      );
      return pid !== 0;
    }, 'it commits');
    process.kill(pid, 'SIGSTOP');
    try {
      expect(textOf(await writing)).toMatch(
        /^outcome_unknown: .* it may have taken effect\. Look before you repeat it\.$/,
      );
      expect(await lastStatement()).toMatchObject(unknown);
    } finally {
      process.kill(pid, 'SIGCONT');
      await configure('reset synchronous_standby_names', 'reset synchronous_commit');
    }
    await until(async () => (await three.postgres.ask('select count(*) from t', 'shop')) === '1', 'it was committed');
  }, 90_000);

  test('the daemon stops during a write', async () => {
    const running = three.query(token, 'mysql', filling('my')).catch(() => null);
    await fills('my');
    expect((await three.run(['stop'])).code).toBe(0);
    await running;
    expect((await three.run(['start'])).code).toBe(0);
    expect(await rowsFor('my')).toBeGreaterThan(0);
    expect(await lastStatement()).toMatchObject(unknown);
  }, 60_000);
});
