/**
 * Both walls of one engine, each with the other off, and the two together behind `execute_query`
 * (spec §7). "Changed" is what the database itself shows afterwards: rows, catalog, large objects,
 * files, locks, sessions.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection, ExternalClientsLevel } from '../../daemon/access/connection.ts';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import { type Scope, scopes } from '../../daemon/access/tokens/token.ts';
import { executeQuery } from '../../daemon/clients/mcp/tools/execute-query.ts';
import type { Classified } from '../../daemon/engines/classified.ts';
import { decide } from '../../daemon/statement/decide.ts';
import { holdRows } from '../../daemon/statement/held-rows.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { principalWith } from '../access/principals.ts';
import { unheard, unrecorded } from '../activity/unrecorded.ts';
import { nobodyAnswers } from '../clients/mcp/nobody-answers.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { call, collect } from '../engines/collecting-sink.ts';
import { wrongInParts } from '../guard/worded.ts';
import { isMysql } from '../servers/mariadb.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import type { Gaps } from './gaps.ts';
import { statementsFor, type WallStatement } from './statements.ts';
import { changedParts, type World } from './world.ts';

const patienceMilliseconds = 240_000;
/**
 * A refused read is a failure here; a slow one isn't, for example 50 MB of text from SQLite on a
 * busy machine.
 */
const patienceSeconds = 30;
/**
 * How many statements run between two looks at the whole database, if none of them may change it.
 */
const batch = 20;

const classifier = judgingInThread();
const limits = defaultQueryLimits;

/** True for a read that MySQL doesn't have: its syntax or one of its functions. */
const isMariadbsOwn = (outcome: string): boolean => isMysql() && /\((1064|1305)\)$/.test(outcome);

export function prove(world: World, gaps: Readonly<Record<string, Gaps>>): void {
  const statements = statementsFor(world.engine).filter(
    ({ flavor }) => world.engine !== 'mysql' || flavor !== (isMysql() ? 'mariadb' : 'mysql'),
  );
  const decidable = statements.filter(({ decidedBy }) => decidedBy !== 'execution');

  beforeAll(() => world.start(), patienceMilliseconds);
  afterAll(() => world.stop(), patienceMilliseconds);

  async function classified(account: string, sql: string): Promise<Classified> {
    const found = await world.database(account).follow(classifier, call, sql);
    if (found.kind === 'classified') expect([sql, wrongInParts(found.classification)]).toEqual([sql, []]);
    return found;
  }

  /** The statements that changed the database, each run in a fresh one. */
  async function changing(
    account: string,
    given: readonly WallStatement[],
    run: (sql: string, statement: WallStatement) => Promise<unknown>,
    size = batch,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    let before = await world.state(account);
    for (let from = 0; from < given.length; from += size) {
      const some = given.slice(from, from + size);
      for (const statement of some) await run(world.place(statement.sql), statement);
      const parts = changedParts(before, await world.state(account).catch(() => ({ server: 'gone' })));
      if (parts.length === 0) continue;
      await world.reset();
      before = await world.state(account);
      if (size === 1) found.push(`${some[0]?.sql}: ${parts.join(', ')}`);
      else found.push(...(await changing(account, some, run, 1)));
    }
    return found;
  }

  describe.each(world.accounts)('%s', account => {
    const expected = gaps[account] ?? { runs: [], changes: [] };

    test(
      'the wall of the engine alone: it lets through what we say',
      async () => {
        const ran: string[] = [];
        const others = statements.filter(each => each.class !== 'read');
        const changed = await changing(
          account,
          others,
          async (sql, { sql: asListed, walls }) => {
            const { outcome } = await collect(world.database(account), sql, { timeoutSeconds: 5, most: 50 });
            if (outcome.kind === 'done' && walls === 'measured') ran.push(asListed);
          },
          1,
        );
        const asClassified = new Set(others.filter(({ walls }) => walls === 'measured').map(({ sql }) => sql));
        const statementOf = (line: string): string => line.slice(0, line.lastIndexOf(': '));
        const changedJudged = changed.filter(line => asClassified.has(statementOf(line)));
        expect(ran.filter(sql => !expected.runs.includes(sql) && !expected.changes.includes(sql))).toEqual([]);
        expect(changedJudged.filter(line => !expected.changes.includes(statementOf(line)))).toEqual([]);
        // A known gap must be seen: a look that sees nothing would prove nothing.
        expect(expected.changes.length > 0 && changedJudged.length === 0).toBe(false);
        // The classifier stops each of those, except the one that only privileges can stop.
        for (const statement of others.filter(each => [...expected.runs, ...expected.changes].includes(each.sql))) {
          if (statement.decidedBy === 'execution') continue;
          const found = await classified(account, world.place(statement.sql));
          expect([statement.sql, found]).not.toMatchObject([statement.sql, { classification: { class: 'read' } }]);
        }
        await world.reset();
      },
      patienceMilliseconds,
    );

    test(
      'the wall of the classifier alone: its reads change nothing in a session that may write',
      async () => {
        const reads: WallStatement[] = [];
        for (const statement of decidable) {
          const found = await classified(account, world.place(statement.sql));
          if (found.kind !== 'classified') throw new Error(`${statement.sql}: ${found.failure.kind}`);
          expect([statement.sql, found.classification.class]).toEqual([statement.sql, statement.class]);
          if (found.classification.class === 'read') reads.push(statement);
          const access = { kind: 'visible', level: 'readOnly', limitedBy: 'token', askFirst: false } as const;
          const { kind } = decide('execute_query', found.classification, access);
          expect([statement.sql, kind]).toEqual([statement.sql, statement.class === 'read' ? 'run' : 'refused']);
        }
        const changed = await changing(account, reads, sql =>
          collect(world.database(account), sql, { session: 'write', timeoutSeconds: 5, most: 50 }),
        );
        expect([reads.length > 0, changed]).toEqual([true, []]);
      },
      patienceMilliseconds,
    );

    const levels: readonly Connection['externalClients'][] = [
      { level: 'readOnly', writeUntil: null },
      { level: 'readWrite', writeUntil: '2026-11-20T11:59:59Z' },
      { level: 'readWrite', writeUntil: null },
    ];
    const rungs = scopes.flatMap(scope => levels.map(externalClients => ({ scope, externalClients })));

    test.each(rungs)(
      'both, behind execute_query: $scope, $externalClients',
      async ({ scope, externalClients }) => {
        const execute = await tool(account, scope, externalClients);
        const isWritable = scope !== 'readOnly' && mayWrite(externalClients);
        const beyond = decidable.filter(each => each.class !== 'write' || each.isCounted || !isWritable);
        const refusedReads: string[] = [];
        const allowedOthers: string[] = [];
        const changed = await changing(account, beyond, async (sql, statement) => {
          const outcome = await execute(sql);
          const isRefused = statement.class === 'read' && outcome !== 'success';
          if (isRefused && !isMariadbsOwn(outcome)) refusedReads.push(`${statement.sql}: ${outcome}`);
          if (statement.class !== 'read' && !isRefusal(outcome)) allowedOthers.push(`${statement.sql}: ${outcome}`);
        });
        expect({ refusedReads, allowedOthers, changed }).toEqual({ refusedReads: [], allowedOthers: [], changed: [] });
        if (!isWritable) return;
        const refusedWrites: string[] = [];
        const before = await world.state(account);
        for (const { sql } of decidable.filter(each => each.class === 'write' && !each.isCounted)) {
          const outcome = await execute(world.place(sql));
          if (isRefusal(outcome)) refusedWrites.push(`${sql}: ${outcome}`);
        }
        expect(refusedWrites).toEqual([]);
        expect(changedParts(before, await world.state(account))).not.toEqual([]);
        await world.reset();
      },
      patienceMilliseconds,
    );
  });

  async function tool(
    account: string,
    scope: Scope,
    externalClients: { level: ExternalClientsLevel; writeUntil: string | null },
  ): Promise<(sql: string) => Promise<string>> {
    const connections = await loadConnectionRegister({
      load: async () => [{ ...world.connection(account), externalClients }],
      save: async () => {},
      remove: async () => {},
      restore: async () => {},
      delete: async () => {},
    });
    const databases = { of: () => world.database(account), forget: async () => {}, close: async () => {} };
    const execute = executeQuery({
      connections,
      databases,
      classifier,
      limits: () => limits,
      now: () => now,
      elapsed: () => performance.now(),
      ...unrecorded,
      confirmation: nobodyAnswers(() => now),
      held: holdRows(() => performance.now()),
    });
    return async sql => {
      if (sql === '') return 'invalid_argument: the schema of the tool has no empty statement';
      const signal = new AbortController().signal;
      const request = {
        principal: principalWith({ scope }),
        client: 'walls',
        signal,
        progress: null,
        requestId: 'r',
        ...unheard,
        channel: { kind: 'none' },
        brought: null,
      } as const;
      const outcome = await execute.run(request, {
        connection: account,
        sql,
        timeout_seconds: patienceSeconds,
        max_rows: 50,
      });
      if (outcome.kind === 'success') return 'success';
      if (outcome.kind !== 'refused') return outcome.kind;
      return saidOf(outcome.refusal);
    };
  }
}

const now = Date.parse('2026-11-20T12:00:00Z');

function mayWrite({ level, writeUntil }: Connection['externalClients']): boolean {
  return level === 'readWrite' && (writeUntil === null || Date.parse(writeUntil) > now);
}

/** True if Sallyport refused, before the database ran it or before its COMMIT. */
function isRefusal(outcome: string): boolean {
  return /^(denied|unsupported|invalid_argument):/.test(outcome);
}
