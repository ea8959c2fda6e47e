/** The catalog of an SQLite file: each field of a description, with odd names and shadow tables. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { call } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
let database: Database;

beforeAll(() => {
  withDriver(at('schema.db'), driver => {
    driver.exec(`create table parent (a int, b text, primary key (b, a));
      create table "odd ""name'" (
        id integer primary key, label text not null default 'x', twice int as (id * 2) stored, thrice int as (id * 3),
        a int check (a <> 5 /* ) */), b text,
        constraint "the check" check (b <> ')' and (a > 0 or b = 'check (')), foreign key (b, a) references parent on delete cascade on update set null);
      create unique index by_label on "odd ""name'" (label, lower(b)) where a > 0;
      create trigger noted after insert on "odd ""name'" begin select 1; end;
      create table child (odd_id int references "odd ""name'" (id));
      create table keyed (k text primary key) without rowid;
      create view shown as select id, label from "odd ""name'";
      create virtual table searched using fts5(body);
      insert into parent values (1, 'p'), (2, 'q');
      create index parent_a on parent (a);
      analyze;
      create table gone (v);
      create view broken as select v from gone;
      drop table gone;`);
  });
  database = openFile(at('schema.db'));
});
afterAll(() => database.close());

const describeTable = async (name: string) => {
  const answer = await database.describeTables(call, [name], true);
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value[0];
};

test('tables, views and virtual tables, without SQLite’s own', async () => {
  const answer = await database.listTables(call);
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  // A broken view is listed like any other.
  expect(answer.value.map(({ name, kind, approximateRowCount }) => [name, kind, approximateRowCount])).toEqual([
    ['broken', 'view', null],
    ['child', 'table', null],
    ['keyed', 'table', null],
    [`odd "name'`, 'table', 0],
    ['parent', 'table', 2],
    ['searched', 'virtual_table', null],
    ['shown', 'view', null],
  ]);
});

test('everything about a table', async () => {
  const column = {
    nullable: true,
    default: null,
    generated: null,
    primaryKey: false,
    comment: null,
    allowedValues: null,
  };
  expect(await describeTable(`ODD "NAME'`)).toEqual({
    name: `odd "name'`,
    schema: 'main',
    kind: 'table',
    comment: null,
    columns: [
      { ...column, name: 'id', type: 'INTEGER', nullable: false, generated: 'by_default', primaryKey: true },
      { ...column, name: 'label', type: 'TEXT', nullable: false, default: "'x'" },
      { ...column, name: 'twice', type: 'INT', default: 'id * 2', generated: 'stored' },
      { ...column, name: 'thrice', type: 'INT', default: 'id * 3', generated: 'virtual' },
      { ...column, name: 'a', type: 'INT', comment: ')' },
      { ...column, name: 'b', type: 'TEXT' },
    ],
    primaryKey: ['id'],
    foreignKeys: [
      {
        name: null,
        columns: ['b', 'a'],
        referencedSchema: 'main',
        referencedTable: 'parent',
        referencedColumns: ['b', 'a'],
        onUpdate: 'SET NULL',
        onDelete: 'CASCADE',
      },
    ],
    referencedBy: [{ name: null, schema: 'main', table: 'child', columns: ['odd_id'], referencedColumns: ['id'] }],
    indexes: [
      {
        name: 'by_label',
        columns: ['label', '(expression)'],
        unique: true,
        method: 'btree',
        definition: expect.stringMatching(/^create unique index by_label on/i),
      },
    ],
    checks: [
      { name: null, expression: 'a <> 5 /* ) */' },
      { name: 'the check', expression: "b <> ')' and (a > 0 or b = 'check (')" },
    ],
    triggers: [{ name: 'noted', definition: expect.stringMatching(/^create trigger noted/i) }],
    partitioning: null,
    // With its indexes and triggers.
    ddl: expect.stringMatching(
      /^create table "odd ""name'"[\s\S]*;\ncreate unique index by_label[\s\S]*;\ncreate trigger noted/i,
    ),
    approximateRowCount: 0,
    isCounted: true,
    sizeBytes: expect.any(Number),
  });
});

test('the expressions of generated columns, whatever surrounds them', async () => {
  withDriver(at('schema.db'), driver => {
    driver.exec(`create table made (a int default (1 + 2) check (cast(a as int) > 0), -- as (comment)
      "b as (x)" text generated always /* as (no) */ as (lower(a || ') as (') || cast(a as text)) stored not null,
      [c,d] as (iif(a in (1, 2), (a), -a)), 'e' numeric(10, 2) as (a) check (e < 9), primary key (a));
      alter table made add column last as (a + 1)`);
  });
  const columns = (await describeTable('made'))?.columns.map(({ name, default: value }) => [name, value]);
  expect(columns).toEqual([
    ['a', '(1 + 2)'],
    ['b as (x)', "lower(a || ') as (') || cast(a as text)"],
    ['c,d', 'iif(a in (1, 2), (a), -a)'],
    ['e', 'a'],
    ['last', 'a + 1'],
  ]);
});

test('keys in their own order, and those of WITHOUT ROWID are not null', async () => {
  expect((await describeTable('parent'))?.primaryKey).toEqual(['b', 'a']);
  expect((await describeTable('keyed'))?.columns).toMatchObject([{ name: 'k', nullable: false }]);
});

test('a view and a virtual table', async () => {
  expect(await describeTable('shown')).toMatchObject({
    kind: 'view',
    columns: [{ name: 'id' }, { name: 'label' }],
    ddl: expect.stringMatching(/^create view/i),
    approximateRowCount: null,
    isCounted: false,
    sizeBytes: null,
  });
  expect(await describeTable('searched')).toMatchObject({ kind: 'virtual_table', columns: [{ name: 'body' }] });
});

test('no table, no description; another schema doesn’t exist', async () => {
  expect(await describeTable('by_label')).toBeNull();
  expect((await database.describeTables({ ...call, schema: 'public' }, ['parent'], true)).kind).toBe('unsupported');
  expect((await database.listTables({ ...call, schema: 'public' })).kind).toBe('unsupported');
});

test('a broken view, and a virtual table without its module, are described as far as possible, and so are others', async () => {
  withDriver(at('broken.db'), driver => {
    driver.exec(`create table orders (id integer primary key, of references broken);
      create table gone (v); create view broken as select v from gone; drop table gone;`);
    driver.enableDefensive(false);
    driver.exec(`pragma writable_schema = on;
      insert into sqlite_schema values ('table', 'alien', 'alien', 0, 'create virtual table alien using nowhere(a)')`);
  });
  const file = openFile(at('broken.db'));
  const answer = await file.describeTables(call, ['orders', 'broken', 'alien'], true);
  await file.close();
  expect(answer).toMatchObject({
    kind: 'done',
    value: [
      {
        comment: null,
        columns: [{ name: 'id' }, { name: 'of' }],
        foreignKeys: [{ referencedTable: 'broken', referencedColumns: [] }],
      },
      {
        kind: 'view',
        comment: "SQLite can't tell its columns: no such table: main.gone",
        columns: [],
        referencedBy: [{ table: 'orders', columns: ['of'] }],
        ddl: expect.stringMatching(/^create view broken/i),
      },
      {
        kind: 'virtual_table',
        comment: "SQLite can't tell its columns: no such module: nowhere",
        columns: [],
        ddl: expect.stringMatching(/^create virtual table/i),
      },
    ],
  });
});
