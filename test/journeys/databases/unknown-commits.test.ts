/**
 * Nobody saw a COMMIT's end, and PostgreSQL can be asked: the client's next statement, the history
 * and the activity log say what became of it, also over a kill and a stop of the daemon.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { modern, send } from '../../clients/http/wire.ts';
import { type CuttableLine, openLine } from '../../servers/cuttable-line.ts';
import { until } from '../../waiting/until.ts';
import { describeWithThreeEngines, succeeds, type ToolResult } from './three-engines.ts';

/** The whole text: a look-up before the statement begins with READ COMMITTED. */
const theCommit = 'COMMIT\0';

describeWithThreeEngines('a COMMIT whose end nobody saw', three => {
  let token: string;
  let others: string;
  let url: string;
  let line: CuttableLine;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await three.home.moveToOwnPort()}/mcp`;
    ({ token } = await three.mint('--scope', 'read-write'));
    ({ token: others } = await three.mint('--name', 'others', '--scope', 'full-access'));
  }, 60_000);

  beforeEach(async () => {
    await three.postgres.psql('drop table if exists t; create table t (a integer)', 'shop');
    line = await openLine(three.postgres.port);
    const at = `postgresql://${three.postgres.superuser}@127.0.0.1:${line.port}/shop`;
    const words = ['--name', 'Far', '--tls', 'disable', '--external-clients', 'read-write', '--password-stdin'];
    await succeeds(three.here(['connections', 'add', at, ...words], three.postgres.password));
  }, 60_000);

  afterEach(async () => {
    await three.here(['connections', 'remove', 'Far']);
    await line.close();
  }, 60_000);

  const call = async (name: string, args: Record<string, unknown>, by = token): Promise<ToolResult> =>
    (await send(url, modern(by, 'tools/call', { name, arguments: { connection: 'Far', ...args } }))).json
      .result as ToolResult;
  const query = (sql: string, by = token) => call('execute_query', { sql, timeout_seconds: 2 }, by);
  const textOf = ({ content }: ToolResult) => content?.[0]?.text ?? '';
  const rows = () => three.postgres.ask('select count(*) from t', 'shop');
  const history = async () => {
    const { structuredContent } = await call('search_query_history', { query: 'insert' });
    const { statements } = structuredContent as unknown as { statements: { statement: string; outcome: string }[] };
    const [newest] = statements;
    return newest;
  };
  const logged = async () => {
    const { stdout } = await three.here(['activity', '--category', 'query', '--json']);
    const all = JSON.parse(stdout) as {
      number: number;
      attempt: number;
      kind: string;
      outcome: string;
      reason: string;
    }[];
    const attempt = all.findLast(({ kind }) => kind === 'attempt')?.number;
    return all.filter(row => row.attempt === attempt).map(({ outcome, reason }) => `${outcome}: ${reason}`);
  };
  const unseen = /^outcome_unknown: .* it may have taken effect\. Look before you repeat it\.$/;
  const told = (fate: string) =>
    new RegExp(`^How your execute_query of \\S+Z ended was not known then; the server says now that it ${fate}`);

  test('its answer is swallowed: it was done', async () => {
    line.set({ bytes: theCommit, passesThem: true, how: 'silent', once: true });
    expect(textOf(await query('insert into t values (1)'))).toMatch(unseen);
    expect(await history()).toMatchObject({ statement: 'insert into t values (1)', outcome: 'unknown' });
    // Another client's statement asks the server; its client is told nothing of it.
    expect((await query('select a from t', others)).structuredContent?.warnings).toBeUndefined();
    const looked = (await query('select a from t')).structuredContent;
    expect(looked).toMatchObject({ rows: [[1]], warnings: [expect.stringMatching(told('was done\\.$'))] });
    expect((await query('select a from t')).structuredContent?.warnings).toBeUndefined();
    expect(await history()).toMatchObject({ outcome: 'success' });
    expect(await logged()).toEqual([
      'unknown: outcome_unknown',
      'success: asked later, the server says that it was committed',
    ]);
    expect((await three.here(['activity', 'verify'])).code).toBe(0);
  }, 60_000);

  test('it is swallowed on its way: it was not done, and a failing statement says so too', async () => {
    line.set({ bytes: theCommit, passesThem: false, how: 'silent', once: true });
    expect(textOf(await query('insert into t values (1)'))).toMatch(unseen);
    await until(async () => {
      const open = "select count(*) from pg_stat_activity where state = 'idle in transaction'";
      return (await three.postgres.ask(open)) === '0';
    }, 'the server has ended its session');
    expect(textOf(await query('select nothing from t'))).toMatch(
      /^query_failed: .*nothing.*How your execute_query .* was not done/s,
    );
    expect(await rows()).toBe('0');
    expect(await history()).toMatchObject({ outcome: 'rolled_back' });
    expect(await logged()).toEqual([
      'unknown: outcome_unknown',
      'error: asked later, the server says that it was not committed',
    ]);
  }, 60_000);

  test('the daemon is killed in COMMIT, which waits for a standby', async () => {
    for (const change of ["set synchronous_commit = 'on'", "set synchronous_standby_names = 'nobody'"])
      await three.postgres.psql(`alter system ${change}`);
    await three.postgres.psql('select pg_reload_conf()');
    try {
      void query('insert into t values (2)').catch(() => {});
      await until(async () => {
        const sql = "select count(*) from pg_stat_activity where query = 'COMMIT' and wait_event = 'SyncRep'";
        return (await three.postgres.ask(sql)) === '1';
      }, 'it commits');
      // Its row of the history is written every so often.
      await until(async () => (await history())?.statement === 'insert into t values (2)', 'it is in the history');
      await three.home.end('SIGKILL');
    } finally {
      for (const change of ['synchronous_standby_names', 'synchronous_commit'])
        await three.postgres.psql(`alter system reset ${change}`);
      await three.postgres.psql('select pg_reload_conf()');
    }
    await until(async () => (await rows()) === '1', 'it was committed');
    await succeeds(three.run(['start']));
    expect(await history()).toMatchObject({ statement: 'insert into t values (2)', outcome: 'unknown' });
    expect(await query('select a from t')).toMatchObject({
      structuredContent: { rows: [[2]], warnings: [expect.stringMatching(told('was done'))] },
    });
    expect(await history()).toMatchObject({ statement: 'insert into t values (2)', outcome: 'success' });
    expect(await logged()).toEqual(['success: asked later, the server says that it was committed']);
  }, 90_000);

  test('a stop keeps what is not known yet, and a line that another program edited counts for nothing', async () => {
    const kept = join(three.home.home, 'unfinished');
    line.set({ bytes: theCommit, passesThem: true, how: 'silent', once: true });
    expect(textOf(await query('insert into t values (3)'))).toMatch(unseen);
    await succeeds(three.run(['stop']));
    const text = readFileSync(kept, 'utf8');
    expect(text.trim().split('\n')).toHaveLength(1);
    writeFileSync(kept, text.replace('execute_query', 'export_data___'));
    await succeeds(three.run(['start']));
    expect((await query('select a from t')).structuredContent?.warnings).toBeUndefined();
    expect(await logged()).toEqual(['unknown: outcome_unknown']);
    await succeeds(three.run(['stop']));
    writeFileSync(kept, text, { mode: 0o600 });
    await succeeds(three.run(['start']));
    expect((await query('select a from t')).structuredContent?.warnings).toEqual([
      expect.stringMatching(told('was done')),
    ]);
    expect(await logged()).toHaveLength(2);
  }, 90_000);
});
