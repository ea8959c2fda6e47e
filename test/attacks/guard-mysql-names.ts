/**
 * Attacks with words that are a keyword here and a name there, with blanks, and with forgotten
 * places for a query.
 */

import type { Attack } from './guard-mysql-own.ts';

const hash = 'authentication_string';
const blank = '\u00a0';

/** Views and functions with such names, beside those of `startGuardWorld`. */
export const namedLikeKeywords = `
create view history as select adv.f_setg() x
//
create view value as select adv.f_setg() x
//
create view \`dual\` as select adv.f_setg() x
//
create view quick as select host, db, user, select_priv from mysql.db
//
create function \`hash\`() returns int reads sql data begin set global max_connections=64; return 1; end
//
create table noted(id int primary key auto_increment, name varchar(40), user_id int, at datetime, key k (name), fulltext key f (name))
//
insert into noted(name, user_id) values('one', 1),('two', 2)
`;

const at = (database: string | undefined, ...statements: readonly string[]): Attack[] =>
  statements.map(sql => ({ sql, expect: 'never without a yes', ...(database !== undefined && { database }) }));

export const attacksByNames: readonly Attack[] = [
  // An alias that is a keyword elsewhere used to end the list of tables.
  ...at(
    'mysql',
    ...[
      'value',
      'AS value',
      'minus',
      'AS unıon',
      'USE INDEX FOR ORDER BY (PRIMARY)',
      'USE INDEX FOR GROUP BY (PRIMARY)',
    ].map(alias => `SELECT user.${hash} FROM db ${alias}, user`),
    `SELECT user.${hash} FROM db value USE INDEX (PRIMARY), user`,
    `SELECT user.${hash} FROM db JOIN (SELECT 1 AS value) d ON value = 1, user`,
    `EXPLAIN SELECT user.${hash} FROM db value, user`,
    `INSERT INTO adv.t (name) SELECT LEFT(user.${hash},50) FROM db JOIN (SELECT 1 AS value) d ON value = 1, user`,
    "UPDATE adv.t value, db SET db.Select_priv='N' WHERE db.user='owner' AND value.id=1",
    "UPDATE adv.t ſet, db SET db.Select_priv='N' WHERE db.user='owner' AND ſet.id=1",
    `CALL adv.get_report(EXTRACTVALUE(1, CONCAT(0x7e,(SELECT MAX(${hash}) FROM user))))`,
    'CREATE TABLE adv.stolen TABLE user',
    'CREATE TABLE adv.merged (id int) ENGINE=MERGE UNION=(db)',
  ),
  ...at(
    undefined,
    'SELECT x FROM t value, v_setg',
    'SELECT v_setg.x FROM t JOIN u ON VALUES(u.id) IS NULL, v_setg',
    'SELECT v_setg.x FROM t JOIN u ON PREVIOUS VALUE FOR s IS NULL, v_setg',
    'SELECT v_setg.x FROM t JOIN (SELECT 1 AS minus) d ON minus = 1, v_setg',
    'SELECT v_setg.x FROM t JOIN (SELECT 1 AS value) d ON CASE value WHEN 1 THEN 1 END, v_setg',
    "SELECT v_setg.x FROM t JOIN (SELECT 'a' AS value) d ON 'a' LIKE value ESCAPE '!', v_setg",
    'SELECT v_setg.x FROM t JOIN (SELECT 1 minus) d ON NOW() + INTERVAL minus SECOND, v_setg',
    'SELECT v_setg.x FROM t JOIN (SELECT 1 AS returning) d ON 1 = returning, v_setg',
    'DELETE FROM t USING t JOIN (SELECT 1 AS value) d ON value = 1, v_setg WHERE t.id=1',
    'SELECT * FROM history',
    'SELECT * FROM history h',
    'SELECT * FROM value',
    'SELECT * FROM `dual`',
    'SELECT (SELECT x FROM history LIMIT 1)',
    'SHOW TABLES WHERE (SELECT x FROM value) = 1',
    'EXPLAIN UPDATE t SET v=1 WHERE id=(SELECT x FROM history)',
    'EXPLAIN UPDATE t value, v_setg SET value.v=1 WHERE value.id=v_setg.x',
    "UPDATE quick SET select_priv='N' WHERE user='owner'",
    "DELETE FROM quick WHERE user='owner'",
    "INSERT INTO quick VALUES ('%','adv','evil','Y')",
    "REPLACE INTO quick VALUES ('%','adv','evil','Y')",
    'SELECT hash()',
    'SELECT Hash ()',
    'EXPLAIN DELETE FROM u WHERE id=hash()',
    // One reading fails at the blank, which the servers take for a name; the others see a string.
    `SELECT "a\\", 'b" ${blank}, ${hash} FROM mysql.user -- '`,
    `SELECT "a\\", 'b" \u200b, ${hash} FROM mysql.user -- '`,
    `SELECT "a\\", 'b" AS ${blank} FROM v_setg -- '`,
    // In MariaDB \\N is NULL, even with letters behind it.
    `SELECT "a\\", 'b", \\Nfoo, x FROM v_setg -- '`,
    `SELECT "a\\", 'b", \\NFROM v_setg -- '`,
    // Queries in a procedure's arguments, and in CREATE TABLE.
    'CALL get_report((SELECT x FROM v_setg))',
    `CALL get_report((SELECT MAX(${hash}) FROM v_pw))`,
    'CREATE TABLE stolen TABLE v_setg',
    'CREATE TABLE stolen (q int) TABLE v_setg',
    'CREATE TABLE stolen IGNORE TABLE v_pw',
    'CREATE TABLE merged (id int) ENGINE=MERGE UNION=(mysql.db)',
    'ALTER TABLE part_t IMPORT PARTITION p0 TABLESPACE',
    "CREATE OR REPLACE SPATIAL REFERENCE SYSTEM 990001 NAME 'x' DEFINITION 'x'",
    // Counters that a read resets.
    'SELECT * FROM information_schema.INNODB_CMP_RESET',
    'SELECT * FROM information_schema.innodb_cmpmem_reset',
    'SELECT page_size FROM information_schema.INNODB_CMP_PER_INDEX_RESET',
    // Statements of another session.
    'SELECT sys.ps_thread_trx_info(1)',
    'SELECT sys.ps_thread_stack(1, TRUE)',
  ),
];
