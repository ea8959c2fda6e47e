import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Classification } from '../../../daemon/query/classification/classification.ts';
import {
  type RoutineFact,
  withCatalog,
  withCurrentSchema,
} from '../../../daemon/query/classification/mysql/catalog.ts';
import { loadMysqlClassifier } from '../../../daemon/query/classification/mysql/classify.ts';
import { statements } from './mysql-others.cases.ts';
import { reads } from './mysql-reads.cases.ts';

interface Judged {
  readonly dialect: string;
  readonly sql: string;
  readonly class: string;
  readonly decided_by: 'text' | 'catalog' | 'execution';
}

const judged: readonly Judged[] = JSON.parse(
  readFileSync(new URL('../../sql/statements.json', import.meta.url), 'utf8'),
).filter((row: Judged) => row.dialect === 'mysql');

/** What the catalog says of the fixture's functions. */
const fixture: readonly RoutineFact[] = [
  { schema: 'adv', name: 'f_write', dataAccess: 'MODIFIES SQL DATA', definition: null, isLoadable: false },
  { schema: 'adv', name: 'f_isam', dataAccess: 'MODIFIES SQL DATA', definition: null, isLoadable: false },
  { schema: 'adv', name: 'f_read', dataAccess: 'READS SQL DATA', definition: 'return (select 1)', isLoadable: false },
];

let classify: (sql: string) => Classification;

beforeAll(async () => {
  classify = await loadMysqlClassifier();
});

const shown = (sql: string): string => JSON.stringify(sql).slice(0, 120);
const names = (found: Classification['tables']): string[] =>
  found.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`));

describe('the judged statements', () => {
  test.each(judged.filter(row => row.decided_by === 'text').map(row => [row.class, shown(row.sql), row.sql]))(
    '%s: %s',
    (expected, _, sql) => {
      expect(withCatalog(classify(sql), fixture).class).toBe(expected);
      expect(classify(sql).class).toBe(expected);
    },
  );

  test.each(judged.filter(row => row.decided_by === 'catalog').map(row => [row.class, row.sql]))(
    '%s by the catalog: %s',
    (expected, sql) => {
      expect(classify(sql).class).toBe('read');
      expect(withCatalog(classify(sql), fixture).class).toBe(expected);
    },
  );
});

describe('the manuals', () => {
  test.each(reads.map(sql => [shown(sql), sql]))('read: %s', (_, sql) => {
    expect(classify(sql)).toMatchObject({ class: 'read', isDml: false, needsOwnSession: false });
  });

  test.each(
    Object.entries(statements).flatMap(([expected, list]) => list.map(sql => [expected, shown(sql), sql] as const)),
  )('%s: %s', (expected, _, sql) => {
    expect(classify(sql).class).toBe(expected);
  });
});

test.each([
  ['SELECT * FROM a, b.c AS x JOIN (d, e) ON 1 LEFT JOIN f USING (id) WHERE g IN (SELECT 1 FROM h)', 'a b.c d e f h'],
  ['WITH x AS (SELECT * FROM a), y (n) AS (SELECT 1 FROM x) SELECT * FROM y, b', 'a b'],
  ['SELECT EXTRACT(YEAR FROM c), TRIM(c FROM d) FROM t, JSON_TABLE(x, "$" COLUMNS (a INT PATH "$")) AS j', 't'],
  ['SELECT * FROM t FOR UPDATE', 't'],
  ['SELECT 1 FROM DUAL', ''],
  ['INSERT INTO `s p`.`t``x` (a) SELECT a FROM u ON DUPLICATE KEY UPDATE a = 1', 's p.t`x u'],
  ['UPDATE a JOIN b ON a.x = b.x, c SET a.y = 1 WHERE c.z = (SELECT 1 FROM d)', 'a b c d'],
  ['DELETE FROM a WHERE x IN (SELECT x FROM b)', 'a b'],
  ['REPLACE t VALUES (1)', 't'],
  ['TRUNCATE s.t', 's.t'],
  ['DROP TABLE IF EXISTS a, s.b', 'a s.b'],
  ['ALTER TABLE IF EXISTS a ADD x INT, ADD y INT', 'a'],
  ['CREATE TABLE IF NOT EXISTS a AS SELECT * FROM b', 'a b'],
  ['CREATE UNIQUE INDEX i ON a (x)', 'a'],
  ['RENAME TABLE a TO b, c TO d', 'a c'],
  ['LOCK TABLES a READ, b AS x WRITE', 'a b'],
  ['EXPLAIN SELECT * FROM a', 'a'],
  ['DESC s.a', 's.a'],
  ['SHOW COLUMNS FROM a FROM s', 's.a'],
  ['TABLE a', 'a'],
])('the tables of %s', (sql, expected) => {
  expect(names(classify(sql).tables).join(' ')).toBe(expected);
});

test.each([
  ['SELECT f(1), s.g(2), F(3), COUNT(*), `h`(4), sys.format_bytes(1), sys.own(2)', 'F s.g h sys.own'],
  ['SELECT a FROM t WHERE f(a) IN (1)', 'f'],
  ['INSERT INTO t (a) VALUES (f(1))', 'f'],
  ['UPDATE t SET a = f(1) WHERE b = 2', 'f'],
  ['CALL s.p(f(1))', 's.p f'],
  ['CALL p', 'p'],
  ['WITH x (a) AS (SELECT 1) SELECT * FROM (SELECT 1) AS y (b), x', ''],
  ['EXPLAIN SELECT f(1)', 'f'],
  ['SELECT SQL_NO_CACHE (1), sql_no_cache (2)', 'sql_no_cache'],
  [
    'SELECT DISTINCT HIGH_PRIORITY (1), `high_priority` (2), s.analyse(3), extended(4)',
    'high_priority s.analyse extended',
  ],
])('the calls of %s', (sql, expected) => {
  expect(names(classify(sql).calls).join(' ')).toBe(expected);
});

test.each([
  ['INSERT INTO t VALUES (1)', { isDml: true, isUnboundedDml: false, needsOwnSession: false }],
  ['DELETE FROM t', { isDml: true, isUnboundedDml: true, needsOwnSession: false }],
  ['WITH x AS (SELECT 1) UPDATE t SET a = 1', { isDml: true, isUnboundedDml: true, needsOwnSession: false }],
  ['UPDATE t SET a = 1 WHERE a = 2', { isDml: true, isUnboundedDml: false, needsOwnSession: false }],
  ['/*!50000 REPLACE t VALUES (1) */', { isDml: true, isUnboundedDml: false, needsOwnSession: false }],
  ['ANALYZE DELETE FROM t', { isDml: false, isUnboundedDml: false, needsOwnSession: false }],
  ['TRUNCATE t', { isDml: false, isUnboundedDml: false, needsOwnSession: true }],
  ['CREATE TABLE t (a INT)', { isDml: false, isUnboundedDml: false, needsOwnSession: true }],
  ['CREATE TEMPORARY TABLE t (a INT)', { isDml: false, isUnboundedDml: false, needsOwnSession: false }],
  ['DROP TEMPORARY TABLE t', { isDml: false, isUnboundedDml: false, needsOwnSession: false }],
  ['ANALYZE TABLE t', { isDml: false, isUnboundedDml: false, needsOwnSession: true }],
  ['LOCK TABLES t READ', { isDml: false, isUnboundedDml: false, needsOwnSession: true }],
  ['GRANT SELECT ON t TO a', { isDml: false, isUnboundedDml: false, needsOwnSession: true }],
  ['CALL p()', { isDml: false, isUnboundedDml: false, needsOwnSession: false }],
])('%s runs where it can', (sql, expected) => {
  expect(classify(sql)).toMatchObject(expected);
});

describe('the catalog', () => {
  const fact = (more: Partial<RoutineFact>): RoutineFact => ({
    schema: 'adv',
    name: 'f',
    dataAccess: 'CONTAINS SQL',
    definition: null,
    isLoadable: false,
    ...more,
  });
  const classWith = (sql: string, ...facts: RoutineFact[]): string => withCatalog(classify(sql), facts).class;

  test('raises what a function declares, does or hides', () => {
    expect(classWith('SELECT f()', fact({}))).toBe('read');
    expect(classWith('SELECT F()', fact({ dataAccess: 'MODIFIES SQL DATA' }))).toBe('write');
    expect(classWith('EXPLAIN SELECT f()', fact({ dataAccess: 'MODIFIES SQL DATA' }))).toBe('write');
    expect(classWith('SELECT other.f()', fact({ dataAccess: 'MODIFIES SQL DATA' }))).toBe('read');
    expect(classWith('SELECT f()', fact({ schema: null, isLoadable: true }))).toBe('write');
    expect(classWith('SELECT f()', fact({ definition: 'BEGIN INSERT INTO t VALUES (1); RETURN 1; END' }))).toBe(
      'write',
    );
    expect(classWith('SELECT f()', fact({ definition: "RETURN 'INSERT' /* DELETE */" }))).toBe('read');
    expect(classWith('SELECT f()', fact({ definition: "RETURN REPLACE('a', 'b', 'c')" }))).toBe('read');
    expect(classWith('SELECT f()', fact({ definition: 'RETURN /*!50000 NEXTVAL(s) */ 1' }))).toBe('write');
  });

  test('knows the password catalog by its short name', () => {
    expect(withCurrentSchema(classify('SELECT * FROM t, (SELECT 1 FROM `USER`) d'), 'mysql').class).toBe('forbidden');
    expect(withCurrentSchema(classify('SELECT * FROM user'), 'adv').class).toBe('read');
    expect(withCurrentSchema(classify('SELECT * FROM adv.user'), 'mysql').class).toBe('read');
  });

  test('never lowers a class', () => {
    expect(classWith('DROP TABLE t', fact({}))).toBe('destructive');
  });
});

test('a long text neither tires the second parser nor breaks it for the next one', () => {
  const long = (head: string, part: string, tail: string): string => head + part.repeat(90_000 / part.length) + tail;
  expect(classify(long('SELECT ', '1 + ', '1')).class).toBe('read');
  expect(classify(long('SELECT * FROM t WHERE ', 'id = 1 OR ', 'id = 2')).class).toBe('read');
  expect(classify(long('SELECT * FROM t WHERE id IN (', '1, ', '2)')).class).toBe('read');
  expect(classify(long('SELECT * FROM t WHERE id IN (', "'a', ", "'b')")).class).toBe('read');
  expect(classify(long('SELECT 1', ' UNION SELECT 1', '')).class).not.toBe('forbidden');
  expect(classify(long('SELECT x', ' AT TIME ZONE 1', '')).class).not.toBe('forbidden');
  expect(classify(long('SELECT 1 WHERE ', 'EXISTS (SELECT 1) AND ', '1')).class).not.toBe('forbidden');
  expect(classify(long('SELECT ', '(', '1')).class).toBe('forbidden');
  expect(classify('SELECT 1').class).toBe('read');
});

test('the reason is one sentence that never says how to get around the gate', () => {
  const all = [...judged.map(row => row.sql), ...reads, ...Object.values(statements).flat()];
  for (const { reason } of all.map(classify)) {
    expect(reason).toMatch(/^[^\n]{5,200}\.$/);
    expect(reason).not.toMatch(/disable|switch off|settings|readWrite|fullAccess/i);
  }
});
