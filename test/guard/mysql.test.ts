import { describe, expect, test } from '@jest/globals';
import { type CatalogObject, raisedByCatalog } from '../../daemon/guard/mysql/catalog.ts';
import { classifyMysql as classify } from '../../daemon/guard/mysql/classify-mysql.ts';
import { readDataChange, readingOf } from '../../daemon/guard/mysql/data-change.ts';
import type { Classification } from '../../daemon/guard/types.ts';
import { statementsOf } from './statements/table.ts';
import { wrongInParts } from './worded.ts';

const measured = statementsOf('mysql').filter(({ walls }) => walls === 'measured');

type Held = Readonly<Record<string, Partial<CatalogObject>>>;

/** What the catalog says about the fixture's functions. */
const fixture: Held = {
  f_write: { definition: "begin insert into t(name) values('f'); return 1; end" },
  f_isam: { definition: 'begin insert into my_isam values(9); return 1; end' },
  f_read: { definition: 'return (select count(*) from t)' },
  vw: { kind: 'there' },
  p_write: { definition: "begin insert into t(name) values('p'); end" },
  // Marks a MariaDB server.
  'show grants': { kind: 'there' },
};

/** @param held the catalog's entries by name; others don't exist. */
function onServer(sql: string, held: Held, schema = 'adv'): Classification {
  const byText = classify(sql, schema);
  const answers: Parameters<typeof raisedByCatalog>[1][number][] = [];
  for (;;) {
    const { classification, wants } = raisedByCatalog(byText, answers);
    if (wants.length === 0) {
      expect([sql, wrongInParts(classification)]).toEqual([sql, []]);
      return classification;
    }
    for (const item of wants) {
      const found = held[item.kind === 'grants' ? 'show grants' : item.name];
      const kind = item.kind === 'function' || item.kind === 'procedure' ? 'routine' : 'view';
      const object = { kind, definition: null, sqlMode: '', ...found } as const;
      answers.push({
        item,
        objects:
          found === undefined ||
          (item.kind === 'changed' && object.kind !== 'trigger') ||
          (item.kind === 'read' && object.kind === 'there')
            ? []
            : [object],
      });
    }
  }
}

const shown = (sql: string): string => JSON.stringify(sql).slice(0, 120);
const names = (found: Classification['tables']): string[] =>
  found.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`));

describe('the statements of the table on the fixture', () => {
  test.each(measured.filter(row => row.decidedBy === 'text').map(row => [row.class, shown(row.sql), row.sql]))(
    '%s: %s',
    (expected, _, sql) => {
      expect(onServer(sql, fixture).class).toBe(expected);
    },
  );

  test.each(measured.filter(row => row.decidedBy === 'catalog').map(row => [row.class, row.sql]))(
    '%s by the catalog: %s',
    (expected, sql) => {
      expect(['read', 'write']).toContain(classify(sql).class);
      expect(onServer(sql, fixture).class).toBe(expected);
    },
  );
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
  ['DELETE o FROM orders o', 'orders'],
  ['DELETE o.*, u FROM orders AS o JOIN u ON u.id = o.id WHERE o.id IN (SELECT id FROM o)', 'u orders o'],
  ['DELETE FROM o USING orders o, v', 'orders v'],
  ['DELETE a, s.b FROM a, s.b', 'a s.b'],
  ['WITH a AS (SELECT * FROM a), b AS (SELECT * FROM a, c) SELECT * FROM a, b', 'a c'],
  ['(WITH a AS (SELECT 1) SELECT * FROM a) UNION SELECT * FROM a', 'a'],
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
  ['DELETE FROM t ORDER BY a LIMIT ?', { class: 'write', isDml: true, isUnboundedDml: false, needsOwnSession: false }],
  ['/*!50000 REPLACE t VALUES (1) */', { isDml: true, isUnboundedDml: false, needsOwnSession: false }],
  ['ANALYZE DELETE FROM t', { class: 'destructive', isDml: false, isUnboundedDml: false, needsOwnSession: false }],
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

test.each([
  ['INSERT INTO t SELECT a, COUNT(*) FROM u GROUP BY a', 'adds'],
  ['INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2', 'changes'],
  ['REPLACE t VALUES ("x")', 'changes'],
  ['UPDATE t JOIN u ON u.a = t.a SET t.b = 1 WHERE u.c > 0', 'changes'],
  ['DELETE FROM t WHERE a = 1', 'changes'],
  ['DO f()', undefined],
  ['CALL p()', undefined],
  ['EXPLAIN INSERT INTO t VALUES (1)', undefined],
  // On MySQL an INSERT, on MariaDB not.
  ['/*!80000 INSERT INTO t SELECT */ /*M!100000 DO */ f()', undefined],
])('%s by itself', (sql, expected) => {
  expect(classify(sql).ownEffect).toBe(expected);
});

test('the target of a DELETE with USING may be an alias, so none is named', () => {
  expect(classify('DELETE FROM t USING u AS t WHERE t.id = 1').countsOne).toBeUndefined();
  expect(readDataChange('DELETE FROM t USING u AS t WHERE t.id = 1', readingOf('8.4.0', ''))?.target).toBeNull();
});

describe('the catalog', () => {
  const classWith = (sql: string, held: Held): string => onServer(sql, held).class;
  const f = (definition: string | null, more: Partial<CatalogObject> = {}): Held => ({ f: { definition, ...more } });

  test('says whether SHOW GRANTS would show a hash', () => {
    for (const sql of ['SHOW GRANTS', "SHOW GRANTS FOR 'app'@'%'"]) {
      expect(classWith(sql, {})).toBe('read');
      expect(onServer(sql, fixture)).toMatchObject({
        class: 'forbidden',
        reason: expect.stringContaining('on this server'),
      });
    }
  });

  test('classifies a function by its body, and raises the class of invisible ones', () => {
    expect(classWith('SELECT f()', f('return 1'))).toBe('read');
    expect(classWith('SELECT f()', f(null))).toBe('write');
    expect(classWith('SELECT f()', {})).toBe('write');
    expect(classWith('SELECT F()', { F: { definition: 'BEGIN INSERT INTO t VALUES (1); RETURN 1; END' } })).toBe(
      'write',
    );
    expect(classWith('SELECT f()', f("RETURN 'INSERT' /* DELETE */"))).toBe('read');
    expect(classWith('SELECT f()', f("RETURN REPLACE('a', 'b', 'c')"))).toBe('read');
    expect(classWith('SELECT f()', f('RETURN /*!50000 NEXTVAL(s) */ 1'))).toBe('write');
    expect(classWith('EXPLAIN SELECT f()', f('BEGIN DELETE FROM t WHERE a = 1; RETURN 1; END'))).toBe('write');
  });

  test.each([
    ['read', 'BEGIN DECLARE a INT DEFAULT 1; SET a = a + 1; IF a > 1 THEN RETURN 2; ELSE RETURN 3; END IF; END'],
    ['read', 'BEGIN DECLARE a INT; SELECT max(id) INTO a FROM t; RETURN a; END'],
    [
      'read',
      'BEGIN DECLARE done INT; DECLARE c CURSOR FOR SELECT id FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; x: LOOP FETCH c INTO done; IF done THEN LEAVE x; END IF; END LOOP; CLOSE c; RETURN 1; END',
    ],
    [
      'read',
      'BEGIN DECLARE i INT DEFAULT 0; WHILE i < 3 DO SET i = i + 1; END WHILE; REPEAT SET i = i - 1; UNTIL i = 0 END REPEAT; RETURN CASE WHEN i THEN 1 ELSE 2 END; END',
    ],
    ['read', "BEGIN CASE x WHEN 1 THEN RETURN 'a'; ELSE RETURN IF(CASE x WHEN 2 THEN 1 END, 'b', 'c'); END CASE; END"],
    ['write', 'BEGIN SET @a = 1; RETURN 1; END'],
    ['write', 'BEGIN SELECT 1 INTO @a; RETURN 1; END'],
    ['write', 'BEGIN DECLARE x INT; SELECT 1, 2 INTO x, @a; RETURN 1; END'],
    ['write', 'BEGIN IF x THEN SELECT 1 INTO @a; END IF; RETURN 1; END'],
    [
      'write',
      "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION, SQLSTATE VALUE '23000' INSERT INTO t VALUES (1); RETURN 1; END",
    ],
    ['write', 'BEGIN WHILE x DO UPDATE t SET a = 1 WHERE id = x; END WHILE; RETURN 1; END'],
    ['write', "RETURN get_lock('x', 0)"],
    ['write', 'BEGIN SET sql_mode = 1; RETURN 1; END'],
    ['write', 'BEGIN CREATE TEMPORARY TABLE x (a INT); RETURN 1; END'],
    ['write', 'BEGIN surprise; RETURN 1; END'],
    ['write', 'IS BEGIN UPDATE t SET a = 1 WHERE id = 1; RETURN 1; END'],
    ['destructive', 'AS x INT; BEGIN NULL; EXCEPTION WHEN OTHERS THEN DELETE FROM t; END'],
    ['destructive', 'IS BEGIN DROP TABLE t; END'],
    ['destructive', 'BEGIN IF x THEN BEGIN DELETE FROM t; END; END IF; RETURN 1; END'],
    ['destructive', 'BEGIN SET GLOBAL max_connections = 1; RETURN 1; END'],
    ['destructive', "BEGIN SELECT 1 INTO OUTFILE '/x'; RETURN 1; END"],
    ['destructive', 'BEGIN lab: LOOP DROP TABLE t; LEAVE lab; END LOOP; RETURN 1; END'],
    ['destructive', "BEGIN EXECUTE IMMEDIATE 'SELECT 1'; RETURN 1; END"],
    ['destructive', "RETURN load_file('/x')"],
    [
      'forbidden',
      'BEGIN DECLARE a, b TEXT; WITH x AS (SELECT 1 c) SELECT c INTO a FROM x; SELECT max(c) INTO b FROM x; RETURN b; END',
    ],
    ['forbidden', 'RETURN (SELECT authentication_string FROM mysql.user LIMIT 1)'],
  ])('%s: a function whose body is %s', (expected, body) => {
    // A view with passwords has the name that the body uses.
    const x = { x: { definition: 'select `authentication_string` AS `c` from `mysql`.`user`' } };
    expect(classWith('SELECT f()', { ...f(body), ...(expected === 'forbidden' && x) })).toBe(expected);
  });

  test('continues where code leads, through views, functions and triggers', () => {
    const held: Held = {
      f: { definition: 'return g() + 1' },
      g: { definition: 'return (select count(*) from w)' },
      w: { definition: 'select `adv`.`h`() AS `x`' },
      h: { definition: 'begin insert into t values (1); return 1; end' },
    };
    expect(classWith('SELECT f()', held)).toBe('write');
    expect(classWith('SELECT f()', { ...held, h: { definition: 'return 1' } })).toBe('read');
    expect(classWith('INSERT INTO a VALUES (1)', { a: { kind: 'trigger', definition: 'delete from b' } })).toBe(
      'destructive',
    );
    expect(
      classWith('INSERT INTO a VALUES (1)', { a: { kind: 'trigger', definition: 'update n set c = c + 1' } }),
    ).toBe('write');
    expect(classWith('SELECT f()', { f: { definition: 'return f()' } })).toBe('read');
  });

  test('a procedure that only reads is a read, unless it gets a place to store', () => {
    expect(classWith('CALL p(1)', { p: { definition: 'select 1' } })).toBe('read');
    expect(classWith('CALL p(@x)', { p: { definition: 'select 1' } })).toBe('write');
    expect(classWith('CALL p(f())', { p: { definition: 'select 1' }, f: { definition: null } })).toBe('write');
    expect(classWith('CALL p()', { p: { definition: 'begin start transaction; commit; end' } })).toBe('write');
    expect(classWith('CALL p()', { p: { definition: 'call q()' }, q: { definition: 'truncate t' } })).toBe(
      'destructive',
    );
    expect(classWith('CALL p()', {})).toBe('write');
  });

  test.each([
    ['forbidden', 'SHOW VARIABLES'],
    ['forbidden', "SHOW GLOBAL VARIABLES LIKE '%pass%'"],
    ['forbidden', "SHOW VARIABLES LIKE 'report\\_passwor_'"],
    ['forbidden', 'SELECT @@report_password'],
    ['forbidden', 'SELECT * FROM information_schema.global_variables'],
    ['read', "SHOW VARIABLES LIKE 'innodb%'"],
    ['read', "SHOW VARIABLES LIKE 'max_connections'"],
  ])('%s with a variable that holds a password: %s', (expected, sql) => {
    expect(classWith(sql, { '': { kind: 'there' } })).toBe(expected);
    expect(classWith(sql, {})).toBe('read');
  });

  test('shows or drops a view whose query nobody may run', () => {
    const held: Held = { v: { definition: 'select `authentication_string` from `mysql`.`user`' } };
    expect(classWith('SELECT * FROM v', held)).toBe('forbidden');
    expect(classWith('SHOW CREATE VIEW v', {})).toBe('read');
    expect(classWith('DESC v', held)).toBe('read');
    expect(classWith('DROP VIEW v', held)).toBe('destructive');
    expect(classWith('CREATE TABLE t AS SELECT * FROM v', held)).toBe('forbidden');
    expect(classWith('SHOW TABLES WHERE (SELECT 1 FROM v)', held)).toBe('forbidden');
  });

  test('never lowers another class', () => {
    expect(classWith('DROP TABLE t', fixture)).toBe('destructive');
  });
});

test.each([
  ['forbidden', 'SELECT * FROM t, (SELECT 1 FROM `USER`) d', 'mysql'],
  ['read', 'SELECT * FROM user', 'adv'],
  ['read', 'SELECT * FROM adv.user', 'mysql'],
  ['read', 'WITH user AS (SELECT 1) SELECT * FROM user', 'mysql'],
  ['forbidden', 'WITH user AS (SELECT * FROM user) SELECT * FROM user', 'mysql'],
  ['read', 'WITH RECURSIVE user AS (SELECT 1 a UNION SELECT a + 1 FROM user WHERE a < 3) SELECT * FROM user', 'mysql'],
  ['forbidden', 'SELECT (WITH user AS (SELECT 1) SELECT * FROM user), (SELECT 1 FROM user)', 'mysql'],
  ['read', 'SELECT user, host FROM db', 'mysql'],
  ['forbidden', "INSERT INTO plugin VALUES ('a', 'b')", 'mysql'],
  ['destructive', "UPDATE db SET Select_priv = 'Y' WHERE user = 'a'", 'mysql'],
  ['destructive', 'CREATE TABLE x (a INT)', 'mysql'],
  ['destructive', 'CREATE VIEW adv.x AS SELECT * FROM db', 'mysql'],
  ['destructive', 'CREATE VIEW adv.x AS SELECT * FROM db', 'MySQL'],
])('%s: %s in %s', (expected, sql, schema) => {
  expect(classify(sql, schema).class).toBe(expected);
});

test('a long text has its class, and so has the next one', () => {
  const long = (head: string, part: string, tail: string): string => head + part.repeat(90_000 / part.length) + tail;
  expect(classify(long('SELECT ', '1 + ', '1')).class).toBe('read');
  expect(classify(long('SELECT * FROM t WHERE ', 'id = 1 OR ', 'id = 2')).class).toBe('read');
  expect(classify(long('SELECT * FROM t WHERE id IN (', '1, ', '2)')).class).toBe('read');
  expect(classify(long('SELECT * FROM t WHERE id IN (', "'a', ", "'b')")).class).toBe('read');
  expect(classify(long('SELECT 1', ' UNION SELECT 1', '')).class).toBe('read');
  expect(classify(long('SELECT 1 WHERE ', 'EXISTS (SELECT 1) AND ', '1')).class).toBe('read');
  expect(classify(long('SELECT ', '(', '1')).class).toBe('forbidden');
  expect(classify('SELECT 1').class).toBe('read');
});
