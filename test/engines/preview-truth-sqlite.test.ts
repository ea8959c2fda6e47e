/**
 * A preview tells what the statement then does: each is previewed, run for real on a copy, and
 * compared.
 */

import { copyFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cell } from '../../daemon/engines/row-text.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { previewing } from './preview-for-tests.ts';
import { openFile } from './sqlite/engine.ts';
import { temporaryFolder, withDriver } from './sqlite/temporary-folder.ts';

const path = temporaryFolder();
const setUp = `
create table t (id integer primary key, a int, b text unique);
insert into t with recursive c (i) as (select 1 union all select i + 1 from c where i < 12) select i, i % 4, 'b' || i from c;
create table u (x int, y int);
insert into u select id, a from t;
create table quiet (id integer primary key);
create trigger after_t after update on t when new.a = 3 begin update t set b = b || '!' where id = new.id and b not like '%!'; end;
create trigger gone_t after delete on t when old.a = 2 begin delete from t where id = old.id + 1; insert into quiet values (old.id); end;
`;

beforeAll(() => {
  withDriver(path('truth.db'), driver => driver.exec(setUp));
});

const value = fc.constantFrom(
  'a',
  'a + 1',
  '3',
  'null',
  'id',
  'id + 20',
  '-id',
  "b || 'x'",
  '(select max(x) from u)',
  'random()',
);
const condition = fc.constantFrom(
  ...['1', 'a = 1', 'a in (2, 3)', 'id % 2', 'random() % 2', 'id > (select min(y) from u)', "b like 'b1%'", 'id = 99'],
);
const table = fc.constantFrom('t', 'main.t', 'T', '"t"', 't as q');
const tail = fc.constantFrom('', ';', ' -- x', ' /* y */', ' ; -- z', '\n', ' returning a, id');
const update = fc
  .tuple(
    table,
    fc.constantFrom('a', 'b', 'id', '(a, b)'),
    value,
    condition,
    fc.constantFrom('', 'or ignore ', 'or replace '),
    tail,
  )
  .map(
    ([name, column, set, where, or, end]) =>
      `update ${or}${name} set ${column} = ${column === '(a, b)' ? `(${set}, ${set})` : set} where ${where}${end}`,
  );
const remove = fc.tuple(table, condition, tail).map(([name, where, end]) => `delete from ${name} where ${where}${end}`);
const insert = fc
  .tuple(
    fc.constantFrom('insert', 'insert or ignore', 'insert or replace', 'replace'),
    fc.constantFrom(
      "values (1, 1, 'n'), (40, 2, 'b3'), (41, 3, 'm')",
      'select id + 30, a, b || 1 from t',
      "values (null, 5, 'o')",
    ),
    tail,
  )
  .map(([verb, source, end]) => `${verb} into t ${source}${end}`);
const upsert = fc
  .tuple(fc.constantFrom('a', 'id', 'b'), value, tail)
  .map(
    ([column, set, end]) =>
      `insert into t values (1, 9, 'n'), (50, 9, 'p') on conflict (id) do update set ${column} = ${set === 'null' ? '0' : set}${end}`,
  );

const numberOf = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

function rowsById(file: string): Map<Cell, unknown[]> {
  return withDriver(
    file,
    driver =>
      new Map(
        (driver.rows('select * from t').map(row => row.map(numberOf)) as Cell[][]).map(row => [row[0] ?? null, row]),
      ),
  );
}

test('hundreds of statements', async () => {
  const original = path('truth.db');
  const database = openFile(original);
  const preview = previewing(() => database);
  const before = rowsById(original);
  try {
    await fc.assert(
      fc.asyncProperty(fc.oneof(update, remove, insert, upsert), async sql => {
        const told = await preview(sql);
        expect(rowsById(original)).toEqual(before);
        const copy = path('copy.db');
        copyFileSync(original, copy);
        const real = new SqliteFile(copy);
        let changes: number | string;
        try {
          const statement = real.prepare(sql);
          if (statement.columns().length > 0) statement.all();
          else statement.run();
          changes = Number(real.value('select changes()'));
        } catch (error) {
          changes = String(error);
        }
        real.close();
        // It may break a rule one time and not the next.
        const isRandom = sql.includes('random');
        if (typeof told === 'string') {
          if (!isRandom) expect([sql, typeof changes]).toEqual([sql, 'string']);
          return;
        }
        if (!isRandom) expect([sql, told.rows_affected]).toEqual([sql, changes]);
        for (const row of told.before?.rows.cells() ?? [])
          expect([sql, row]).toEqual([sql, before.get(row[0] ?? null)]);
        if (isRandom) return;
        const after = rowsById(copy);
        for (const row of told.after?.rows.cells() ?? []) expect([sql, row]).toEqual([sql, after.get(row[0] ?? null)]);
        if (sql.startsWith('delete')) {
          for (const row of told.before?.rows.cells() ?? [])
            expect([sql, after.has(row[0] ?? null)]).toEqual([sql, false]);
        }
      }),
      { numRuns: 400 },
    );
  } finally {
    await database.close();
  }
}, 120_000);
