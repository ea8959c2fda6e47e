/** The published attacks on SQLite; a comment says what one tries, or where it was seen. */

import type { AttackGroup } from './attack.ts';

export const sqliteAttacks: readonly AttackGroup[] = [
  {
    kind: 'several_statements',
    class: 'forbidden',
    statements: [
      '-- only', // nothing to run
    ],
  },
  {
    kind: 'server_files',
    class: 'forbidden',
    statements: [
      "SELECT fts3_tokenizer('x', x'4141414141414141')", // pointer injection (old builds)
      "CREATE VIRTUAL TABLE c9 USING csv(filename='/etc/passwd')", // file reach through a module
      'SELECT "load_extension"(\'/srv/x.so\')', // quoted call
      "SELECT load_extension('/srv/x.so')", // native code
      "VACUUM main INTO '/srv/out/adv/out_vac2.db'", // qualified
      '.read /etc/passwd', // CLI dot command
      "ATTACH ':memory:' AS m", // session state
      "VACUUM INTO '/srv/out/adv/out_vac.db'", // writes a copy of the database to any path
      '.shell id', // CLI dot command
      "ATTACH '/srv/out/adv/out_att.db' AS a", // opens/creates any file
      "ATTACH DATABASE '/etc/hostname' AS a", // opens any file
      "PRAGMA temp_store_directory = '/etc'", // writes temp files anywhere
    ],
  },
  {
    kind: 'session_settings',
    class: 'write',
    statements: [
      'PRAGMA wal_checkpoint(TRUNCATE)', // moves WAL into the file
      'PRAGMA optimize', // may run ANALYZE
    ],
  },
  {
    kind: 'session_settings',
    class: 'destructive',
    statements: [
      'PRAGMA application_id = 9', // header write
      'PRAGMA user_version(5)', // parenthesised setter
    ],
  },
  {
    kind: 'session_settings',
    class: 'forbidden',
    statements: [
      'DETACH DATABASE main', // session state
      'PRAGMA max_page_count = 1', // session state
      'PRAGMA journal_mode(DELETE)', // leaves WAL
      'PRAGMA locking_mode = EXCLUSIVE', // locks other processes out
      'PRAGMA foreign_keys = OFF', // integrity
      'PRAGMA synchronous = OFF', // durability
      'PRAGMA journal_mode = OFF', // durability
      'BEGIN IMMEDIATE', // holds the write lock
      'ROLLBACK', // transaction control
      'PRAGMA hard_heap_limit = 1', // process-wide
      'SAVEPOINT x', // transaction control
      "PRAGMA key = 'x'", // SQLCipher
      'PRAGMA/**/query_only/**/=/**/0', // comments inside
      'PRAGMA writable_schema(1)', // parenthesised
      'PRAGMA trusted_schema = ON', // lets schema call unsafe functions
      'PRAGMA writable_schema = ON', // lets UPDATE corrupt sqlite_master
      'PRAGMA case_sensitive_like = 1', // changes later answers
    ],
  },
  {
    kind: 'all_rows',
    class: 'destructive',
    statements: [
      'UPDATE {table} SET {column}=0', // no WHERE (no WHERE: destructive)
      'DELETE FROM {other}', // no WHERE (truncate optimisation) (no WHERE: destructive)
    ],
  },
  {
    kind: 'other_writes',
    class: 'write',
    statements: [
      "replace/**/into {table}({key},{text}) values(1,'z')", // comment
      'CREATE INDEX i9 ON {table}({text})',
      'WITH d AS (SELECT 1 id) DELETE FROM {other} WHERE {key} IN (SELECT id FROM d)', // starts with WITH
      'REINDEX', // maintenance
      "INSERT INTO {table}({text}) VALUES('x')",
      "INSERT INTO ft(ft) VALUES('optimize')", // FTS command insert
      "REPLACE INTO {table}({key},{text}) VALUES(1,'z')",
      'ANALYZE', // writes sqlite_stat1
      'CREATE VIEW v9 AS SELECT 1',
      'CREATE TEMP TABLE tt(id int)', // temp DDL: allowed by readonly open
      'CREATE TABLE n1(id int)',
      "INSERT INTO {table}({text}) VALUES('x') RETURNING {key}",
    ],
  },
  {
    kind: 'other_writes',
    class: 'destructive',
    statements: [
      'DROP TABLE IF EXISTS {other}',
      'DROP TRIGGER tg',
      'ALTER TABLE {table} DROP COLUMN {column}', // ALTER ... DROP (fails here: index)
      'CREATE TEMP TRIGGER tt1 AFTER INSERT ON {table} BEGIN DELETE FROM {other}; END', // new code needs an approval
      'CREATE TRIGGER t9 AFTER INSERT ON {table} BEGIN DELETE FROM {other}; END', // new code needs an approval
    ],
  },
];
