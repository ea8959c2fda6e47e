/** Previews of features that only SQLite has; `previews.test.ts` has those of every engine. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { notReturned } from '../../../daemon/engines/dialect.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { keyMoves, viewTarget } from '../../../daemon/engines/preview-plan.ts';
import { notShown } from '../../../daemon/statement/preview/rehearse.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { previewing, told } from '../preview-for-tests.ts';
import { openFile } from './engine.ts';
import { setUp, stateOf } from './preview-world.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const path = temporaryFolder();
let database: Database;
let before = '';
const file = () => path('preview.db');
const preview = previewing(() => database);

const state = () => stateOf(file());

beforeAll(() => {
  withDriver(file(), driver => driver.exec(setUp));
  database = openFile(file());
});
beforeEach(() => {
  before = state();
});
afterAll(() => database.close());

/** Also asserts that no byte of the file changed. */
async function previewed(sql: string): Promise<unknown> {
  const answer = told(await preview(sql));
  expect(state()).toBe(before);
  return answer;
}

describe('a preview on SQLite alone', () => {
  test.each<[string, string, unknown]>([
    [
      'UPDATE … FROM and an alias',
      "update item as i set name = t.note from tight as t where t.b = i.id and t.a = 'p'",
      {
        rows_affected: 2,
        before: [
          [1, 'ax', 1.5],
          [2, 'bow', 2.5],
        ],
        after: [
          [1, 'one', 1.5],
          [2, 'two', 2.5],
        ],
      },
    ],
    [
      'UPDATE with a WITH in front',
      'with x as (select 2 as id) update item set price = 0 where id in (select id from x)',
      { rows_affected: 1, before: [[2, 'bow', 2.5]], after: [[2, 'bow', 0]] },
    ],
    ['INSERT', "insert into item (name) values ('dice')", { rows_affected: 1, after: [[4, 'dice', null]] }],
    [
      'INSERT … SELECT',
      "insert into item (name, price) select name || '!', 9 from item where id < 3",
      {
        rows_affected: 2,
        after: [
          [4, 'ax!', 9],
          [5, 'bow!', 9],
        ],
      },
    ],
    [
      'an upsert',
      "insert into item (id, name) values (1, 'ax'), (9, 'new') on conflict (id) do update set price = 7",
      {
        rows_affected: 2,
        before: [[1, 'ax', 1.5]],
        after: [
          [1, 'ax', 7],
          [9, 'new', null],
        ],
        warnings: ['Rows removed because another unique value of theirs conflicted are not shown under before.'],
      },
    ],
    [
      'REPLACE',
      "replace into item values (2, 'bee', 1)",
      {
        rows_affected: 1,
        before: [[2, 'bow', 2.5]],
        after: [[2, 'bee', 1]],
        warnings: ['Rows removed because another unique value of theirs conflicted are not shown under before.'],
      },
    ],
    [
      'a REPLACE that gives the row in its way another key',
      "replace into item values (2, 'bee', 1) on conflict (id) do update set id = 12",
      {
        rows_affected: 1,
        warnings: [
          'Rows removed because another unique value of theirs conflicted are not shown under before.',
          notShown(keyMoves),
        ],
      },
    ],
    [
      'a table without a key of its own',
      'update loose set b = a',
      {
        rows_affected: 3,
        before: [
          [1, 'x'],
          [1, 'x'],
          [2, 'y'],
        ],
        after: [
          [1, 1],
          [1, 1],
          [2, 2],
        ],
      },
    ],
    [
      'a table without rowid',
      "update tight set note = 'new' where a = 'p' and b = 2",
      { rows_affected: 1, before: [['p', 2, 'two']], after: [['p', 2, 'new']] },
    ],
    [
      'an UPDATE of the key',
      'update item set id = id + 10 where id = 1',
      {
        rows_affected: 1,
        warnings: [notShown(keyMoves)],
      },
    ],
    [
      'an UPDATE of part of the key, in a list',
      "update tight set (note, b) = ('n', 7) where b = 1",
      {
        rows_affected: 1,
        warnings: [notShown(keyMoves)],
      },
    ],
    [
      'what triggers make of it',
      'update loud set n = 5 where id = 1',
      {
        rows_affected: 1,
        before: [[1, 1]],
        after: [[1, 105]],
        warnings: ['Triggers ran where they apply: "shout".'],
      },
    ],
    [
      'a view with an INSTEAD OF trigger',
      "insert into cheap values (null, 'egg')",
      {
        rows_affected: 0,
        warnings: [
          'Triggers ran where they apply: "into_cheap".',
          'rows_affected leaves out what INSTEAD OF triggers of the view do.',
          notShown(viewTarget),
        ],
      },
    ],
    [
      'a full-text table',
      "update words set body = 'bye'",
      { rows_affected: 1, warnings: [notShown('the target is a virtual table')] },
    ],
    [
      'rows that stay as they are',
      'update item set price = 2.5 where id < 3',
      { rows_affected: 2, before: [[1, 'ax', 1.5]], after: [[1, 'ax', 2.5]] },
    ],
    [
      'nothing but such rows',
      'update item set price = price',
      { rows_affected: 3, warnings: [notShown('none of those that were looked at changes')] },
    ],
  ])('%s', async (_, sql, wanted) => {
    expect(await previewed(sql)).toEqual(wanted);
  });

  test.each<[string, string, number, unknown, unknown]>([
    [
      'cascades of two levels that set off triggers, which set off others',
      "delete from chain_a where code = 'a'",
      1,
      { chain_a: [0, 1], chain_b: [0, 1], chain_c: [0, 2], chain_d: [3, 0], heard: [1, 1] },
      ['Triggers ran where they apply: "hears", "hears_on".'],
    ],
    [
      'REPLACE of rows by two keys',
      "replace into two_keys values (1, 12, 'z')",
      1,
      { two_keys: [0, 2] },
      ['Rows removed because another unique value of theirs conflicted are not shown under before.'],
    ],
  ])('%s: the rows of each table', async (_, sql, rows, changes, warnings) => {
    const answer = await preview(sql);
    if (typeof answer === 'string') throw new Error(answer);
    const found = (answer.changes ?? []).map(({ table, updated, deleted }) => [table, [updated, deleted]]);
    expect([answer.rows_affected, Object.fromEntries(found), answer.warnings]).toEqual([rows, changes, warnings]);
    expect(state()).toBe(before);
  });

  test('text after a comment without an end isn’t shown', async () => {
    expect(await previewed('delete from item where id = 2 /* without an end')).toEqual({
      rows_affected: 1,
      warnings: [notShown(notReturned)],
    });
  });

  test('a deferred key is checked only if the statement, a trigger or a cascade may break it', async () => {
    withDriver(path('deferring.db'), driver =>
      driver.exec(`create table root (id integer primary key); insert into root values (1), (2);
        create table middle (id integer primary key, root int references root on delete cascade); insert into middle values (5, 1), (6, 2);
        create table leaf (id integer primary key, middle int references middle deferrable initially deferred);
        insert into leaf values (7, 5);
        create table plain (id integer primary key, n int); insert into plain values (1, 1), (2, 2);
        create table bell (id integer primary key); create trigger rings after insert on bell begin insert into leaf values (8, 99); end;`),
    );
    const opened = openFile(path('deferring.db'));
    const ask = async (sql: string) => told(await previewing(() => opened)(sql));
    try {
      for (const sql of [
        'insert into leaf values (9, 99)',
        'delete from root where id = 1',
        'insert into bell values (1)',
      ])
        expect(await ask(sql)).toMatch(/commit would fail: FOREIGN KEY constraint failed/);
      expect(await ask('delete from root where id = 2')).toMatchObject({ rows_affected: 1 });
      // SQLite can't check a foreign key to a column that isn't unique: only statements that use it
      // fail.
      withDriver(path('deferring.db'), driver =>
        driver.exec(
          'create table misfit (id integer primary key, n int references plain (n) deferrable initially deferred)',
        ),
      );
      expect(await ask('update plain set n = 3 where id = 1')).toMatch(/foreign key mismatch/);
      expect(await ask('insert into root values (3)')).toEqual({ rows_affected: 1, after: [[3]] });
    } finally {
      await opened.close();
    }
  });

  test('an immediately broken constraint counts too', async () => {
    expect(await previewed("insert into item (name) values ('ax')")).toBe(
      'query_failed: UNIQUE constraint failed: item.name (SQLITE_CONSTRAINT_UNIQUE)',
    );
  });

  test('an error is about the text that the client wrote', async () => {
    expect(await previewed('delete from item where')).toBe('query_failed: incomplete input (SQLITE_ERROR)');
    expect(await previewed('delete from item where absent = 1')).toMatch(/^query_failed: no such column: absent/);
  });

  test('OR ROLLBACK and RAISE(ROLLBACK) end in their own failure', async () => {
    expect(await previewed("insert or rollback into item (name) values ('ax')")).toMatch(/^query_failed: UNIQUE/);
    expect(await previewed('update angry set id = 2')).toMatch(/^query_failed: no, never/);
    expect(await previewed("insert or ignore into item (name) values ('ax')")).toEqual({ rows_affected: 0 });
  });

  test("another program's lock is waited for two seconds", async () => {
    const other = new SqliteFile(file());
    other.exec('begin immediate');
    try {
      const start = performance.now();
      expect(await preview('delete from item')).toMatch(/^lock_timeout: .* 2 s /);
      expect(performance.now() - start).toBeGreaterThan(1_500);
    } finally {
      other.exec('rollback');
      other.close();
    }
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });
});
