/**
 * Threat: a client of a MySQL or MariaDB connection reads what nobody may, or changes more than it
 * was allowed. It uses names that mean something else, code stored in the database, plans and
 * errors. Everything is classified and run as in the daemon; then the tests look at the server
 * itself.
 */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { callOf } from '../../daemon/statement/call.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { type RunPorts, type RunResult, runStatement } from '../../daemon/statement/run-statement.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker, unrecorded } from '../activity/unrecorded.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { needs } from '../needs.ts';
import { mariadbUnavailable } from '../servers/mariadb.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { attacksByNames } from './guard-mysql-names.ts';
import { type Attack, attacks, honestReads, honestWrites } from './guard-mysql-own.ts';
import { type Account, accounts, type GuardWorld, startGuardWorld, tried } from './guard-mysql-world.ts';

const missing = process.env.SALLYPORT_TEST_MYSQL === undefined ? mariadbUnavailable() : null;
let world: GuardWorld;
beforeAll(async () => {
  if (missing === null) world = await startGuardWorld();
}, 120_000);
afterAll(() => world?.stop(), 60_000);

const classifier = judgingInThread();

async function run(
  account: Account,
  level: 'readOnly' | 'readWrite',
  {
    sql,
    database = null,
    schema = null,
  }: { readonly sql: string; readonly database?: string | null; readonly schema?: string | null },
): Promise<RunResult> {
  const opened = world.database(account);
  const ports: RunPorts = {
    databases: { of: () => opened, forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => ({ ...defaultQueryLimits, defaultSeconds: 5 }),
    elapsed: () => performance.now(),
    ...unrecorded,
  };
  const call = callOf(ports, {
    resolved: {
      connection: connectionWith({
        engine: 'mysql',
        database: 'adv',
        databases: 'all',
        externalClients: { level, writeUntil: null },
      }),
      access: { kind: 'visible', level, limitedBy: 'connection', askFirst: false },
    },
    origin: someAsker,
    client: 'test',
    sql: world.place(sql),
    schema,
    database,
    signal: new AbortController().signal,
  });
  const result = await runStatement(ports, 'execute_query', call);
  const told = JSON.stringify(result);
  for (const secret of world.secrets) {
    if (told.includes(secret)) shown.push(`${account}: ${sql}`);
  }
  return result;
}

/** Statements whose answer or error held something planted. */
let shown: string[] = [];
afterEach(() => {
  expect(shown).toEqual([]);
  shown = [];
});

/**
 * True if the gate stopped it. A refusal of the server itself means the gate let it through, unless
 * this server lacks what it names.
 */
function isRefused(result: RunResult): boolean {
  if (result.kind !== 'refused') return false;
  const told = saidOf(result.refusal);
  const isAbsent = !world.isMariadb && /adv\.(v_seq|p_dyn)' doesn't exist|adv\.(p_dyn) does not exist/.test(told);
  return isAbsent || /^(?:denied|unsupported): /.test(told);
}

const sentence = (result: RunResult): string => (result.kind === 'refused' ? saidOf(result.refusal) : result.kind);

function changed(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  parts: readonly string[],
): string[] {
  return parts.filter(part => before[part] !== after[part]);
}

const all: readonly Attack[] = [...tried, ...attacks, ...attacksByNames];
/** MySQL's grants show no hash. */
const here = (): readonly Attack[] => all.filter(({ sql }) => world.isMariadb || !sql.startsWith('SHOW GRANTS'));
/** What an ordinary write may never touch. */
const guarded = ['accounts', 'grants', 'code', 'variables', 'locks', 'files', 'routines', 'triggers', 'events'];
const everything = ['rows', 'tables', 'columns', 'views', 'schemas', ...guarded];

needs(missing).describe('attacks', () => {
  test.each(accounts)(
    'as %s, read only: nothing changes, and nothing above a read runs',
    async account => {
      await world.reset();
      const before = await world.state();
      const ran: string[] = [];
      for (const attack of here()) {
        const result = await run(account, 'readOnly', attack);
        if (!isRefused(result) && attack.expect !== 'read')
          ran.push(`${attack.expect}: ${attack.sql} (${sentence(result)})`);
      }
      expect(ran).toEqual([]);
      expect(changed(before, await world.state(), everything)).toEqual([]);
    },
    240_000,
  );

  test.each(accounts)(
    'as %s, read and write: nothing runs that needs an approval',
    async account => {
      await world.reset();
      const before = await world.state();
      const ran: string[] = [];
      for (const attack of here()) {
        const result = await run(account, 'readWrite', attack);
        if (!isRefused(result) && attack.expect === 'never without a yes')
          ran.push(`${attack.sql} (${sentence(result)})`);
      }
      expect(ran).toEqual([]);
      const after = await world.state();
      expect(changed(before, after, guarded)).toEqual([]);
      // Rows and definitions may be new, but none that existed is gone.
      for (const part of ['tables', 'columns', 'views'] as const) {
        const [old, now] = [before, after].map(state =>
          JSON.parse(state[part] ?? '[]').map((row: unknown) => JSON.stringify(row)),
        );
        expect(old.filter((row: string) => !now.includes(row))).toEqual([]);
      }
    },
    240_000,
  );
});

needs(missing).describe('an account that may not see code', () => {
  test('reads nothing through it, since nobody knows what it does with its owner’s rights', async () => {
    await world.reset();
    const before = await world.state();
    const ran: string[] = [];
    for (const attack of here()) {
      const result = await run('blind', 'readOnly', attack);
      if (!isRefused(result) && attack.expect !== 'read')
        ran.push(`${attack.expect}: ${attack.sql} (${sentence(result)})`);
    }
    for (const sql of ['SELECT order_total(3)', 'SELECT * FROM by_customer', "CALL get_report('ann')"]) {
      expect(sentence(await run('blind', 'readOnly', { sql }))).toMatch(/^denied: .*cannot be looked into/);
    }
    expect(ran).toEqual([]);
    expect(changed(before, await world.state(), everything)).toEqual([]);
    // Its effect can't be counted, so it isn't started.
    expect(sentence(await run('blind', 'readWrite', { sql: 'SELECT f_setg()' }))).toMatch(/can be counted/);
    expect(changed(before, await world.state(), guarded)).toEqual([]);
  }, 240_000);
});

needs(missing).test(
  'the password of a table on another server isn’t shown',
  async () => {
    if (!(await world.hasRemoteTable())) return;
    for (const sql of ['SHOW CREATE TABLE remote', 'SHOW TABLE STATUS', 'SELECT * FROM information_schema.TABLES'])
      await run('root', 'readOnly', { sql });
    expect(isRefused(await run('root', 'readOnly', { sql: 'SHOW CREATE TABLE remote' }))).toBe(true);
    const context = { principal: null, client: 'test', database: null, schema: null, timeoutSeconds: 5 };
    // The first has no ENGINE= in a definition, the second TYPE= instead.
    for (const mode of ['ANSI', 'MYSQL40', 'DEFAULT']) {
      await world.inMode(mode, async database => {
        const told = await database.describeTables(
          { ...context, signal: new AbortController().signal },
          ['remote'],
          true,
        );
        expect(told).toMatchObject({ kind: 'done', value: [{ name: 'remote', ddl: null }] });
        expect(JSON.stringify(told)).not.toContain(world.secrets[0]);
      });
    }
  },
  60_000,
);

needs(missing).test(
  'no table of the server shows statements of other sessions, but their digests can be read',
  async () => {
    await world.reset();
    const listed = await run('root', 'readOnly', {
      sql: "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('performance_schema', 'information_schema', 'sys', 'mysql')",
    });
    if (listed.kind !== 'done') throw new Error(sentence(listed));
    const names = listed.resultSet.rows.cells().map(([schema, name]) => `${schema}.${name}`);
    expect(names.length).toBeGreaterThan(150);
    // The rows may hold anything: each test checks `shown` at its end.
    for (const name of names) await run('root', 'readOnly', { sql: `SELECT * FROM ${name}` });
    const digests =
      'SELECT digest_text, count_star * 2, sum_timer_wait FROM performance_schema.events_statements_summary_by_digest ORDER BY 2 DESC LIMIT 5';
    expect(sentence(await run('root', 'readOnly', { sql: digests }))).toBe('done');
    expect(
      sentence(
        await run('root', 'readOnly', {
          sql: 'SELECT COUNT(*) FROM performance_schema.events_statements_summary_by_digest d',
        }),
      ),
    ).toBe('done');
    expect(sentence(await run('root', 'readOnly', { sql: 'SELECT * FROM sys.statement_analysis LIMIT 2' }))).toBe(
      'done',
    );
  },
  120_000,
);

needs(missing).describe('honest statements', () => {
  test.each(accounts)(
    'as %s: reports, introspection and plans are read, and data is written',
    async account => {
      await world.reset();
      const refused: string[] = [];
      const reads = [...honestReads.both, ...honestReads[world.isMariadb ? 'mariadb' : 'mysql']];
      for (const sql of reads) {
        const result = await run(account, 'readOnly', { sql });
        if (result.kind !== 'done') refused.push(`${sql}: ${sentence(result)}`);
      }
      for (const sql of account === 'app'
        ? honestWrites.filter(each => !/^(CREATE|ALTER|RENAME)|made/.test(each))
        : honestWrites) {
        const result = await run(account, 'readWrite', { sql });
        if (result.kind !== 'done') refused.push(`${sql}: ${sentence(result)}`);
      }
      expect(refused).toEqual([]);
    },
    120_000,
  );
});
