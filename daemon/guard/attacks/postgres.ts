/** The published attacks on PostgreSQL; a comment says what one tries, or where it was seen. */

import type { AttackGroup } from './attack.ts';

export const postgresAttacks: readonly AttackGroup[] = [
  {
    kind: 'several_statements',
    class: 'forbidden',
    statements: [
      'COMMIT AND CHAIN; DELETE FROM {other}', // chained transaction keeps the mode: still refused
      "DO $$ BEGIN EXECUTE 'DE'||'LETE FROM {other}'; END $$", // dynamic SQL hides the verb
      "SELECT 'a\\'; DELETE FROM {other}; --'", // with standard_conforming_strings=on the string ends at \' : two statements; under off it is one. Strictest wins
      '',
      'COMMIT; DROP TABLE {other}', // the server-postgres 0.6.2 bypass (servers PR #1889, pgAdmin CVE-2026-12045)
      'SELECT 1\u0000; DROP TABLE {other}', // NUL byte: the wire protocol ends the string there; refuse outright
      'SET TRANSACTION READ WRITE; DELETE FROM {other}', // no COMMIT needed when nothing ran before it
      'ROLLBACK; DELETE FROM {other}; BEGIN', // leaves the wrapper transaction, restores it after
    ],
  },
  {
    kind: 'server_files',
    class: 'forbidden',
    statements: [
      'COPY {table} TO STDOUT', // puts a pooled connection into copy mode
      "SELECT pg_read_binary_file('/etc/hostname')", // server file read
      "SELECT query_to_xml('SELECT pg_read_file(''/etc/hostname'')',true,false,'')", // hides a forbidden function in a string
      "SELECT * FROM pg_read_file('/etc/hostname')", // FROM-clause form (crystaldba #178)
      "SELECT pg_file_write('/srv/out/pg/out_adm','x',false)", // adminpack file write
      "COPY {table} FROM PROGRAM 'echo 99'", // operating-system command
      "SELECT pg_ls_dir('/etc')", // server directory listing
      "SELECT pg_read_file('/etc/hostname')", // server file read; READ ONLY does not stop it
      "SELECT pg_file_unlink('/srv/out/pg/out_adm')", // adminpack file delete
      'SELECT U&"pg\\005fread_file"(\'/etc/hostname\')', // unicode-escaped identifier
      'SELECT pg_catalog."pg_read_file"(\'/etc/hostname\')', // qualified and quoted
      "SELECT lo_export(4242, '/srv/out/pg/out_lo')", // server file write inside READ ONLY
      "COPY {table} TO '/srv/out/pg/out_copy.csv'", // server file write inside READ ONLY
    ],
  },
  {
    kind: 'passwords',
    class: 'forbidden',
    statements: [
      'SELECT * FROM pg_shadow', // password hashes (superuser only)
      'SELECT rolpassword FROM pg_authid', // password hashes (superuser only)
    ],
  },
  {
    kind: 'sql_in_string',
    class: 'forbidden',
    statements: [
      "SELECT query_to_xml('DELETE FROM {other} RETURNING {key}',true,false,'')", // runs SQL from a string
      "SELECT database_to_xml(true,false,'')", // dumps every table in one cell
    ],
  },
  {
    kind: 'network',
    class: 'destructive',
    statements: [
      'IMPORT FOREIGN SCHEMA x FROM SERVER fs INTO {schema}', // says which tables of another server are read under which names
    ],
  },
  {
    kind: 'network',
    class: 'forbidden',
    statements: [
      "CREATE SUBSCRIPTION sb CONNECTION 'host=evil' PUBLICATION p", // network reach
      "SELECT * FROM dblink('host=127.0.0.1 port=55432 dbname=adv user=advowner','DELETE FROM {other} RETURNING {key}') AS x({key} int)", // as a table
      "SELECT dblink_connect('c','host=127.0.0.1 port=55432 dbname=adv user=advowner')", // opens an outbound connection
      "SELECT dblink_exec('host=127.0.0.1 port=55432 dbname=adv user=advowner','DELETE FROM {other}')", // second connection is not read-only
    ],
  },
  {
    kind: 'other_sessions',
    class: 'write',
    statements: [
      'LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE', // lock: stops every other session
      'SELECT pg_try_advisory_lock(43)',
      "SELECT pg_notify('ch','x')", // as a function
    ],
  },
  {
    kind: 'other_sessions',
    class: 'forbidden',
    statements: [
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name='victim'", // kills sessions; has its own tool
    ],
  },
  {
    kind: 'server_control',
    class: 'write',
    statements: [
      "SELECT pg_import_system_collations('{schema}')", // catalog rows written inside READ ONLY (postgres-mcp-hardened note)
    ],
  },
  {
    kind: 'server_control',
    class: 'destructive',
    statements: [
      'CREATE ROLE evil SUPERUSER LOGIN', // privilege change
      "SELECT pg_drop_replication_slot('advslot')", // breaks a replica
      'GRANT ALL ON {table} TO PUBLIC', // privilege change: admin + approval
      "SELECT pg_logical_emit_message(false,'a','b')",
      "SELECT pg_create_physical_replication_slot('advslot')",
    ],
  },
  {
    kind: 'server_control',
    class: 'forbidden',
    statements: [
      'CREATE EXTENSION IF NOT EXISTS plpython3u', // server code
      'ALTER DATABASE {database} SET default_transaction_read_only = off', // changes every later session
      'SELECT pg_rotate_logfile()', // server control
      'SELECT pg_reload_conf()', // server control
    ],
  },
  {
    kind: 'stored_code',
    class: 'write',
    statements: [
      'CALL p_write()', // procedure
      'CALL p_tx()', // procedure that commits and asks for READ WRITE itself: beats a session-level default_transaction_read_only
    ],
  },
  {
    kind: 'stored_code',
    class: 'write',
    decidedBy: 'catalog',
    statements: [
      'SELECT {key} FROM {table} WHERE f_write() > 0 LIMIT 1', // side effect in WHERE
    ],
  },
  {
    kind: 'stored_code',
    class: 'write',
    decidedBy: 'execution',
    statements: [
      'SELECT f_claims_stable()', // function hides the dblink: neither parser nor READ ONLY sees it; least privilege does
    ],
  },
  {
    kind: 'session_settings',
    class: 'forbidden',
    statements: [
      'EXECUTE p', // runs text the classifier never saw
      "SELECT set_config('statement_timeout','0',false)", // removes the gateway's own timeout
      'PREPARE p AS DELETE FROM {other}', // parks a write for a later EXECUTE
      'SET ROLE postgres', // identity change on a pooled connection
      'BEGIN READ WRITE', // transaction control belongs to its own tool
      'SET default_transaction_read_only = off', // poisons the pooled connection
      'SET statement_timeout = 0',
      'LISTEN ch', // session state
      'RESET SESSION AUTHORIZATION', // back to the login role
    ],
  },
  {
    kind: 'all_rows',
    class: 'destructive',
    statements: [
      'TRUNCATE {other}',
      'DELETE FROM {table} USING {other} WHERE TRUE', // WHERE TRUE is no filter (no WHERE: destructive)
      'TRUNCATE {table} CASCADE',
    ],
  },
  {
    kind: 'other_writes',
    class: 'write',
    statements: [
      "INSERT INTO {table}({text}) VALUES ('x') ON CONFLICT DO NOTHING RETURNING {key}", // returns rows, still a write
      'ANALYZE {table}', // maintenance: allowed by a READ ONLY transaction
      'CLUSTER {table} USING {index}', // rewrites the table
      'CREATE TEMP TABLE tmpt(id int)', // session-scoped DDL; leaks into a pooled connection
      'CREATE OR REPLACE VIEW {view} AS SELECT * FROM {table}', // replaces a definition
      "insert/**/into {table}({text}) values('x')", // comment as whitespace
      'UPDATE {table} SET {column}=0 WHERE {key}=1',
      "SELECT lo_from_bytea(0, 'x')",
      'SELECT lo_create(0)', // large object made; PG<=15 does not stop it in READ ONLY
      'DELETE FROM {table} WHERE {key}=10',
      "SELECT nextval('{sequence}')", // sequence advances, even on rollback
      'VACUUM {table}', // maintenance (not inside a transaction block)
      'SELECT * INTO newt FROM {table}', // SELECT INTO makes a table
      'CREATE INDEX newi ON {table}({column})', // DDL, locks writers
      'CREATE TABLE newt AS SELECT * FROM {table}', // CTAS
      'REINDEX TABLE {table}', // maintenance: rewrites the index, exclusive lock
    ],
  },
  {
    kind: 'other_writes',
    class: 'destructive',
    statements: [
      'DROP OWNED BY {role}', // everything of one role
      'DROP TABLE IF EXISTS {other} CASCADE',
      'ALTER TABLE {table} DROP COLUMN {column}',
      'DROP SCHEMA {schema} CASCADE', // everything
      "SELECT lo_put(4242, 0, 'HACK')", // large object overwritten, which no count of rows sees; PG<=15 does not stop it
    ],
  },
];
