/**
 * MariaDB behind the walls: a private server with a binary log, and everything that a statement
 * could change.
 */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection as Beside, createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { connectionWith } from '../access/principals.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { dialect, isMysql, type MariadbServer, startMariadb } from '../servers/mariadb.ts';
import { fixture } from './statements.ts';
import { type State, seenThrough, type World } from './world.ts';

export const userPassword = 'not-a-secret-either';
const options = ['--log-bin=bin', '--innodb-stats-auto-recalc=0', '--sync-binlog=0', '--secure-file-priv='];
const ours = "('information_schema', 'performance_schema', 'mysql', 'sys')";

const list = (columns: string, from: string, where = '1') =>
  `(SELECT SHA2(COALESCE(GROUP_CONCAT(CONCAT_WS('#', ${columns}) ORDER BY ${columns} SEPARATOR '|'), ''), 256) FROM ${from} WHERE ${where})`;

const catalog = `SELECT ${[
  list(
    'TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE, CREATE_OPTIONS, CREATE_TIME, TABLE_COMMENT, TABLE_COLLATION',
    'information_schema.TABLES',
    `TABLE_SCHEMA NOT IN ${ours}`,
  ),
  list(
    'TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA',
    'information_schema.COLUMNS',
    `TABLE_SCHEMA NOT IN ${ours}`,
  ),
  list(
    'TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME',
    'information_schema.STATISTICS',
    `TABLE_SCHEMA NOT IN ${ours}`,
  ),
  list('TABLE_NAME, VIEW_DEFINITION', 'information_schema.VIEWS', `TABLE_SCHEMA NOT IN ${ours}`),
  list(
    'ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_DEFINITION',
    'information_schema.ROUTINES',
    `ROUTINE_SCHEMA NOT IN ${ours}`,
  ),
  list('TRIGGER_NAME, ACTION_STATEMENT', 'information_schema.TRIGGERS', `TRIGGER_SCHEMA NOT IN ${ours}`),
  list('EVENT_NAME, EVENT_DEFINITION', 'information_schema.EVENTS', `EVENT_SCHEMA NOT IN ${ours}`),
  list('SCHEMA_NAME', 'information_schema.SCHEMATA'),
  ...(isMysql()
    ? [
        list('Host, User, Super_priv, Insert_priv, authentication_string, account_locked', 'mysql.user'),
        list('FROM_HOST, FROM_USER, TO_HOST, TO_USER', 'mysql.role_edges'),
      ]
    : [list('Host, User, Priv', 'mysql.global_priv')]),
  list('Host, Db, User', 'mysql.db'),
  list('name, dl', 'mysql.plugin'),
  list('name, dl', 'mysql.func'),
  list('Server_name, Host', 'mysql.servers'),
  isMysql()
    ? list('SCHEMA_NAME, TABLE_NAME, COLUMN_NAME', 'information_schema.COLUMN_STATISTICS')
    : list('db_name, table_name, column_name', 'mysql.column_stats'),
  list(
    'VARIABLE_NAME, VARIABLE_VALUE',
    isMysql() ? 'performance_schema.global_variables' : 'information_schema.GLOBAL_VARIABLES',
    "VARIABLE_NAME NOT LIKE 'GTID%' AND VARIABLE_NAME NOT LIKE 'INNODB%'",
  ),
].join(', ')}`;

const locks = `SELECT COUNT(*) FROM performance_schema.metadata_locks l JOIN performance_schema.threads t ON t.THREAD_ID = l.OWNER_THREAD_ID
  WHERE t.PROCESSLIST_ID <> CONNECTION_ID() AND (OBJECT_SCHEMA = 'adv' OR OBJECT_TYPE IN ('USER LEVEL LOCK', 'GLOBAL', 'BACKUP', 'BACKUP LOCK')) AND LOCK_DURATION <> 'STATEMENT'`;

const tables = `SELECT CONCAT('\`', TABLE_SCHEMA, '\`.\`', TABLE_NAME, '\`') AS name FROM information_schema.TABLES
  WHERE TABLE_SCHEMA NOT IN ${ours} AND TABLE_TYPE IN ('BASE TABLE', 'SEQUENCE') ORDER BY 1`;

const session = `SELECT @x, @a, @@autocommit, @@tx_isolation, @@session.tx_read_only, @@sql_mode, @@character_set_client, @@foreign_key_checks,
  DATABASE(), CURRENT_ROLE(), USER()`;

/** @param user another account, and the SQL that makes it after each reset. */
export function mariadbWorld(user: { readonly name: string; readonly made: string } | null = null): World {
  let started: MariadbServer | null = null;
  let outside = '';
  const opened = new Map<string, Database>();
  let beside: Beside | null = null;
  const server = (): MariadbServer => {
    if (started === null) throw new Error('the server is not started');
    return started;
  };
  const endpoint = (account: string) =>
    endpointOf(server(), {
      ...{ database: 'adv', databases: 'own' },
      ...(account === user?.name && { user: account }),
    });
  const leaveAll = async (): Promise<void> => {
    await Promise.all([...opened.values()].map(database => database.close()));
    opened.clear();
    beside?.destroy();
    beside = null;
  };
  const besideNow = async (): Promise<Beside> => {
    if (beside === null) {
      const { host, port, user, password } = server();
      beside = await createConnection({ host, port, user, password });
      beside.on('error', () => {});
      await beside.query('SET SESSION group_concat_max_len = 100000000');
    }
    return beside;
  };
  const emptyOutside = (): void => {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside);
    chmodSync(outside, 0o777);
  };
  const ask = (sql: string): Promise<string> => server().ask(sql);

  return {
    engine: 'mysql',
    accounts: ['all privileges', ...(user === null ? [] : [user.name])],
    place: sql => sql.replaceAll('/srv/out/my', outside).replaceAll('/srv/out', outside),
    async start() {
      started = await startMariadb(options);
      outside = mkdtempSync(join(tmpdir(), 'sallyport-outside-'));
      await this.reset();
    },
    async stop() {
      await leaveAll();
      await started?.stop();
      started = null;
      rmSync(outside, { recursive: true, force: true });
    },
    connection: account => connectionWith({ ...endpoint(account), name: account }),
    database(account) {
      const known = opened.get(account);
      if (known !== undefined) return known;
      const ports = portsOf(server());
      const password = async () => (account === user?.name ? userPassword : server().password);
      const database = openMysql(endpoint(account), { ...ports, password });
      opened.set(account, database);
      return database;
    },
    async reset() {
      await leaveAll();
      emptyOutside();
      if (server().isEnding() || (await ask('SELECT 1').catch(() => '')) === '') await server().restart();
      const accounts = isMysql()
        ? `SELECT CONCAT('DROP USER ', QUOTE(User), '@', QUOTE(Host), ';') FROM mysql.user WHERE User <> 'root' AND User NOT LIKE 'mysql.%'`
        : `SELECT CONCAT('DROP USER ', QUOTE(User), '@', QUOTE(Host), ';') FROM mysql.global_priv WHERE User NOT IN ('root', 'mariadb.sys', 'mysql') AND JSON_VALUE(Priv, '$.is_role') IS NULL AND User <> '';
         SELECT CONCAT('DROP ROLE ', QUOTE(User), ';') FROM mysql.global_priv WHERE JSON_VALUE(Priv, '$.is_role') IS NOT NULL AND User <> '';`;
      const more = await ask(
        `SELECT CONCAT('DROP DATABASE \`', SCHEMA_NAME, '\`;') FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN ${ours} AND SCHEMA_NAME <> 'adv';
         ${accounts}`,
      );
      const replication = isMysql() ? 'STOP REPLICA; RESET REPLICA ALL' : 'STOP ALL SLAVES; RESET SLAVE ALL';
      await ask(`${replication}; SET GLOBAL general_log = 0; ${more}`);
      // The connection would carry over DATABASE(); each entry is a statement of its own.
      await server().client(
        `DELIMITER //\n${dialect(fixture('mysql'))
          .split(/^--.*$/m)
          .map(text => text.trim())
          .filter(text => text !== '')
          .join('\n//\n')}\n//\n`,
      );
      await ask(
        "DROP USER IF EXISTS 'app'@'%'; CREATE USER 'app'@'%' IDENTIFIED BY 'app'; GRANT SELECT ON adv.* TO 'app'@'%'",
      );
      if (user !== null) await ask(user.made);
    },
    async state(account): Promise<State> {
      const seen = await seenThrough(this.database(account), dialect(session));
      const look = await besideNow();
      const [found] = await look.query<RowDataPacket[]>(tables);
      const asked = [
        catalog,
        isMysql() ? 'SHOW REPLICA STATUS' : 'SHOW ALL SLAVES STATUS',
        locks,
        dialect('SHOW MASTER STATUS'),
        `CHECKSUM TABLE ${found.map(({ name }) => name).join(', ')} EXTENDED`,
      ];
      const told = [];
      for (const sql of asked) told.push(JSON.stringify((await look.query(sql))[0]));
      const [inside = '', replication = '', held = '', log = '', sums = ''] = told;
      return {
        rows: sums,
        catalog: inside,
        replication,
        locks: held,
        'binary log': log,
        files: readdirSync(outside, { recursive: true })
          .map(name => `${name}:${statSync(join(outside, String(name))).size}`)
          .sort()
          .join(','),
        session: seen,
      };
    },
  };
}
