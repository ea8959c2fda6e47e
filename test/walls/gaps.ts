/**
 * What the engine's wall alone lets through of the classified list (spec §7), measured on
 * PostgreSQL 15 and MariaDB 10.11. A server of another version may let through less, never more.
 *
 * A letter for each session, in the order of the columns. `c`: something differs afterwards. `r`:
 * it is answered; its effect ended with its session, or it revealed what nobody may know. `.`: the
 * wall holds. SQLite's wall lets none of its 53 through.
 */

export interface Gaps {
  readonly runs: readonly string[];
  readonly changes: readonly string[];
}

type Rows = readonly (readonly [letters: string, sql: string])[];

const gapsAt = (rows: Rows, column: number): Gaps => ({
  runs: rows.filter(([letters]) => letters[column] === 'r').map(([, sql]) => sql),
  changes: rows.filter(([letters]) => letters[column] === 'c').map(([, sql]) => sql),
});

/**
 * Columns: a superuser; an owner; a superuser's read session as `pg_read_all_data`, in which ANALYZE
 * skips tables of other roles; a fitting role's read session; its session that may write, which a
 * hidden function would have to reach: GRANT gives nothing there and VACUUM skips the table, both
 * with a warning.
 */
const onPostgres: Rows = [
  ['rrrrr', "SELECT set_config('statement_timeout','0',false)"],
  ['rrrrr', 'PREPARE p AS DELETE FROM u'],
  ['rrrrr', 'SET default_transaction_read_only = off'],
  ['rrrrr', 'SET statement_timeout = 0'],
  ['rrrrr', 'LISTEN ch'],
  ['rrrrr', 'RESET SESSION AUTHORIZATION'],
  ['rrrrr', "SELECT database_to_xml(true,false,'')"],
  ['rrrrr', "SELECT pg_logical_emit_message(false,'a','b')"],
  ['rrrrr', 'SELECT pg_try_advisory_lock(43)'],
  ['rrrrc', "SELECT lo_from_bytea(0, 'x')"],
  ['rrrrc', 'SELECT lo_create(0)'],
  ['rrrrc', "SELECT pg_notify('ch','x')"],
  ['rr...', 'CLUSTER t USING t_pkey'],
  ['rr...', "SELECT lo_put(4242, 0, 'HACK')"],
  ['rr...', 'LOCK TABLE t IN ACCESS EXCLUSIVE MODE'],
  ['r.r..', 'SELECT * FROM pg_shadow'],
  ['r.r..', 'SELECT rolpassword FROM pg_authid'],
  ['r.r..', 'SET ROLE postgres'],
  ['r....', "SELECT dblink_connect('c','host=127.0.0.1 port=55432 dbname=adv user=advowner')"],
  ['r....', "SELECT pg_read_binary_file('/etc/hostname')"],
  ['r....', "SELECT query_to_xml('SELECT pg_read_file(''/etc/hostname'')',true,false,'')"],
  ['r....', "SELECT * FROM pg_read_file('/etc/hostname')"],
  ['r....', "SELECT pg_ls_dir('/etc')"],
  ['r....', "SELECT pg_read_file('/etc/hostname')"],
  ['r....', "SELECT pg_file_unlink('/srv/out/pg/out_adm')"],
  ['r....', 'SELECT U&"pg\\005fread_file"(\'/etc/hostname\')'],
  ['r....', 'SELECT pg_rotate_logfile()'],
  ['r....', 'SELECT pg_catalog."pg_read_file"(\'/etc/hostname\')'],
  ['r....', "SELECT pg_import_system_collations('public')"],
  ['ccrrr', 'ANALYZE t'],
  ['cc...', 'REINDEX TABLE t'],
  [
    'c....',
    "SELECT * FROM dblink('host=127.0.0.1 port=55432 dbname=adv user=advowner','DELETE FROM u RETURNING id') AS x(id int)",
  ],
  ['c....', "SELECT pg_file_write('/srv/out/pg/out_adm','x',false)"],
  ['c....', "SELECT dblink_exec('host=127.0.0.1 port=55432 dbname=adv user=advowner','DELETE FROM u')"],
  [
    'c....',
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name='victim'",
  ],
  ['c....', "SELECT lo_export(4242, '/srv/out/pg/out_lo')"],
  ['c....', 'SELECT pg_reload_conf()'],
  ['c....', "COPY t TO '/srv/out/pg/out_copy.csv'"],
  ['c....', 'SELECT f_claims_stable()'],
  ['c....', "SELECT pg_create_physical_replication_slot('advslot')"],
  ['....r', 'GRANT ALL ON t TO PUBLIC'],
  ['....r', 'BEGIN READ WRITE'],
  ['....r', 'VACUUM t'],
  ['....c', 'CREATE TEMP TABLE tmpt(id int)'],
];

export const postgresGaps: Readonly<Record<string, Gaps>> = {
  superuser: gapsAt(onPostgres, 0),
  owner: gapsAt(onPostgres, 1),
};

export const postgresReaderRuns = gapsAt(onPostgres, 2).runs;

/** Columns: all privileges; a fitting role's read session; its session that may write. */
const onMariadb: Rows = [
  ['rrr', 'CACHE INDEX my_isam IN default'],
  ['rrr', 'DO SLEEP(0.01)'],
  ['rrr', "SELECT '¿\\'; DELETE FROM u; -- '"],
  ['rrr', 'HANDLER t OPEN'],
  ['rrr', '/*!99999 DELETE FROM u */ SELECT 1'],
  ['rrr', 'SELECT 1 /*! INTO @x */'],
  ['rrr', 'SELECT 1 INTO @x'],
  ['rrr', "SELECT GET_LOCK('x',0)"],
  ['r..', "SELECT LOAD_FILE/**/('/etc/hostname')"],
  ['r..', 'PURGE BINARY LOGS BEFORE NOW()'],
  ['r..', 'USE mysql'],
  ['r..', 'SELECT user, authentication_string FROM mysql.user'],
  ['r..', "SELECT /*!50000 LOAD_FILE*/('/etc/hostname')"],
  ['r..', "SHOW GRANTS FOR 'root'@'localhost'"],
  ['c..', "CHANGE MASTER TO MASTER_HOST='evil'"],
  ['c..', "SELECT 'x' /*!50000 INTO OUTFILE '/srv/out/my/out_d' */"],
  ['c..', 'SHUTDOWN'],
  ['..r', 'START TRANSACTION READ WRITE'],
  ['..r', 'ROLLBACK'],
  ['..r', 'SET TRANSACTION READ WRITE'],
  ['..r', 'BEGIN'],
];

export const mariadbGaps: Readonly<Record<string, Gaps>> = { 'all privileges': gapsAt(onMariadb, 0) };

/** MariaDB doesn't accept the additional one as a statement. */
export const mysqlGaps: Readonly<Record<string, Gaps>> = {
  'all privileges': gapsAt([...onMariadb, ['c..', "(SELECT 'x' INTO OUTFILE '/srv/out/my/out_f')"]], 0),
};

/** A fitting role. */
export const roleGaps: Readonly<Record<'postgres' | 'mysql', Readonly<Record<'read' | 'alone', Gaps>>>> = {
  postgres: { read: gapsAt(onPostgres, 3), alone: gapsAt(onPostgres, 4) },
  mysql: { read: gapsAt(onMariadb, 1), alone: gapsAt(onMariadb, 2) },
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
