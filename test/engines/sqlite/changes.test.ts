/**
 * What SQLite says before the COMMIT about the rows that a statement changed; a denial rolls all of
 * it back.
 */

import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CallClock } from '../../../daemon/engines/call-clock.ts';
import type { Database, RowCounts, StatementRequest } from '../../../daemon/engines/engine.ts';
import { needsLinux } from '../../needs.ts';
import { call, collect } from '../collecting-sink.ts';
import { sqliteChildren } from './busy-children.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
const numbers = (most: number) => `with recursive c(i) as (select 1 union all select i + 1 from c where i < ${most})`;

const setUp = `
create table t (id integer primary key, a int, b text unique);
insert into t ${numbers(12)} select i, i % 4, 'b' || i from c;
create table single (id integer primary key, a); insert into single values (1, 1);
create table parent (id integer primary key, n); insert into parent values (1, 1), (2, 2), (3, 3);
create table child (id integer primary key, p references parent on delete cascade on update cascade);
insert into child ${numbers(6)} select i, 1 + i % 3 from c;
create table grandchild (c references child on delete set null); insert into grandchild select id from child;
create table tree (id integer primary key, up references tree on delete cascade);
insert into tree ${numbers(5)} select i, nullif(i - 1, 0) from c;
create table words (k text, r real, v, primary key (k, r)) without rowid;
insert into words values ('a', 0.1, 1), ('a', 0.10000000000000002, 2), (cast(x'6100' as text), 1, 3);
create table taken (id integer primary key on conflict replace, v); insert into taken values (1, 1), (2, 2), (3, 3);
create table hidden (rowid, _rowid_, oid); insert into hidden values (1, 1, 1), (2, 2, 2);
create table huge (id integer primary key, v);
insert into huge values (9007199254740992, 1), (9007199254740993, 2), (9007199254740994, 3);
create table counted (id integer primary key autoincrement, v, slug);
create table stats (name text primary key, n); insert into stats values ('counted', 0), ('others', 0);
create table audit (what);
create trigger counted_in after insert on counted begin
  update counted set slug = 's' || new.id where id = new.id;
  update stats set n = n + 1 where name = 'counted';
  insert into audit values (new.id);
end;
create table noted (id integer primary key, v);
create trigger noted_in after insert on noted begin insert or replace into stats values ('counted', new.id); end;
create table ignoring (id integer primary key, v); insert into ignoring values (1, 1), (2, 2), (3, 3);
create trigger ignoring_up after update on ignoring begin select raise(ignore); end;
create view seen as select id, a from t;
create trigger seen_del instead of delete on seen begin delete from t where id = old.id; end;
create virtual table ft using fts5(body); insert into ft(rowid, body) values (1, 'x'), (2, 'y'), (3, 'z');
create virtual table ext using fts5(b, content='t', content_rowid='id'); insert into ext(ext) values ('rebuild');
create virtual table old using fts4(body); insert into old values ('x'), ('y');
create virtual table no_text using fts5(b, content='', contentless_delete=1); insert into no_text(rowid, b) values (1, 'x'), (2, 'y');
create virtual table older using fts3(body); insert into older values ('x'), ('y');
create virtual table box using rtree(id, x0, x1); insert into box ${numbers(60)} select i, i, i + 1 from c;
create virtual table named using rtree(id, x0, x1, +label, +more); insert into named ${numbers(60)} select i, i, i + 1, 'n', null from c;
create virtual table area using geopoly(label, more);
insert into area(_shape, label) ${numbers(60)} select format('[[%d,0],[%d,0],[%d,1],[%d,0]]', i, i + 1, i, i), 'n' from c;
create table noting (id integer primary key, b);
create virtual table noted_in_text using fts5(b, content='noting', content_rowid='id');
create trigger noting_in after insert on noting begin insert into noted_in_text(rowid, b) values (new.id, new.b); end;
create trigger noting_up after update on noting begin
  insert into noted_in_text(noted_in_text, rowid, b) values ('delete', old.id, old.b);
  insert into noted_in_text(rowid, b) values (new.id, new.b);
end;
insert into noting values (1, 'x'), (2, 'y'), (3, 'z');
create view both as select id, a from t;
create trigger both_in instead of insert on both begin
  insert into t(id, a) values (new.id, new.a);
  insert into named values (new.id, new.a, new.a + 1, 'v', 'w');
  update named set label = 'z' where id = 1;
end;
`;

beforeAll(() => {
  withDriver(at('made.db'), driver => driver.exec(setUp));
});

let copies = 0;
function copied(): string {
  const path = at(`copy${++copies}.db`);
  copyFileSync(at('made.db'), path);
  return path;
}

async function changesOf(path: string, sql: string, wanted = false) {
  const database = openFile(path);
  const changes = await changesIn(database, sql, wanted);
  await database.close();
  return changes;
}

async function changesIn(database: Database, sql: string, wanted: boolean) {
  const told: RowCounts[] = [];
  const mayCommit = (changes: RowCounts) => {
    told.push(changes);
    return wanted;
  };
  const { outcome } = await collect(database, sql, { session: 'write', mayCommit });
  return { outcome, told };
}

/** Table, updated, deleted, and what it means for the whole table. */
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['insert into t values (99, 1, null)', []],
  ['insert into t default values returning id', []],
  ['update t set a = 1 where id = 3', ['t 1 0']],
  ['update t set a = a where id in (id)', ['t 12 0 whole']],
  ['update t set id = id + 100', ['t 12 0 whole']],
  ['update t set id = id + 100 where id < 12', ['t 11 0']],
  ['delete from t where id <> 12', ['t 0 11']],
  ['; /* x */ delete from t where rowid > -1', ['t 0 12 whole emptied']],
  ['delete from t', ['t 0 12 whole emptied']],
  ['delete from t where coalesce(1, id) returning id', ['t 0 12 whole emptied']],
  ['delete from single where id = 1', ['single 0 1']],
  ['update single set a = a + 1', ['single 1 0']],
  ["insert into t select id, a, 'c' || id from t where true on conflict (id) do update set a = 0", ['t 12 0 whole']],
  ["insert into t values (1, 1, 'z'), (77, 1, 'q') on conflict (id) do update set a = 0", ['t 1 0']],
  ['insert into t values (1, 1, null) on conflict do nothing', []],
  ["replace into t select id, a, 'new' || id from t", ['t 0 12 whole']],
  ['replace into t select id + 100, a, b from t', ['t 0 12 whole']],
  ["insert or replace into t values (3, 3, 'b4')", ['t 0 2']],
  ["replace into t values (300, 3, 'new')", []],
  ["update or replace t set b = 'same' where id < 12", ['t 11 10 whole']],
  ["insert into taken values (1, 'x'), (2, 'y'), (3, 'z')", ['taken 0 3 whole']],
  ["insert into taken values (1, 'x'), (9, 'y')", ['taken 0 1']],
  ['delete from parent where id = 1', ['parent 0 1', 'child 0 2', 'grandchild 2 0']],
  ['update parent set id = id + 10 where id = 1', ['parent 1 0', 'child 2 0']],
  ['replace into parent values (1, 9)', ['parent 0 1', 'child 0 2', 'grandchild 2 0']],
  ['delete from tree where id = 1', ['tree 0 5 whole emptied']],
  ['delete from tree where id = 3', ['tree 0 3']],
  ['update words set v = 0 where v > 0', ['words 3 0 whole']],
  ['update words set v = 0 where v = 1', ['words 1 0']],
  ["replace into words values ('a', 0.1, 5)", ['words 0 1']],
  ['update hidden set rowid = 5 where oid = 1', ['hidden 1 0']],
  ['update huge set v = 0 where id > 0', ['huge 3 0 whole']],
  [`insert into counted (v) ${numbers(5_000)} select i from c`, ['stats 1 0']],
  [`insert into counted (v) values ${Array.from({ length: 5_000 }, () => '(1)').join()}`, ['stats 1 0']],
  [`insert into noted (v) ${numbers(500)} select i from c`, ['stats 0 1']],
  [`insert into audit ${numbers(5_000)} select i from c`, []],
  ['update ignoring set v = 9 where id > 0', ['ignoring 3 0 whole']],
  ['delete from seen where id is not null', ['t 0 12 whole emptied']],
  ['delete from seen where id = 1', ['t 0 1']],
  ["update ft set body = 'w' where rowid = 1", ['ft 1 0']],
  ["update ft set body = 'w' where rowid > 0", ['ft 3 0 whole']],
  ["delete from ft where body match 'x OR y OR z'", ['ft 0 3 whole emptied']],
  ["insert into ft(body) values ('more')", []],
  ['update or replace ft set rowid = rowid + 10', ['ft 3 0 whole']],
  ["replace into ft(rowid, body) values (1, 'more'), (2, 'more'), (3, 'more')", ['ft 0 3 whole']],
  ["insert into ft(ft) values ('rebuild')", []],
  ["insert into ft(ft) values ('optimize')", []],
  ["insert into ext(ext) values ('rebuild')", []],
  [`; INSERT INTO main."EXT" ([ext]) /* anew */ VALUES('rebuild'); -- it`, []],
  ["insert into ext(ext) values ('re' || 'build')", ['ext 12 0 whole']],
  ["insert into ext(ext) select 'rebuild'", ['ext 12 0 whole']],
  ["insert or ignore into ext(ext) values ('rebuild')", ['ext 12 0 whole']],
  ["insert into ext(ext, rank) values ('rebuild', 0)", ['ext 12 0 whole']],
  ["insert into ext(ext) values ('rebuild'), ('delete-all')", ['ext 0 12 whole emptied']],
  ["insert into ext(ext) values ('delete-' || 'all')", ['ext 0 12 whole emptied']],
  ["insert into ext(ext, rowid, b) select 'delete', id, b from t", ['ext 0 12 whole emptied']],
  ["insert into ext(ext, rowid, b) select 'delete', id, b from t where id = 3", ['ext 0 1']],
  ["update old set body = 'w' where rowid > 0", ['old 2 0 whole']],
  ['delete from box where id > 0', ['box 0 60 whole emptied']],
  ['delete from box where id = 3', ['box 0 1']],
  ['update box set x0 = 0 where id < 60', ['box 59 0']],
  [`insert into box ${numbers(500)} select i + 100, i, i + 1 from c`, []],
  [`insert into named ${numbers(500)} select i + 100, i, i + 1, 'm', i from c`, []],
  ['insert into named(id, x0, x1) values (99, 1, 2)', []],
  ["insert or replace into named values (3, 1, 2, 'again', 1)", ['named 0 1']],
  ["update named set more = 'm' where id < 3", ['named 2 0']],
  ['update named set more = null, label = null', ['named 60 0 whole']],
  ['update named set x0 = 0 where id < 60', ['named 59 0']],
  ['delete from named where id <> 3', ['named 0 59']],
  ["insert into area(_shape, label, more) values ('[[0,0],[1,0],[0,1],[0,0]]', 'a', 'b')", []],
  [
    `insert into area(_shape) ${numbers(500)} select format('[[%d,0],[%d,0],[%d,1],[%d,0]]', i, i + 1, i, i) from c`,
    [],
  ],
  ["update area set more = 'b' where rowid < 3", ['area 2 0']],
  ["update area set _shape = '[[0,0],[1,0],[0,1],[0,0]]' where rowid > 0", ['area 60 0 whole']],
  ['delete from area where rowid < 4', ['area 0 3']],
  ["insert into no_text(rowid, b) values (9, 'z')", []],
  ["update no_text set b = 'w' where rowid = 1", ['no_text 1 0']],
  ['delete from no_text where rowid = 1', ['no_text 0 1']],
  ["insert into older values ('z')", []],
  ["update older set body = 'w' where rowid = 1", ['older 1 0']],
  ["insert into noting values (9, 'w')", []],
  ["update noting set b = 'w' where id = 1", ['noted_in_text 1 0', 'noting 1 0']],
  ['insert into both values (99, 1)', ['named 1 0']],
  ['create table made as select * from t', []],
  // A view has no rows of its own.
  ['drop view seen', []],
  ['explain delete from t', []],
  ['pragma user_version = 4', []],
];

describe('a denial undoes', () => {
  // One child for all of them: none leaves anything behind.
  let uncommitted: Database;
  beforeAll(() => {
    uncommitted = openFile(copied());
  });
  afterAll(() => uncommitted.close());

  test.each(cases.map(([sql, expected]) => [sql.slice(0, 120), sql, expected] as const))(
    '%s',
    async (_, sql, expected) => {
      const { outcome, told } = await changesIn(uncommitted, sql, false);
      expect(outcome).toEqual({ kind: 'not_committed', remains: [] });
      expect(told).toHaveLength(1);
      const shown = told[0]?.tables.map(({ table, updated, deleted, isEmptied, isChangedWhole }) =>
        [table, updated, deleted, ...(isChangedWhole ? ['whole'] : []), ...(isEmptied ? ['emptied'] : [])].join(' '),
      );
      expect(shown?.sort()).toEqual([...expected].sort());
      expect(told[0]?.uncounted).toBeNull();
    },
  );
});

test('a table that is dropped takes all of its rows', async () => {
  const path = copied();
  const rows = withDriver(path, driver => driver.value('select count(*) from t'));
  const { told } = await changesOf(path, 'drop table t');
  expect(rows).toBeGreaterThan(1);
  expect(told).toEqual([
    {
      tables: expect.arrayContaining([expect.objectContaining({ table: 't', deleted: rows, isEmptied: true })]),
      uncounted: null,
    },
  ]);
});

test.each([
  [
    "update sqlite_sequence set seq = 0 where name = 'counted'",
    "it writes to sqlite_sequence, a table of SQLite's own",
  ],
])('%s isn’t counted, and says so', async (sql, uncounted) => {
  const path = copied();
  withDriver(path, driver => driver.exec('insert into counted (v) values (1)'));
  const { outcome, told } = await changesOf(path, sql);
  expect(outcome).toEqual({ kind: 'not_committed', remains: [] });
  expect(told).toEqual([{ tables: expect.anything(), uncounted }]);
});

test('a full-text table of one row is emptied by a command', async () => {
  const path = copied();
  withDriver(path, driver =>
    driver.exec("create virtual table alone using fts5(b, content=''); insert into alone(rowid, b) values (1, 'x')"),
  );
  const { told } = await changesOf(path, "insert into alone(alone) values ('delete-all')");
  expect(told[0]?.tables).toMatchObject([{ table: 'alone', deleted: 1, isEmptied: true }]);
});

test('rows of a virtual table without a row table aren’t counted', async () => {
  const path = copied();
  withDriver(path, driver => driver.exec("create virtual table bare using fts5(b, content='', columnsize=0)"));
  const { told } = await changesOf(path, "insert into bare(rowid, b) values (1, 'x')");
  expect(told[0]?.uncounted).toBe("rows of the virtual table bare can't be counted");
});

test('an approval commits, rows and all; a denial leaves all bytes', async () => {
  const path = copied();
  const all = () => withDriver(path, driver => driver.rows('select * from t'));
  const before = all();
  await changesOf(path, 'delete from t where id > 3 returning id, b');
  expect(all()).toEqual(before);
  const { outcome, told } = await changesOf(path, 'delete from t where id > 3', true);
  expect(outcome).toMatchObject({ kind: 'done', rowsAffected: 9 });
  expect(told).toHaveLength(1);
  expect(all()).toHaveLength(3);
});

test('a session without a question counts nothing and commits', async () => {
  const path = copied();
  const database = openFile(path);
  const { outcome } = await collect(database, 'delete from t', { session: 'write' });
  await database.close();
  expect(outcome).toMatchObject({ kind: 'done', rowsAffected: 12 });
});

test('a statement can’t report rows in place of the triggers', async () => {
  const sql =
    "update t set a = (select count(*) from pragma_function_list where name like 'sallyport%') where id > 0 returning (select name from sqlite_temp_schema)";
  const { told } = await changesOf(copied(), sql);
  expect(told[0]?.tables).toEqual([{ table: 't', updated: 12, deleted: 0, isEmptied: false, isChangedWhole: true }]);
  // The name differs in each statement.
  const names = await Promise.all(
    [1, 2].map(async () => {
      const database = openFile(copied());
      const given = { session: 'write', mayCommit: () => true } as const;
      const { rows } = await collect(
        database,
        'update t set a = 1 where id = 1 returning (select name from sqlite_temp_schema)',
        given,
      );
      await database.close();
      return rows;
    }),
  );
  expect(names[0]).not.toEqual(names[1]);
});

test.each<[string, Partial<StatementRequest>]>([
  ['a write that asks', { session: 'write' }],
  ['a write that asks nothing', { session: 'write', mayCommit: undefined }],
  ['a statement of its own', { session: 'alone', mayCommit: undefined }],
])('%s may stay as soon as its child can end it', async (_what, changed) => {
  const database = openFile(copied());
  const clock = new CallClock(() => performance.now(), 20);
  let sent: boolean | null = null;
  // Before anything else of the child can be read.
  const look = () => setImmediate(() => (sent = clock.mayStay));
  const mayCommit = () => {
    expect(clock.mayStay).toBe(false);
    look();
    return true;
  };
  await collect(database, 'select 1');
  const write = collect(database, 'delete from t where id = 1', { clock, mayCommit, ...changed });
  if ('mayCommit' in changed) look();
  expect((await write).outcome.kind).toBe('done');
  expect([sent, clock.mayStay]).toEqual([true, true]);
  await database.close();
});

needsLinux.test('a child killed while it waits for the answer commits nothing', async () => {
  const path = copied();
  const database = openFile(path);
  const mayCommit = () => {
    // It waits at its pipe; everything is done except the commit.
    for (const pid of waiting) process.kill(pid, 'SIGKILL');
    return true;
  };
  await collect(database, 'select 1');
  const waiting = (await sqliteChildren()).map(({ pid }) => pid);
  expect(waiting).toHaveLength(1);
  const { outcome } = await collect(database, 'delete from t where id > 1', { session: 'write', mayCommit });
  expect(outcome).toMatchObject({ kind: 'query_failed', message: expect.stringContaining('nothing of it stays') });
  await database.close();
  expect(withDriver(path, driver => driver.value('select count(*) from t'))).toBe(12);
});

test('a client that leaves before the answer commits nothing', async () => {
  const path = copied();
  const database = openFile(path);
  const client = new AbortController();
  const mayCommit = () => {
    client.abort();
    return false;
  };
  const given = { session: 'write', mayCommit, signal: client.signal } as const;
  const { outcome } = await collect(database, 'delete from t where id > 1', given);
  expect(outcome).toEqual({ kind: 'cancelled' });
  await database.close();
  expect(withDriver(path, driver => driver.value('select count(*) from t'))).toBe(12);
});

test('many rows in transit don’t answer in place of the daemon', async () => {
  const path = copied();
  withDriver(path, driver => driver.exec(`insert into audit ${numbers(3_000)} select i from c`));
  const { outcome, told } = await changesOf(path, "update audit set what = what || 'x' where what > 0 returning *");
  expect(outcome).toEqual({ kind: 'not_committed', remains: [] });
  expect(told[0]?.tables).toMatchObject([{ table: 'audit', updated: 3_000, isChangedWhole: true }]);
});

test('a rehearsal reports the same', async () => {
  const database = openFile(copied());
  const limits = { cellBytes: 999, wireBytes: 99_999 };
  const sink = { columns() {}, row: () => true };
  const answer = await database.rehearse(call, async rehearsal => {
    await rehearsal.run({ sql: 'savepoint s', parameters: [], ours: true, limits }, sink);
    await rehearsal.run({ sql: 'delete from parent where id = 1', parameters: [], ours: false, limits }, sink);
    const changes = await rehearsal.rowCounts?.();
    await rehearsal.run({ sql: 'rollback to s', parameters: [], ours: true, limits }, sink);
    return changes;
  });
  await database.close();
  expect(answer).toMatchObject({
    kind: 'done',
    value: {
      kind: 'done',
      value: {
        uncounted: null,
        tables: expect.arrayContaining([expect.objectContaining({ table: 'grandchild', updated: 2 })]),
      },
    },
  });
});

/**
 * In every case each changed or deleted row is counted, and so is each table that was emptied or
 * changed entirely.
 */
test('nothing is left out', async () => {
  const table = fc.constantFrom(
    't',
    'parent',
    'child',
    'tree',
    'words',
    'taken',
    'huge',
    'stats',
    'ignoring',
    'mixed',
    'linked',
  );
  const condition = fc.constantFrom(
    '1',
    'rowid > -1',
    'id in (id)',
    'id <> 2',
    'v % 2',
    'a = 1',
    'random() % 2',
    'coalesce(1, id)',
  );
  const column = fc.constantFrom('id', 'a', 'v', 'b', 'n', 'k', 'u', 'p');
  const value = fc.constantFrom('id + 1', '-id', '1', 'null', 'id', "'x'", 'v + 1', 'random() % 3');
  const or = fc.constantFrom('', '', 'or ignore ', 'or replace ', 'or fail ');
  const statement = fc.oneof(
    fc
      .tuple(or, table, column, value, condition)
      .map(([how, on, name, set, where]) => `update ${how}${on} set ${name} = ${set} where ${where}`),
    fc.tuple(table, condition).map(([on, where]) => `delete from ${on} where ${where}`),
    fc
      .tuple(
        fc.constantFrom('insert', 'insert or replace', 'replace', 'insert or ignore'),
        table,
        table,
        fc.constantFrom('', ' on conflict do update set id = id', ' on conflict do update set v = 7'),
      )
      .map(([verb, to, from, conflict]) => `${verb} into ${to} select * from ${from} where true${conflict}`),
    fc
      .tuple(
        fc.constantFrom('insert', 'replace'),
        fc.constantFrom('(1, 2, 3)', '(2, 2, 3), (9, 9, 9)', '(1, 1), (2, 5)', '(3, 1), (4, 1)'),
      )
      .chain(([verb, rows]) => table.map(on => `${verb} into ${on} values ${rows}`)),
  );
  const more = `
    create table mixed (id integer primary key, u unique, v); insert into mixed values (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4);
    create table linked (id integer primary key, v references mixed (u) on delete set null on update cascade); insert into linked values (1, 1), (2, 2), (3, null);
    create trigger mixed_up after update on mixed begin update mixed set v = v + 1 where id = new.id + 1; end;
    create trigger mixed_in before insert on mixed begin delete from taken where id = new.id; replace into stats values (new.id, 1); end;
    create trigger taken_del after delete on taken begin update or replace mixed set u = old.id where id = 4; insert or replace into huge values (old.id, 1); end;`;
  const base = at('random.db');
  copyFileSync(at('made.db'), base);
  withDriver(base, driver => driver.exec(more));
  const path = at('random-now.db');
  const database = openFile(path);
  const rowsIn = () =>
    withDriver(path, driver => {
      const names = driver.values(
        "select name from sqlite_schema where type = 'table' and rootpage > 0 and name not like '%\\_%' escape '\\'",
      );
      const keyed = (name: string) => (name === 'words' ? '' : name === 'hidden' ? '' : 'rowid as key, ');
      return new Map(
        names
          .map(String)
          .map(name => [name, driver.rows(`select ${keyed(name)}* from "${name}"`).map(row => String(row))]),
      );
    });
  let ran = 0;
  try {
    await fc.assert(
      fc.asyncProperty(statement, async sql => {
        copyFileSync(base, path);
        const before = rowsIn();
        let told: RowCounts | null = null;
        const mayCommit = (changes: RowCounts) => {
          told = changes;
          return true;
        };
        const { outcome } = await collect(database, sql, { session: 'write', mayCommit });
        if (outcome.kind !== 'done') return;
        ran += 1;
        const after = rowsIn();
        const { tables, uncounted } = told as unknown as RowCounts;
        expect(uncounted).toBeNull();
        for (const [name, rows] of before) {
          const now = after.get(name) ?? [];
          const kept = new Set(now);
          const lost = rows.filter(row => !kept.has(row)).length;
          const said = tables.find(changed => changed.table === name);
          const { updated = 0, deleted = 0, isEmptied = false, isChangedWhole = false } = said ?? {};
          expect([name, lost, updated + deleted >= lost]).toEqual([name, lost, true]);
          if (rows.length > 1)
            expect([name, isEmptied, isChangedWhole || lost < rows.length]).toEqual([name, now.length === 0, true]);
          // Nothing is invented: at most as many rows as there were.
          if (said !== undefined && isEmptied) expect(deleted).toBeGreaterThan(1);
        }
      }),
      { numRuns: 400 },
    );
  } finally {
    await database.close();
  }
  expect(ran).toBeGreaterThan(100);
}, 120_000);
