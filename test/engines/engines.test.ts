/** What each engine must do in the same way, with its own statements (engine-under-test.ts). */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, RowSink } from '../../daemon/engines/engine.ts';
import { writtenName } from '../../daemon/engines/object-name.ts';
import { growthWhile } from '../memory-growth.ts';
import { needs } from '../needs.ts';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';
import { call, collect } from './collecting-sink.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { engineUnderTest as mysql } from './mysql/engine.ts';
import { engineUnderTest as postgres } from './postgres/engine.ts';
import { engineUnderTest as sqlite } from './sqlite/engine.ts';

/** The servers list their own; SQLite's come from its documentation. */
const keywords = {
  postgres: { sql: 'select word from pg_get_keywords()', words: [] },
  mysql: { sql: 'select word from information_schema.keywords', words: [] },
  sqlite: {
    sql: "select 'abort'",
    words:
      'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using vacuum values view virtual when where window with without'.split(
        ' ',
      ),
  },
} as const satisfies Record<string, { sql: string; words: readonly string[] }>;

const done = { kind: 'done', cutByWire: false };
/** Far above the goal and far below the statement's own time: the machine may be busy. */
const soonMilliseconds = 8_000;
const daemonGrowthBytes = 64 * 1024 * 1024;

const candidates = [
  ...[sqlite(), postgres(), mysql()].map(engine => ({ engine, name: engine.engine as string })),
  ...[postgres(true), mysql(true)].map(engine => ({ engine, name: `${engine.engine} with turned settings` })),
];

for (const { engine, name } of candidates) {
  if ('unavailable' in engine) {
    needs(engine.unavailable).describe(name, () => test('all tests of an engine', () => {}));
  } else {
    describe(name, () => suite(engine));
  }
}

function suite(engine: EngineUnderTest): void {
  const { cases } = engine;
  const quoted = (name: string) => (engine.engine === 'mysql' ? `\`${name}\`` : `"${name}"`);
  let database: Database;

  beforeAll(async () => {
    await engine.start();
    await engine.execute('create table looped_parent (id integer primary key, name varchar(40) not null)');
    await engine.execute(
      'create table looped_child (id integer primary key, parent_id integer, foreign key (parent_id) references looped_parent (id))',
    );
    await engine.execute("insert into looped_parent (id, name) values (1, 'one')");
    await engine.execute('create view looped_view as select id, name from looped_parent');
    database = engine.open();
  }, 120_000);

  afterAll(async () => {
    await database?.close();
    await engine.stop();
  }, 60_000);

  const countParents = async () => Number((await collect(database, 'select count(*) from looped_parent')).rows[0]?.[0]);
  const expectUsable = async () => expect((await collect(database, 'select 1')).rows).toHaveLength(1);
  const expectNothingRunning = () =>
    until(
      async () => (await engine.runningStatements()).length === 0,
      'nothing runs in the database',
      soonMilliseconds / 1000,
    );
  const untilItRuns = () => until(async () => (await engine.runningStatements()).length > 0, 'the statement runs');

  test('a name as we write it works in a statement, even if it is a keyword of the server', async () => {
    const words = keywords[engine.engine].words;
    const asked = await collect(database, keywords[engine.engine].sql);
    const all = [...new Set([...words, ...asked.rows.map(([word]) => String(word).toLowerCase())])];
    expect(all.length).toBeGreaterThan(100);
    const broken: string[] = [];
    for (const word of all.filter(word => /^[a-z_]\w*$/.test(word))) {
      const name = writtenName(database.dialect, word);
      const sql = `with ${name} as (select 7 as ${name}) select ${name}, 1 from ${name} where ${name} = 7 group by ${name} order by ${name}`;
      const { rows } = await collect(database, sql);
      if (String(rows[0]?.[0]) !== '7') broken.push(word);
    }
    expect(broken).toEqual([]);
  });

  test('status names the server', async () => {
    const status = await database.status(call);
    expect(status).toMatchObject({ kind: 'done', value: { serverVersion: expect.stringMatching(/\d+\.\d+/) } });
  });

  describe('values', () => {
    test.each(Object.entries(cases.values))('%s', async (_, { sql, parameters = [], columns, rows }) => {
      const answer = await collect(database, sql, { parameters });
      expect(answer.outcome).toMatchObject(done);
      expect(answer.rows).toEqual(rows);
      if (columns) expect(answer.columns).toEqual(columns);
    });
    test.each([
      ['duplicate column names', cases.duplicateColumnNames],
      ['an empty column name', cases.emptyColumnName],
      ['an empty result with its columns', cases.emptyResult],
      ['bound parameters', cases.boundParameters],
    ])('%s', async (_, { sql, parameters = [], columns, rows }) => {
      const answer = await collect(database, sql, { parameters });
      expect(answer.outcome).toMatchObject(done);
      expect(answer.columns).not.toBeNull();
      expect(answer.rows).toEqual(rows);
      if (columns) expect(answer.columns).toEqual(columns);
    });
    test('too few parameters', async () => {
      const { outcome } = await collect(database, cases.boundParameters.sql, { parameters: [] });
      expect(outcome.kind).toBe('query_failed');
      await expectUsable();
    });
    test('a long cell is cut between characters, its length given', async () => {
      const limits = { ...call.limits, cellBytes: 4 };
      const { rows } = await collect(database, "select 'aéééé', 'aébc', 'aéb'", { limits });
      expect(rows).toEqual([[{ kept: 'aé', fullBytes: 9 }, { kept: 'aéb', fullBytes: 5 }, 'aéb']]);
    });
  });

  describe('bounds', () => {
    test('stops if the sink wants no more rows', async () => {
      const { outcome, rows } = await collect(database, cases.manyRows, { most: 500 });
      expect(outcome).toMatchObject({ kind: 'done' });
      expect(rows).toHaveLength(500);
      await expectNothingRunning();
      await expectUsable();
    });
    test('stops if the connection has brought enough bytes', async () => {
      const limits = { ...call.limits, wireBytes: 200_000 };
      const { outcome, rows } = await collect(database, cases.manyRows, { limits });
      expect(outcome).toMatchObject({ kind: 'done', cutByWire: true });
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThan(200_000);
      await expectNothingRunning();
      await expectUsable();
    });
    test('a large result lets other calls run, however much of it has arrived', async () => {
      let bytes = 0;
      let inThisTurn = 0;
      let most = 0;
      const sink: RowSink = {
        columns: () => {},
        row({ json }) {
          // While the first row is read, all buffers in between fill: libuv would take 2 MB of them
          // at once.
          if (bytes === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
          if (inThisTurn === 0) {
            setImmediate(() => {
              inThisTurn = 0;
            });
          }
          bytes += json.length;
          inThisTurn += json.length;
          most = Math.max(most, inThisTurn);
          return bytes < 8_000_000;
        },
      };
      const sql = `select many.*, '${'x'.repeat(1000)}' as filler from (${cases.manyRows}) as many`;
      expect(await database.run({ ...call, sql }, sink)).toMatchObject({ kind: 'done' });
      expect(bytes).toBeGreaterThan(7_000_000);
      expect(most).toBeLessThan(500_000);
      await expectUsable();
    });
    test('a huge cell doesn’t grow the daemon', async () => {
      const growth = await growthWhile(async () => {
        const { outcome, rows } = await collect(database, cases.hugeCell);
        expect(['done', 'query_failed']).toContain(outcome.kind);
        for (const [cell] of rows) expect(JSON.stringify(cell).length).toBeLessThan(100_000);
      });
      expect(growth).toBeLessThan(daemonGrowthBytes);
      await expectUsable();
    });
  });

  describe('stopping', () => {
    test('a cancelled statement ends in the database', async () => {
      const client = new AbortController();
      const running = collect(database, cases.slowRead, { signal: client.signal });
      await untilItRuns();
      const started = performance.now();
      client.abort();
      expect((await running).outcome).toEqual({ kind: 'cancelled' });
      expectWithin(started, soonMilliseconds);
      await expectNothingRunning();
      await expectUsable();
    });
    test('a statement over its time limit ends in the database', async () => {
      const started = performance.now();
      const { outcome } = await collect(database, cases.slowRead, { timeoutSeconds: 1 });
      expect(outcome).toEqual({ kind: 'timeout', seconds: 1 });
      expectWithin(started, soonMilliseconds);
      await expectNothingRunning();
      await expectUsable();
    });
    test('a slow statement blocks no other', async () => {
      const client = new AbortController();
      const slow = collect(database, cases.slowRead, { signal: client.signal });
      await expectUsable();
      client.abort();
      expect((await slow).outcome).toEqual({ kind: 'cancelled' });
    });
    test('a call aborted before it started does nothing', async () => {
      const { outcome, columns } = await collect(database, 'select 1', { signal: AbortSignal.abort() });
      expect(outcome).toEqual({ kind: 'cancelled' });
      expect(columns).toBeNull();
    });
  });

  describe('the read session', () => {
    const everything = async () => {
      const tables = await database.listTables(call);
      if (tables.kind !== 'done') throw new Error(JSON.stringify(tables));
      const contents: unknown[] = [];
      for (const { name, kind } of tables.value) {
        const rows =
          kind === 'table' ? (await collect(database, `select * from ${quoted(name)}`, { most: 50 })).rows : [];
        contents.push([name, kind, rows]);
      }
      return contents;
    };
    test.each(cases.writes.map(sql => [sql]))('refuses %j', async sql => {
      const before = await everything();
      const { outcome } = await collect(database, sql);
      expect(['read_only', 'query_failed']).toContain(outcome.kind);
      expect(await everything()).toEqual(before);
    });
    test('explains', async () => {
      const { outcome, rows } = await collect(database, cases.explain);
      expect(outcome).toMatchObject(done);
      expect(rows.length).toBeGreaterThan(0);
    });
    test('reports a syntax error as the database does', async () => {
      const { outcome } = await collect(database, cases.syntaxError);
      expect(outcome).toMatchObject({ kind: 'query_failed', message: expect.stringMatching(/syntax/i) });
      await expectUsable();
    });
    test('refuses a second statement', async () => {
      const { outcome } = await collect(database, 'select 1; select 2');
      expect(['query_failed', 'unsupported']).toContain(outcome.kind);
      await expectUsable();
    });
    test('refuses NUL and an empty text', async () => {
      for (const sql of ['select 1\0; drop table looped_parent', '', '  -- nothing', ';']) {
        const { outcome } = await collect(database, sql);
        expect(['query_failed', 'unsupported']).toContain(outcome.kind);
      }
      expect(await countParents()).toBe(1);
    });
  });

  describe('the other sessions', () => {
    test('write commits, and counts its rows', async () => {
      const insert = "insert into looped_parent (id, name) values (10, 'ten'), (11, 'eleven')";
      expect((await collect(database, insert, { session: 'write' })).outcome).toMatchObject({
        ...done,
        rowsAffected: 2,
      });
      expect(await countParents()).toBe(3);
      const remove = 'delete from looped_parent where id >= 10';
      expect((await collect(database, remove, { session: 'write' })).outcome).toMatchObject({
        ...done,
        rowsAffected: 2,
      });
      expect(await countParents()).toBe(1);
    });
    test('write leaves nothing behind when it fails', async () => {
      const insert = "insert into looped_parent (id, name) values (20, 'twenty'), (1, 'again')";
      expect((await collect(database, insert, { session: 'write' })).outcome.kind).toBe('query_failed');
      expect(await countParents()).toBe(1);
    });
    test('a foreign key that a description tells is in force', async () => {
      const insert = 'insert into looped_child (id, parent_id) values (1, 99)';
      expect((await collect(database, insert, { session: 'write' })).outcome.kind).toBe('query_failed');
    });
    test('rollback counts, and undoes', async () => {
      const insert = "insert into looped_parent (id, name) values (30, 'thirty')";
      expect((await collect(database, insert, { session: 'rollback' })).outcome).toMatchObject({ rowsAffected: 1 });
      expect(await countParents()).toBe(1);
    });
    test('alone runs statements that need no transaction', async () => {
      expect((await collect(database, cases.alone, { session: 'alone' })).outcome).toMatchObject(done);
      await expectUsable();
    });
    test('a read in a write session affects no rows', async () => {
      const { outcome, rows } = await collect(database, 'select id from looped_parent', { session: 'write' });
      expect(outcome).toMatchObject(done);
      expect(rows).toHaveLength(1);
    });
  });

  test('20 at once get their own rows', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map(n => collect(database, `select 'row ${n}' union all select 'end ${n}'`)),
    );
    answers.forEach(({ rows }, n) => {
      expect(rows).toEqual([[`row ${n}`], [`end ${n}`]]);
    });
  }, 60_000);

  describe('the catalog', () => {
    test('lists tables and views', async () => {
      const tables = await database.listTables(call);
      const named = (name: string, kind: string) => expect.objectContaining({ name, kind });
      expect(tables).toMatchObject({ kind: 'done' });
      if (tables.kind !== 'done') return;
      expect(tables.value).toEqual(
        expect.arrayContaining([
          named('looped_child', 'table'),
          named('looped_parent', 'table'),
          named('looped_view', 'view'),
        ]),
      );
    });
    test('describes tables, their keys in both directions, in the order of the names; a missing one is null', async () => {
      const names = ['looped_parent', "no such table's name", 'looped_child', 'looped_view'];
      const described = await database.describeTables(call, names, false);
      if (described.kind !== 'done') throw new Error(JSON.stringify(described));
      const [parent, missing, child, view] = described.value;
      expect(missing).toBeNull();
      expect(child).toMatchObject({
        primaryKey: ['id'],
        columns: [
          { name: 'id', primaryKey: true, nullable: false },
          { name: 'parent_id', nullable: true },
        ],
        foreignKeys: [{ columns: ['parent_id'], referencedTable: 'looped_parent', referencedColumns: ['id'] }],
        referencedBy: [],
      });
      expect(parent).toMatchObject({
        columns: [{ name: 'id' }, { name: 'name', nullable: false }],
        referencedBy: [{ table: 'looped_child', columns: ['parent_id'], referencedColumns: ['id'] }],
      });
      expect(view).toMatchObject({ kind: 'view', ddl: expect.stringMatching(/looped_/) });
    });
  });

  test('close ends running statements, and can be called twice', async () => {
    const closing = engine.open();
    const slow = collect(closing, cases.slowRead);
    await untilItRuns();
    await Promise.all([closing.close(), closing.close()]);
    expect((await slow).outcome.kind).not.toBe('done');
    expect((await collect(closing, 'select 1')).outcome.kind).not.toBe('done');
    await closing.close();
    await expectNothingRunning();
  });
}
