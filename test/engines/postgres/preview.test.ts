/** Previews of features that only PostgreSQL has; `previews.test.ts` has those of every engine. */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { keyMoves, vagueKey } from '../../../daemon/engines/preview-plan.ts';
import { notShown } from '../../../daemon/statement/preview/rehearse.ts';
import { previewing, told } from '../preview-for-tests.ts';
import { expectNothingHeldOn, setUp, stateOf } from './preview-world.ts';
import { describeWithPostgres } from './suite.ts';

describeWithPostgres('a preview on PostgreSQL alone', suite => {
  let database: Database;
  let before = '';
  const preview = previewing(() => database);

  beforeAll(async () => {
    await suite.server.psql(setUp);
    before = await stateOf(suite.server);
  }, 60_000);
  beforeEach(() => {
    database = suite.open();
  });

  /** Also asserts that no row changed and nothing is held. */
  async function previewed(sql: string): Promise<unknown> {
    const answer = told(await preview(sql));
    expect(await stateOf(suite.server)).toBe(before);
    await expectNothingHeldOn(suite.server);
    return answer;
  }

  const sequences =
    'Values taken from sequences ("public.item_id_seq") stay used up: a rollback does not give them back.';

  test.each<[string, string, unknown]>([
    [
      'UPDATE … FROM, an alias and a WITH',
      'with x as (select 2 as id) update item as "I" set name = l.b from loose l, x where l.a = "I".id and x.id = l.a',
      { rows_affected: 1, before: [[2, 'bow', '2.50']], after: [[2, 'y', '2.50']] },
    ],
    [
      'a WHERE that chance decides',
      'update item set price = 0 where random() < 2',
      {
        rows_affected: 3,
        before: [
          [1, 'ax', '1.50'],
          [2, 'bow', '2.50'],
          [3, 'cup', null],
        ],
        after: [
          [1, 'ax', '0.00'],
          [2, 'bow', '0.00'],
          [3, 'cup', '0.00'],
        ],
      },
    ],
    [
      'DELETE … USING',
      'delete from item using loose where loose.a = item.id and loose.b = $$y$$',
      { rows_affected: 1, before: [[2, 'bow', '2.50']] },
    ],
    [
      'a key of three columns, of types that are hard to write',
      `update other."It em" set n = n + 1`,
      {
        rows_affected: 1,
        before: [['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', expect.any(String), '9007199254740993']],
        after: [['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', expect.any(String), '9007199254740994']],
      },
    ],
    [
      'INSERT with a key of its own',
      "insert into item values (70, 'dice', 1)",
      { rows_affected: 1, after: [[70, 'dice', '1.00']] },
    ],
    [
      'an upsert',
      "insert into item values (1, 'ax', 5), (71, 'new', 5) on conflict (id) do update set price = excluded.price",
      {
        rows_affected: 2,
        before: [[1, 'ax', '1.50']],
        after: [
          [1, 'ax', '5.00'],
          [71, 'new', '5.00'],
        ],
      },
    ],
    [
      'a data change in WITH',
      'with gone as (delete from loose returning a) insert into item select a + 80, b from gone, (select 1::text as b) x where a = 1',
      {
        rows_affected: 1,
        after: [[81, '1', null]],
        warnings: ['rows_affected leaves out what the WITH queries change.'],
      },
    ],
    [
      'an UPDATE of the key',
      'update item set (price, id) = (1, id + 50) where id = 3',
      {
        rows_affected: 1,
        warnings: [notShown(keyMoves)],
      },
    ],
    [
      'a partitioned table, with rows that move',
      "update whole set kind = 'b' where id = 1",
      {
        rows_affected: 1,
        warnings: [notShown(keyMoves)],
      },
    ],
    [
      'a parent whose children share its keys',
      "update animal set name = 'x'",
      {
        rows_affected: 2,
        warnings: [notShown(vagueKey)],
      },
    ],
    [
      'MERGE',
      'merge into item using loose on item.id = loose.a when matched then delete when not matched then do nothing',
      {
        rows_affected: 2,
        warnings: [notShown('MERGE does not tell which rows it changes')],
      },
    ],
    [
      'a table with rules',
      'insert into ruled values (1)',
      { rows_affected: 1, warnings: [notShown('rules of the table may rewrite the statement')] },
    ],
    [
      'a function of a user',
      "update item set name = loud_name('bow') where id = 1",
      {
        rows_affected: 1,
        before: [[1, 'ax', '1.50']],
        after: [[1, 'BOW', '1.50']],
        warnings: ['Functions ran for real ("loud_name"): what they did outside this database is not rolled back.'],
      },
    ],
    [
      'a WHERE that reads statistics',
      "delete from item where id = 99 and pg_stat_get_numscans('item'::regclass) >= 0 and pg_stat_have_stats('database', 1, 0)",
      { rows_affected: 0 },
    ],
  ])('%s', async (_, sql, wanted) => {
    expect(await previewed(sql)).toEqual(wanted);
  });

  test('its effect on rows by table, with cascades and triggers, and whether execute_query would refuse it', async () => {
    expect(await preview('delete from parent where id = 2')).toMatchObject({
      changes: [
        { table: 'public.follower', updated: 1, deleted: 0 },
        { table: 'public.parent', updated: 0, deleted: 1 },
      ],
    });
    expect(await preview('delete from parent where id = 2')).not.toHaveProperty('refused_because');
    expect(await preview("insert into item (name) values ('new')")).not.toHaveProperty('changes');
    expect(await preview('update loud set n = 5 where id in (id)')).toMatchObject({
      class: 'write',
      changes: [{ table: 'public.loud', updated: 2, deleted: 0 }],
      refused_because: expect.stringMatching(
        /^execute_query would refuse it: it would have changed every row of "public.loud" \(2 rows updated\)\./,
      ),
    });
    expect(await preview('delete from loud')).not.toHaveProperty('refused_because');
    expect(await stateOf(suite.server)).toBe(before);
  });

  test.each<[string, string, unknown, unknown]>([
    [
      'a trigger at the commit that sets off another, and takes a value from a sequence',
      'update deep_a set n = 9 where id = 1',
      { 'public.deep_a': [1, 0], 'public.deep_c': [1, 0] },
      [
        'Triggers ran where they apply: "first_step", "never", "second_step".',
        'Values taken from sequences ("public.deep_b_id_seq") stay used up: a rollback does not give them back.',
      ],
    ],
    ['no row', 'update deep_a set n = 9 where id = 99', {}, undefined],
  ])('%s: the rows of each table', async (_, sql, changes, warnings) => {
    const answer = await preview(sql);
    if (typeof answer === 'string') throw new Error(answer);
    const found = (answer.changes ?? []).map(({ table, updated, deleted }) => [table, [updated, deleted]]);
    expect([Object.fromEntries(found), answer.warnings]).toEqual([changes, warnings]);
    expect(await stateOf(suite.server)).toBe(before);
  });

  test('a comment without an end is no statement', async () => {
    expect(await previewed('delete from item where id = 2 /* open')).toMatch(/^unsupported: /);
  });

  test('INSERT uses up values of its sequence, and says so', async () => {
    const last = Number(await suite.server.psql('select last_value from item_id_seq'));
    expect(await previewed("insert into item (name) values ('dice'), ('egg')")).toEqual({
      rows_affected: 2,
      after: [
        [last + 1, 'dice', null],
        [last + 2, 'egg', null],
      ],
      warnings: [sequences],
    });
    expect(Number(await suite.server.psql('select last_value from item_id_seq'))).toBe(last + 2);
  });

  test('a statement that a rollback can’t undo isn’t run', async () => {
    expect(await previewed("insert into outside values ('x')")).toMatch(/^unsupported: outside is a foreign table/);
    expect(await previewed('update mirrored set id = 2 where id = 1')).toMatch(
      /^unsupported: outside is a foreign table/,
    );
    expect(await previewed("insert into partly values (1, 'f')")).toMatch(/^unsupported: partly_f is a foreign table/);
    expect(await previewed("update item set price = setval('counted', 100) where id = 1")).toMatch(
      /^unsupported: setval /,
    );
    expect(await suite.server.psql('select last_value, is_called from counted')).toBe('1|f');
    expect(
      await previewed("update item set name = pg_logical_emit_message(false, 'a', 'b')::text where id = 1"),
    ).toMatch(/^unsupported: pg_logical_emit_message writes to the server's log/);
  });

  test('a role that may not read gets only the number of rows, and so does one behind a row policy', async () => {
    database = suite.open({ user: 'narrow' }, 'narrow-only');
    const why = notShown('this role may not read all rows of the table');
    expect(await previewed("insert into item (name) values ('dice')")).toEqual({
      rows_affected: 1,
      warnings: [sequences, why],
    });
    expect(await previewed("update walled set who = 'narrow'")).toEqual({ rows_affected: 1, warnings: [why] });
  });

  test('a role that may only read, and a statement that takes too long', async () => {
    await suite.server.psql(
      "create role reader login superuser password 'narrow-only'; alter role reader set default_transaction_read_only = on",
    );
    database = suite.open({ user: 'reader' }, 'narrow-only');
    expect(await previewed('delete from item')).toMatch(/^denied: The database itself lets this connection only read/);
    database = suite.open();
    const limits = { defaultSeconds: 0.5 };
    expect(await preview('update item set price = (select 1 from pg_sleep(60))', { limits })).toMatch(
      /^timeout: .* 0\.5 s, /,
    );
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });
});
