/** Restores a used MariaDB or MySQL server to its state after the start. */

import { isMysql, type MariadbServer } from './mariadb.ts';

const systems = "('information_schema', 'mysql', 'performance_schema', 'sys')";

/** Variables that count what happened, or tell the time. */
const moving =
  "('gtid_binlog_pos', 'gtid_binlog_state', 'gtid_current_pos', 'gtid_executed', 'gtid_slave_pos', 'last_gtid', 'timestamp', 'rand_seed1', 'rand_seed2', 'pseudo_thread_id', 'innodb_buffer_pool_dump_status')";

/** What all databases share. */
const state = [
  'select schema_name, default_character_set_name from information_schema.schemata order by 1',
  `select * from mysql.${isMysql() ? 'user' : 'global_priv'} order by host, user`,
  'select * from mysql.db order by host, db, user',
  'select * from mysql.tables_priv order by host, db, user, table_name',
  'select * from mysql.columns_priv order by host, db, user, table_name, column_name',
  'select * from mysql.procs_priv order by host, db, user, routine_name',
  'select * from mysql.func order by name',
  'select * from mysql.servers order by server_name',
  'select * from mysql.plugin order by name',
  'select count(*) from mysql.time_zone',
  'select routine_schema, count(*) from information_schema.routines group by 1 order by 1',
  'select count(*) from information_schema.events',
  `select variable_name, variable_value from ${isMysql() ? 'performance_schema' : 'information_schema'}.global_variables where variable_name not in ${moving} order by 1`,
  'xa recover',
].join('; ');

/** @returns what `renewMariadb` must restore. */
export function stateOfMariadb(server: MariadbServer): Promise<string> {
  return server.ask(state);
}

/** Rejects if something is in the way. */
export async function renewMariadb(server: MariadbServer): Promise<void> {
  const column = async (sql: string): Promise<readonly string[]> =>
    (await server.ask(sql)).split('\n').filter(line => line !== '');
  const killed = await column(
    "select concat('kill ', id) from information_schema.processlist where id <> connection_id() and user not in ('system user', 'event_scheduler')",
  );
  // A session that has ended meanwhile can't be killed.
  for (const statement of killed) await server.ask(statement).catch(() => {});
  const dropped = [
    ...(await column(
      `select concat('drop database \`', replace(schema_name, '\`', '\`\`'), '\`') from information_schema.schemata where schema_name not in ${systems}`,
    )),
    ...(await column(
      isMysql()
        ? "select concat('drop user ', quote(user), '@', quote(host)) from mysql.user where user <> 'root' and user not like 'mysql.%'"
        : "select if(json_value(priv, '$.is_role') = 1, concat('drop role ', quote(user)), concat('drop user ', quote(user), '@', quote(host))) from mysql.global_priv where user not in ('root', 'mariadb.sys')",
    )),
  ];
  if (dropped.length > 0) await server.ask(`set lock_wait_timeout = 5; ${dropped.join('; ')}`);
}
