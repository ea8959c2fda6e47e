/** The published attacks on MySQL and MariaDB; a comment says what one tries, or its source. */

import type { AttackGroup } from './attack.ts';

export const mysqlAttacks: readonly AttackGroup[] = [
  {
    kind: 'several_statements',
    class: 'forbidden',
    statements: [
      '',
      'SELECT 1 \\G DELETE FROM {other}', // client command; not SQL
      'COMMIT; DROP TABLE {other}', // multi statement (only with multipleStatements=true)
    ],
  },
  {
    kind: 'several_statements',
    class: 'forbidden',
    flavor: 'mariadb',
    statements: [
      'BEGIN NOT ATOMIC COMMIT; SET SESSION TRANSACTION READ WRITE; DELETE FROM {other}; END', // MariaDB: ONE statement that leaves both the transaction and the session default
      'IF 1 THEN DELETE FROM {other}; END IF', // MariaDB compound statement outside a procedure
      'FOR i IN 1..1 DO DELETE FROM {other}; END FOR', // MariaDB compound statement
      'BEGIN NOT ATOMIC DELETE FROM {other}; END', // MariaDB anonymous block: one statement, code inside
    ],
  },
  {
    kind: 'server_files',
    class: 'forbidden',
    statements: [
      "(SELECT 'x' INTO OUTFILE '/srv/out/my/out_f')", // parenthesised
      "SELECT LOAD_FILE/**/('/etc/hostname')", // comment before (
      "LOAD XML INFILE '/etc/hostname' INTO TABLE {table}", // file read
      "SELECT 'x' /*!50000 INTO OUTFILE '/srv/out/my/out_d' */", // hidden in an executable comment
      "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE {table}({text})", // reads a file on the GATEWAY's machine
      "SELECT /*!50000 LOAD_FILE*/('/etc/hostname')", // name in an executable comment
    ],
  },
  {
    kind: 'passwords',
    class: 'forbidden',
    statements: [
      'SELECT user, authentication_string FROM mysql.user', // password hashes
    ],
  },
  {
    kind: 'passwords',
    class: 'forbidden',
    decidedBy: 'catalog',
    flavor: 'mariadb',
    statements: [
      "SHOW GRANTS FOR 'root'@'localhost'", // shows another account's password hash on MariaDB
    ],
  },
  {
    kind: 'network',
    class: 'forbidden',
    statements: [
      "CREATE TABLE fed(id int) ENGINE=FEDERATED CONNECTION='mysql://evil/x'", // network reach
    ],
  },
  {
    kind: 'other_sessions',
    class: 'write',
    statements: [
      'LOCK TABLES {table} WRITE', // implicit COMMIT, session lock
      "SELECT GET_LOCK('x',0)", // server-wide lock that outlives the statement
    ],
  },
  {
    kind: 'other_sessions',
    class: 'forbidden',
    statements: [
      'KILL 999999', // has its own tool
    ],
  },
  {
    kind: 'server_control',
    class: 'destructive',
    statements: [
      "CREATE USER 'evil'@'%' IDENTIFIED BY 'x'", // privileges
      "GRANT ALL ON *.* TO 'app'@'%'", // privileges: admin + approval
      "ALTER USER 'app'@'%' IDENTIFIED BY 'app'", // credential
      'FLUSH PRIVILEGES', // server-wide
    ],
  },
  {
    kind: 'server_control',
    class: 'destructive',
    flavor: 'mariadb',
    statements: [
      "SET PASSWORD FOR 'app'@'%' = PASSWORD('app')", // credential
    ],
  },
  {
    kind: 'server_control',
    class: 'forbidden',
    statements: [
      'CACHE INDEX my_isam IN default', // server control
      "CHANGE MASTER TO MASTER_HOST='evil'", // replication
      'FLUSH LOGS', // server control
      'PURGE BINARY LOGS BEFORE NOW()', // deletes binary logs
      'STOP SLAVE', // replication
      'RESET MASTER', // deletes binary logs
      'SHUTDOWN', // server control
    ],
  },
  {
    kind: 'stored_code',
    class: 'write',
    statements: [
      'CALL p_write()', // procedure
    ],
  },
  {
    kind: 'stored_code',
    class: 'write',
    decidedBy: 'catalog',
    statements: [
      'SELECT {key} FROM {table} WHERE f_write()=1 LIMIT 1', // side effect in WHERE
      'SELECT f_isam()', // side effect into a non-transactional table
    ],
  },
  {
    kind: 'stored_code',
    class: 'forbidden',
    statements: [
      'DO f_write()', // side effect through DO
    ],
  },
  {
    kind: 'session_settings',
    class: 'write',
    statements: [
      'SELECT 1 /*! INTO @x */', // executable comment inside a SELECT: any /*! makes the statement a write
      'SELECT 1 INTO @x', // sets a session variable
    ],
  },
  {
    kind: 'session_settings',
    class: 'forbidden',
    statements: [
      'START TRANSACTION READ WRITE', // ends the READ ONLY transaction, opens a READ WRITE one
      'ROLLBACK', // transaction control
      'USE mysql', // moves the pooled connection
      'DELIMITER //', // client command; changes where statements end
      'DO SLEEP(0.01)', // runs expressions, returns nothing
      'SET TRANSACTION READ WRITE', // next transaction
      'BEGIN', // implicit COMMIT, new READ WRITE transaction
      "PREPARE p FROM 'DELETE FROM {other}'", // parks a write
      'HANDLER {table} OPEN', // session state; unusual read path
      'EXECUTE p', // runs unseen text
    ],
  },
  {
    kind: 'session_settings',
    class: 'forbidden',
    flavor: 'mariadb',
    statements: [
      'SET STATEMENT max_statement_time=0 FOR DELETE FROM {other}', // MariaDB: SET prefix hides a DELETE
    ],
  },
  {
    kind: 'all_rows',
    class: 'destructive',
    statements: [
      'TRUNCATE TABLE {other}',
      'UPDATE {table} SET {column}=0', // no WHERE (no WHERE: destructive)
      'TRUNCATE {other}',
      'UPDATE {table} SET {column}=0 WHERE 1=1', // no real WHERE (no WHERE: destructive)
    ],
  },
  {
    kind: 'all_rows',
    class: 'destructive',
    flavor: 'mariadb',
    statements: [
      'ANALYZE FORMAT=JSON UPDATE {table} SET {column}=9', // has the class of what it runs: every row
    ],
  },
  {
    kind: 'other_writes',
    class: 'write',
    statements: [
      "REPLACE {table}({key},{text}) VALUES(1,'r')", // REPLACE without INTO: dbhub looks for REPLACE INTO only
      'ALTER TABLE {table} ADD COLUMN z int',
      'ALTER TABLE {table} MODIFY {text} varchar(200)',
      'INSERT INTO my_isam VALUES(5)', // MyISAM: not transactional, still refused by READ ONLY
      'INSERT INTO {table}({text}) SELECT {text} FROM {table} ON DUPLICATE KEY UPDATE {column}=1', // upsert
      "INSERT {table} SET {text}='x'", // INSERT without INTO, SET form
      'CREATE INDEX i1 ON {table}({column})',
      'DELETE FROM {other} WHERE {key}=1',
      'UPDATE {table} SET {column}=0 WHERE {key}=1',
      'ANALYZE TABLE {table}', // maintenance
      "INSERT INTO {table}({text}) VALUES('x')",
      "REPLACE/**/{table}({key},{text}) VALUES(1,'r')", // comment between
      'CREATE TEMPORARY TABLE tmp1(id int)', // session-scoped DDL; allowed in READ ONLY
      "insert/**/into {table}({text}) values('x')", // comment as space
    ],
  },
  {
    kind: 'other_writes',
    class: 'write',
    flavor: 'mariadb',
    statements: [
      "INSERT INTO {table}({text}) VALUES('x') RETURNING {key}", // MariaDB RETURNING
      'SELECT NEXT VALUE FOR s', // SQL-standard form
    ],
  },
  {
    kind: 'other_writes',
    class: 'write',
    flavor: 'mysql',
    statements: [
      'WITH x AS (SELECT 1 id) DELETE FROM {other} WHERE {key} IN (SELECT id FROM x)', // CTE + DELETE: MySQL 8 grammar
    ],
  },
  {
    kind: 'other_writes',
    class: 'destructive',
    statements: [
      'DROP EVENT ev',
      '/*!50000 DROP TABLE {other} */', // executable comment
      'DROP TABLE {other}', // DROP: implicit COMMIT
      'DROP TABLE IF EXISTS {other}, created_at',
      'ALTER TABLE {table} ENGINE=BLACKHOLE', // throws every row away
      'CREATE FUNCTION f9() RETURNS INT RETURN 1', // new code needs an approval
      'CREATE TRIGGER tg BEFORE INSERT ON {table} FOR EACH ROW SET NEW.{column}=1', // new code needs an approval
    ],
  },
  {
    kind: 'other_writes',
    class: 'destructive',
    flavor: 'mariadb',
    statements: [
      'SELECT SETVAL(s, 500)', // MariaDB sequence: later writes get values that are taken, or none
    ],
  },
  {
    kind: 'other_writes',
    class: 'destructive',
    flavor: 'mysql',
    statements: [
      'EXPLAIN ANALYZE DELETE FROM {other}', // has the class of what it runs: every row
    ],
  },
  {
    kind: 'other_writes',
    class: 'destructive',
    decidedBy: 'catalog',
    statements: [
      'CREATE OR REPLACE VIEW {view} AS SELECT 1', // replaces a view that exists
    ],
  },
];
