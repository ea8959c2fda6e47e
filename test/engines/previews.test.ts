/**
 * Previews as each engine must give them: the same statements give the same previews. A feature of
 * one engine is in a test of its own.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readOnlySentences } from '../../daemon/clients/mcp/refusal-words.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { keyMoves, noKey, viewTarget } from '../../daemon/engines/preview-plan.ts';
import { notShown } from '../../daemon/statement/preview/rehearse.ts';
import type { Engine } from '../../shared/engine.ts';
import { beginsWith } from '../begins-with.ts';
import { needs } from '../needs.ts';
import { until } from '../waiting/until.ts';
import { call, collect } from './collecting-sink.ts';
import { previewWorld as mysql } from './mysql/preview-world.ts';
import { previewWorld as postgres } from './postgres/preview-world.ts';
import { previewing, told } from './preview-for-tests.ts';
import type { PreviewWorld } from './preview-world.ts';
import { previewWorld as sqlite } from './sqlite/preview-world.ts';

const moved = notShown(keyMoves);
const keyless = notShown(noKey);

for (const candidate of [sqlite(), postgres(), mysql()]) {
  if ('unavailable' in candidate) {
    needs(candidate.unavailable).describe(`previews: ${candidate.engine}`, () => test('all that is tested', () => {}));
  } else {
    describe(`previews: ${candidate.engine}`, () => suite(candidate));
  }
}

function suite(world: PreviewWorld): void {
  const { money, schema } = world;
  const preview = previewing(() => database);
  let database: Database;
  let before = '';

  beforeAll(async () => {
    await world.start();
    before = await world.state();
  }, 60_000);
  afterAll(() => world.stop(), 60_000);
  beforeEach(() => {
    database = world.open();
  });
  afterEach(() => database.close());

  /** Also asserts that no row changed and nothing is held. */
  async function previewed(sql: string): Promise<unknown> {
    const answer = told(await preview(sql));
    expect(await world.state()).toBe(before);
    await world.expectNothingHeld();
    return answer;
  }

  const here = <Case extends { readonly on?: readonly Engine[] }>(cases: readonly Case[]): readonly Case[] =>
    cases.filter(({ on }) => on?.includes(world.engine) ?? true);

  test.each(
    here<{ name: string; sql: string; wanted: unknown; on?: readonly Engine[] }>([
      {
        name: 'UPDATE',
        sql: "update item set price = price * 2 where name in ('ax', 'bow')",
        wanted: {
          rows_affected: 2,
          before: [
            [1, 'ax', money(1.5)],
            [2, 'bow', money(2.5)],
          ],
          after: [
            [1, 'ax', money(3)],
            [2, 'bow', money(5)],
          ],
        },
      },
      {
        name: 'DELETE',
        sql: "delete from item where name = 'cup'",
        wanted: { rows_affected: 1, before: [[3, 'cup', null]] },
      },
      { name: 'a cascade', sql: 'delete from parent where id = 2', wanted: { rows_affected: 1, before: [[2]] } },
      { name: 'nothing', sql: 'delete from item where id = 99', wanted: { rows_affected: 0 } },
      {
        name: 'RETURNING of its own',
        on: ['postgres', 'sqlite'],
        sql: 'update item set price = 1 where id < 3 returning name, price as p',
        wanted: {
          rows_affected: 2,
          before: [
            [1, 'ax', money(1.5)],
            [2, 'bow', money(2.5)],
          ],
          after: [
            [1, 'ax', money(1)],
            [2, 'bow', money(1)],
          ],
          returned: [
            ['ax', money(1)],
            ['bow', money(1)],
          ],
        },
      },
      {
        name: 'an UPDATE of a table without a key',
        on: ['postgres', 'mysql'],
        sql: "update loose set b = 'z' where a = 1",
        wanted: { rows_affected: 1, warnings: [keyless] },
      },
      {
        name: 'a DELETE from a table without a key',
        on: ['postgres', 'mysql'],
        sql: 'delete from loose where a = 1',
        wanted: { rows_affected: 1, warnings: [keyless] },
      },
      {
        name: 'what triggers make of it',
        on: ['postgres', 'mysql'],
        sql: 'update loud set n = 5 where id = 1',
        wanted: {
          rows_affected: 1,
          before: [[1, 1, 0]],
          after: [[1, 5, 1]],
          warnings: ['Triggers ran where they apply: "shouting".'],
        },
      },
      {
        name: 'a view',
        on: ['postgres', 'mysql'],
        sql: "update cheap set name = 'axe' where id = 1",
        wanted: { rows_affected: 1, warnings: [notShown(viewTarget)] },
      },
    ]),
  )('$name', async ({ sql, wanted }) => {
    expect(await previewed(sql)).toEqual(wanted);
  });

  test.each([
    '-- and a comment',
    ' -- returning',
    ' /* and a comment */',
    ';',
    ' ; -- ; delete from loud',
    "\n-- it's\n;",
    ...world.ends,
  ])('rows are returned after %j', async end => {
    expect(await previewed(`delete from item where id = 2${end}`)).toEqual({
      rows_affected: 1,
      before: [[2, 'bow', money(2.5)]],
    });
  });

  test.each(
    here<{ name: string; sql: string; changes: object; warnings?: readonly string[]; on?: readonly Engine[] }>([
      {
        name: 'ON UPDATE CASCADE, two levels',
        sql: "update chain_a set code = 'x' where code = 'a'",
        changes: { [`${schema}chain_a`]: [1, 0], [`${schema}chain_b`]: [1, 0], [`${schema}chain_d`]: [3, 0] },
        warnings: [moved],
      },
      {
        name: 'ON DELETE CASCADE and SET NULL, two levels',
        on: ['postgres', 'mysql'],
        sql: "delete from chain_a where code = 'a'",
        changes: {
          [`${schema}chain_a`]: [0, 1],
          [`${schema}chain_b`]: [0, 1],
          [`${schema}chain_c`]: [0, 2],
          [`${schema}chain_d`]: [3, 0],
        },
      },
    ]),
  )('$name: the rows of each table', async ({ sql, changes, warnings }) => {
    const answer = await preview(sql);
    if (typeof answer === 'string') throw new Error(answer);
    const found = (answer.changes ?? []).map(({ table, updated, deleted }) => [table, [updated, deleted]]);
    expect([answer.rows_affected, Object.fromEntries(found), answer.warnings]).toEqual([1, changes, warnings]);
    expect((await world.rowsReally?.(sql)) ?? 1).toBe(1);
    expect(await world.state()).toBe(before);
  });

  test('every row of 100,000', async () => {
    const answer = await preview('delete from big');
    expect(answer).toMatchObject({ class: 'destructive', rows_affected: 100_000, rolled_back: true });
    expect(told(answer)).toMatchObject({
      before: [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
        [5, 5],
      ],
    });
    const { rows } = await collect(database, 'select count(*), sum(n) from big');
    expect(rows.map(String)).toEqual(['100000,5000050000']);
    expect(await world.state()).toBe(before);
  }, 30_000);

  // MySQL checks each key at once.
  if (world.engine !== 'mysql') {
    test('a commit that would fail is a failure', async () => {
      const failure = /^query_failed: The statement itself ran, but its commit would fail: .*foreign key/i;
      expect(await previewed('insert into child values (2, 99)')).toMatch(failure);
      expect(await previewed('delete from parent where id = 1')).toMatch(failure);
      expect(await previewed('insert into child values (2, 1)')).toEqual({ rows_affected: 1, after: [[2, 1]] });
      if (world.engine !== 'postgres') return;
      const ofTrigger = /^query_failed: The statement itself ran, but its commit would fail: not on a Sunday/;
      expect(await previewed('insert into late values (1)')).toMatch(ofTrigger);
    });
  }

  test('a statement that is no data change is refused, with the right tool’s name', async () => {
    expect(await previewed('select 1')).toMatch(/^unsupported: .*execute_query/);
    expect(await previewed('drop table item')).toMatch(
      /^unsupported: .*itself an INSERT, UPDATE, DELETE, REPLACE or MERGE/,
    );
    for (const sql of ['delete from item; drop table item', ...world.noDataChanges])
      expect([sql, await previewed(sql)]).toEqual([sql, expect.stringMatching(/^unsupported: /)]);
  });

  test('a read-only connection has no previews', async () => {
    expect(await preview('delete from item where id = 1', { readOnly: true })).toMatch(
      beginsWith(`denied: ${readOnlySentences.connection.says}`),
    );
  });

  test("it waits two seconds for another session's lock", async () => {
    const other = world.open();
    const ended = await other.rehearse(
      { ...call, client: 'holder', signal: new AbortController().signal },
      async rehearsal => {
        const limits = { cellBytes: 1_000, wireBytes: 1_000_000 };
        const sql = 'update item set price = 3 where id = 1';
        await rehearsal.run({ sql, parameters: [], limits, ours: true }, { columns() {}, row: () => true });
        const start = performance.now();
        const answer = await preview('delete from item');
        return { answer, isLong: performance.now() - start > 1_500 };
      },
    );
    await other.close();
    const answer = expect.stringMatching(/^lock_timeout: .* 2 s /);
    expect(ended).toMatchObject({ kind: 'done', value: { answer, isLong: true } });
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('a client that leaves ends it in the server, and nothing remains', async () => {
    const leaving = new AbortController();
    const asked = preview(world.endless, { signal: leaving.signal });
    await until(() => world.isEndlessRunning(), 'the statement runs');
    leaving.abort();
    expect(await asked).toBe('cancelled');
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('long cells are cut and the answer stays within its bytes', async () => {
    const limits = { maxCellBytes: 100, maxAnswerBytes: 1_000 };
    const answer = await preview(world.longCell.sql, { limits });
    expect(JSON.stringify(answer).length).toBeLessThan(1_500);
    expect(told(answer)).toMatchObject(world.longCell.told);
  });
}
