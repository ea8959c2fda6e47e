/** Restores a used PostgreSQL server to its state after the start. */

import pg from 'pg';
import type { PostgresServer } from './postgres.ts';

/** What all databases share, `template1`, and the settings that a session starts with. */
const state = `select concat_ws(E'\\n',
  (select string_agg(concat_ws(' ', datname, pg_get_userbyid(datdba), datacl, datconnlimit), ',' order by datname) from pg_database),
  (select string_agg(to_jsonb(r)::text, ',' order by rolname) from (select * from pg_authid where rolname !~ '^pg_') r),
  (select string_agg(m::text, ',' order by m::text) from pg_auth_members m),
  (select string_agg(s::text, ',' order by s::text) from pg_db_role_setting s),
  (select string_agg(t::text, ',' order by t::text) from pg_tablespace t),
  (select string_agg(slot_name, ',') from pg_replication_slots),
  (select string_agg(gid, ',') from pg_prepared_xacts),
  (select string_agg(subname, ',') from pg_subscription),
  (select string_agg(a::text, ',' order by a::text) from pg_parameter_acl a),
  (select md5(string_agg(concat(name, '=', setting), ',' order by name)) from pg_settings where name <> 'transaction_read_only'),
  (select count(*) from pg_class where oid >= 16384),
  (select count(*) from pg_proc where oid >= 16384),
  (select md5(string_agg(concat(nspname, nspacl), ',' order by nspname)) from pg_namespace)
)`;

/** @returns what `renewPostgres` must restore. */
export function stateOfPostgres(server: PostgresServer): Promise<string> {
  return inTemplate(server, async column => (await column(state)).join());
}

/** Rejects if something is in the way. */
export function renewPostgres(server: PostgresServer): Promise<void> {
  return inTemplate(server, async column => {
    const runRows = async (sql: string): Promise<void> => {
      for (const statement of await column(sql)) await column(statement);
    };
    await column(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    await column('select pg_drop_replication_slot(slot_name) from pg_replication_slots');
    await runRows(
      "select format('drop database %I with (force)', datname) from pg_database where datname not in ('template0', 'template1')",
    );
    await column('create database postgres template template0 strategy file_copy');
    await runRows(
      `select format('drop role %I', rolname) from pg_roles where rolname !~ '^pg_' and rolname <> '${server.superuser}'`,
    );
    await column(`alter role ${server.superuser} reset all`);
    await column('alter system reset all');
    await column('select pg_reload_conf()');
  });
}

type Column = (sql: string) => Promise<readonly string[]>;

async function inTemplate<T>(server: PostgresServer, work: (column: Column) => Promise<T>): Promise<T> {
  const { socketFolder, port, superuser } = server;
  const client = new pg.Client({ host: socketFolder, port, user: superuser, database: 'template1' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(async sql =>
      (await client.query<string[]>({ text: sql, rowMode: 'array' })).rows.map(([value = '']) => value),
    );
  } finally {
    await client.end();
  }
}
