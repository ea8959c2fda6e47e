import { beforeAll, describe, expect, test } from '@jest/globals';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import type { ClassifyPostgres } from '../../daemon/guard/postgres/classify-postgres.ts';
import { processorMilliseconds } from '../processor-time.ts';
import { until } from '../waiting/until.ts';

let classify: ClassifyPostgres;

beforeAll(async () => {
  classify = await lazyClassifiers().postgres();
});

describe('classes', () => {
  test('a statement longer than 100 KB is forbidden, one of 100 KB is not', () => {
    const longest = `SELECT '${'x'.repeat(100_000 - 9)}'`;
    expect(classify(longest).class).toBe('read');
    expect(classify(`${longest} `).class).toBe('forbidden');
    expect(classify(`SELECT '${'é'.repeat(50_000)}'`).class).toBe('forbidden');
  });

  test.each([
    ['select 1, order from t', 'syntax error at or near "order" at character 11'],
    ["select 'é☃', /* ünder */ order from t -- ☃", 'syntax error at or near "order" at character 26'],
    ['select * from t limit 1, 2', 'LIMIT #,# syntax is not supported at character 17'],
    ['select (1', 'syntax error at end of input at character 10'],
  ])('a refusal of the grammar has its place, as the server counts it: %s', (sql, told) => {
    expect(classify(sql).reason).toContain(`(${told})`);
  });

  test('a large INSERT is understood', () => {
    const rows = Array.from({ length: 7_000 }, (_, id) => `(${id}, 'n')`).join(', ');
    expect(classify(`INSERT INTO t(id, name) VALUES ${rows}`).class).toBe('write');
  });
});

describe('the reason names the strongest change', () => {
  test.each([
    [
      'WITH z AS (DELETE FROM t WHERE id = 1 RETURNING id) INSERT INTO u SELECT id FROM z',
      'DELETE removes the rows of t',
    ],
    [
      'WITH z AS (INSERT INTO u VALUES (1) RETURNING id) UPDATE t SET n = 1 WHERE id = 2',
      'UPDATE changes the rows of t',
    ],
    [
      'WITH z AS (UPDATE t SET n = 1 WHERE id = 2 RETURNING id) SELECT * FROM z FOR UPDATE',
      'UPDATE changes the rows of t',
    ],
    ['WITH z AS (DELETE FROM u RETURNING id) UPDATE t SET n = 1', 'DELETE without a WHERE removes every row of u'],
    ['EXPLAIN ANALYZE DELETE FROM t WHERE id = 1', 'DELETE removes the rows of t'],
    ['INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET n = 2', 'and changes those that are there (ON CONFLICT)'],
    ['INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING', 'INSERT adds rows to t.'],
  ])('%s', (sql, reason) => {
    expect(classify(sql).reason).toContain(reason);
  });

  test.each([
    ['WITH z AS (DELETE FROM t WHERE id = 1 RETURNING id) SELECT * FROM z', true],
    ['EXPLAIN ANALYZE INSERT INTO t VALUES (1)', true],
    ['DELETE FROM t WHERE id = 1', undefined],
    ['EXPLAIN DELETE FROM t', undefined],
    ['SELECT * FROM t FOR UPDATE', undefined],
    ['CREATE RULE r AS ON INSERT TO t DO DELETE FROM u', undefined],
  ])('runs a change within itself: %s', (sql, runsDml) => {
    expect(classify(sql).runsDml).toBe(runsDml);
  });
});

describe('the facts beside the class', () => {
  const names = (list: readonly { schema: string | null; name: string }[]) =>
    list.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`));

  test.each([
    ['SELECT * FROM t, s.u AS x', ['t', 's.u']],
    ['WITH a AS (SELECT * FROM t) SELECT * FROM a JOIN s.a AS b USING (id)', ['s.a', 't']],
    ['WITH t AS (SELECT * FROM t) SELECT * FROM t', ['t']],
    ['WITH RECURSIVE t AS (SELECT 1 UNION ALL SELECT * FROM t) SELECT * FROM t', []],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b', ['b']],
    ['WITH t AS (SELECT 1) DELETE FROM t WHERE id IN (SELECT * FROM t)', ['t']],
    ['SELECT * FROM t AS x FOR UPDATE OF x', ['t']],
    ['SELECT * FROM "Mixed Case", t', ['Mixed Case', 't']],
    ['DROP TABLE a, s.b', ['a', 's.b']],
    ['INSERT INTO a SELECT * FROM b', ['a', 'b']],
    ['EXPLAIN DELETE FROM t', ['t']],
  ])('tables of %s', (sql, tables) => {
    expect(names(classify(sql).tables).sort()).toEqual([...tables].sort());
  });

  test.each([
    ['SELECT count(*), lower(name), pg_catalog.now() FROM t', []],
    ['SELECT my_function(1), s.other(2), my_function(2, 3)', ['my_function', 's.other']],
    ['SELECT "MyFunction"(), MyFunction()', ['MyFunction', 'myfunction']],
    ['SELECT s.lower(1)', ['s.lower']],
    ['CALL s.p(f(1))', ['f', 's.p']],
    ['EXPLAIN SELECT my_function(1)', ['my_function']],
  ])('calls of %s', (sql, calls) => {
    expect(names(classify(sql).calls).sort()).toEqual(calls);
  });

  test.each([
    ['INSERT INTO t VALUES (1)', true, false],
    ['WITH x AS (SELECT 1) UPDATE t SET v = 1 WHERE id = 1', true, false],
    ['DELETE FROM t', true, true],
    ['UPDATE t SET v = 1 WHERE true', true, true],
    ['WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x', false, false],
    ['EXPLAIN ANALYZE DELETE FROM t', false, false],
    ["DELETE FROM t RETURNING pg_drop_replication_slot('x')", true, false],
    ["DELETE FROM t RETURNING pg_read_file('x')", true, false],
    ['EXPLAIN DELETE FROM t', false, false],
    ['TRUNCATE t', false, false],
    ['SELECT 1', false, false],
  ])('%s is DML: %s, unbounded: %s', (sql, isDml, isUnboundedDml) => {
    expect(classify(sql)).toMatchObject({ isDml, isUnboundedDml });
  });

  test.each([
    ['VACUUM t', true],
    ['ANALYZE t', false],
    ['CREATE DATABASE x', true],
    ['DROP DATABASE x', true],
    ['DROP TABLESPACE x', true],
    ['ALTER DATABASE x SET TABLESPACE y', true],
    ['ALTER DATABASE x CONNECTION LIMIT 5', false],
    ['CREATE INDEX CONCURRENTLY i ON t (v)', true],
    ['CREATE INDEX i ON t (v)', false],
    ['DROP INDEX CONCURRENTLY i', true],
    ['REINDEX DATABASE x', true],
    ['ALTER TABLE t DETACH PARTITION x CONCURRENTLY', true],
    ['ALTER TABLE t DETACH PARTITION x', false],
    ['CLUSTER', true],
    ['CALL p()', false],
    ['REFRESH MATERIALIZED VIEW CONCURRENTLY mv', false],
    ['SELECT 1', false],
  ])('%s needs its own session: %s', (sql, needsOwnSession) => {
    expect(classify(sql).needsOwnSession).toBe(needsOwnSession);
  });

  test('a refusal names what decided it', () => {
    expect(classify('DELETE FROM accounts').reason).toContain('accounts');
    expect(classify('SELECT U&"\\0070g_read_file"(\'x\')').reason).toContain('pg_read_file');
    expect(classify('SELECT 1; SELECT 2; SELECT 3').reason).toContain('3 statements');
    expect(classify('SELEC 1').reason).toContain('syntax error');
  });

  test.each([
    [
      'SELECT pg_cancel_backend(1)',
      'acts on other sessions, which no tool here does; ask the user to do it in a client of their own.',
    ],
    ['COPY orders TO STDOUT', 'use SELECT, or export_data for a file.'],
    ["COPY (SELECT 1) TO PROGRAM 'x'", 'use SELECT, or export_data for a file.'],
    ['COPY orders FROM STDIN', 'use INSERT.'],
    [
      'SELECT * FROM information_schema.user_mapping_options',
      'information_schema.user_mappings shows the mappings without them.',
    ],
    [
      'SELECT * FROM information_schema._pg_user_mappings',
      'information_schema.user_mappings shows the mappings without them.',
    ],
    ['SELECT * FROM pg_shadow', 'pg_roles shows roles without them.'],
    ['CREATE TEXT SEARCH DICTIONARY x (TEMPLATE = simple)', 'CREATE TEXT SEARCH DICTIONARY adds'],
    [
      'CREATE TEXT SEARCH PARSER x (START = a, GETTOKEN = b, END = c, LEXTYPES = d)',
      'CREATE TEXT SEARCH PARSER puts code',
    ],
    ['ALTER TEXT SEARCH CONFIGURATION x RENAME TO y', 'ALTER TEXT SEARCH CONFIGURATION … RENAME'],
    ['ALTER TABLE t RENAME CONSTRAINT a TO b', 'ALTER CONSTRAINT … RENAME'],
    ['DROP FOREIGN DATA WRAPPER x', 'DROP FOREIGN DATA WRAPPER removes'],
    ['DROP OPERATOR CLASS x USING btree', 'DROP OPERATOR CLASS removes'],
    ['DROP STATISTICS x', 'DROP STATISTICS removes'],
    ['DROP SERVER x', 'DROP SERVER removes'],
  ])('%s: the facts, in the words of SQL', (sql, words) => {
    expect(classify(sql).reason).toContain(words);
  });

  test('the advice in place of a secret is a read', () => {
    expect(classify('SELECT * FROM information_schema.user_mappings').class).toBe('read');
  });
});

describe('hostile shapes', () => {
  const nested = (count: number) => `SELECT ${'(SELECT '.repeat(count)}1${')'.repeat(count)}`;

  test('a statement nested too deeply is forbidden, and later ones are still understood, however often', async () => {
    const deep = [nested(9_000), `SELECT 1${'+1'.repeat(40_000)}`, `SELECT ${'NOT '.repeat(20_000)}true`];
    for (let round = 0; round < 60; round++) {
      for (const sql of deep) expect(classify(sql).class).toBe('forbidden');
      expect(classify('SELECT a FROM t WHERE f(x) = 1').calls).toEqual([{ schema: null, name: 'f' }]);
      expect(classify("SELECT pg_read_file('x')").class).toBe('forbidden');
    }
    const isReplaced = () => classify(`SELECT '${'x'.repeat(50_000)}'`).class === 'read';
    await until(isReplaced, 'the parser is replaced');
  });

  test('a deeply nested condition is classified without overflow', () => {
    expect(classify(`DELETE FROM t WHERE ${'NOT '.repeat(500)}(id = 1)`).class).toBe('write');
    expect(classify(`DELETE FROM t WHERE ${'('.repeat(500)}id = 1${')'.repeat(500)}`).class).toBe('write');
  });

  test('a long condition takes little time', () => {
    const nestedOr = `${'id = 1 OR (v = 2 AND ('.repeat(90)}${'x = 3 OR '.repeat(8_000)}y = 4${'))'.repeat(90)}`;
    const cost = processorMilliseconds(() => {
      expect(classify(`DELETE FROM t WHERE ${nestedOr}`).class).not.toBe('read');
    });
    expect(cost).toBeLessThan(5_000);
    expect(
      classify(`DELETE FROM t WHERE id IN (${Array.from({ length: 9_000 }, (_, id) => id).join(',')})`).class,
    ).toBe('write');
  });

  test.each([
    ['nested so deeply that each level is looked at anew', 800, 1],
    ['with so many names that each level copies them', 100, 8_000],
  ])('a condition %s counts as none', (_, levels, names) => {
    const exists = (from: string, condition: string) => `EXISTS (SELECT FROM ${from} WHERE ${condition})`;
    const classified = (part: number) => {
      let condition = 't.id = 1';
      for (let level = 1; level < levels / part; level++) condition = exists('u', condition);
      const list = Array.from({ length: Math.max(1, names / part) }, (_, at) => `a${at}`).join(', ');
      return classify(`DELETE FROM t WHERE ${exists(list, condition)}`).class;
    };
    expect([classified(10), classified(1)]).toEqual(['write', 'destructive']);
  });

  test('endless comments between them are refused before they cost time', () => {
    const cost = processorMilliseconds(() => {
      expect(classify(`${'/*'.repeat(20_000)}${'*/'.repeat(20_000)} SELECT 1`).class).toBe('forbidden');
      expect(classify(`${'/**/'.repeat(25_000)}SELECT 1`).class).toBe('forbidden');
    });
    expect(cost).toBeLessThan(2_000);
    expect(classify(`/*${'*'.repeat(5_000)}*/ SELECT '${'='.repeat(5_000)}'`).class).toBe('read');
  });

  test('two classifiers share nothing', async () => {
    const other = await lazyClassifiers().postgres();
    expect(other(nested(9_000)).class).toBe('forbidden');
    expect(classify('SELECT 1').class).toBe('read');
  });
});
