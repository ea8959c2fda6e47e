/**
 * PostgreSQL behind the walls: a private server, a database copied from a template, and everything
 * that a statement could change.
 */

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../daemon/engines/engine.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { connectionWith } from '../access/principals.ts';
import { endpointOf, portsOf } from '../engines/postgres/suite.ts';
import { type PostgresBinaries, type PostgresServer, startPostgres } from '../servers/postgres.ts';
import { until } from '../waiting/until.ts';
import { fixture } from './statements.ts';
import { type State, seenThrough, type World } from './world.ts';

const owner = 'advowner';
export const ownerPassword = 'not-a-secret-either';

/** The whole catalog, or only rows that aren't the system's own. */
const catalogs: Readonly<Record<string, string>> = {
  pg_class: 'oid >= 16384',
  pg_attribute: 'attrelid >= 16384',
  pg_proc: 'oid >= 16384',
  pg_type: 'oid >= 16384',
  pg_collation: 'oid >= 16384',
  pg_constraint: 'oid >= 16384',
  pg_operator: 'oid >= 16384',
  pg_cast: 'oid >= 16384',
  pg_namespace: 'true',
  pg_index: 'indexrelid >= 16384',
  pg_rewrite: 'oid >= 16384',
  pg_description: 'objoid >= 16384',
  pg_trigger: 'true',
  pg_statistic: 'true',
  pg_statistic_ext: 'true',
  pg_enum: 'true',
  pg_policy: 'true',
  pg_language: 'true',
  pg_event_trigger: 'true',
  pg_extension: 'true',
  pg_foreign_server: 'true',
  pg_foreign_table: 'true',
  pg_user_mapping: 'true',
  pg_default_acl: 'true',
  pg_publication: 'true',
  pg_subscription: 'true',
  pg_sequence: 'true',
  pg_largeobject_metadata: 'true',
  pg_largeobject: 'true',
  pg_authid: 'true',
  pg_auth_members: 'true',
  pg_db_role_setting: 'true',
};

const digest = (from: string, where: string) =>
  `(select md5(coalesce(string_agg(x::text, '|' order by x::text), '')) from ${from} x where ${where})`;

/** What the database and its catalogs store. Looking at all of it takes a twentieth of a second. */
const kept = `select ${[
  ...Object.entries(catalogs).map(([name, where]) => `${digest(`pg_catalog.${name}`, where)} as ${name}`),
  "(select string_agg(datname, ',' order by datname) from pg_database) as databases",
].join(', ')}`;

interface Kept {
  readonly rows: string;
  readonly catalog: Readonly<Record<string, string>>;
  readonly largeObjects: string;
}

/**
 * If this position is unchanged, nothing stored was written: rows, catalogs, large objects and
 * sequences all go through the log.
 */
const written = 'pg_current_wal_insert_lsn()::text as written';

const around = `select ${[
  // Looked at first: the state of a session at work counts once it is idle.
  "(select count(*)::text from pg_stat_activity where application_name like 'Sallyport%' and state <> 'idle') as busy",
  written,
  `(select coalesce(string_agg(slot_name, ','), '') from pg_replication_slots) as slots`,
  `${digest('pg_file_settings', 'true')} as settings_file`,
  'pg_conf_load_time()::text as reloaded',
  `(select count(*)::text from pg_locks l where pid <> pg_backend_pid()
      and (locktype = 'advisory' or (relation >= 16384 and database = (select oid from pg_database where datname = current_database())))) as locks`,
].join(', ')}`;

/** Our own prepared statements don't count, unless SQL made them. */
const prepared = "pg_catalog.pg_prepared_statements where from_sql or name !~ '^(sallyport_[0-9a-f]{8}_[0-9]+)?$'";

/** Ours for each statement: one that waited has less time. */
const limits = "'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'";

const session = `select current_user, session_user,
  (select md5(string_agg(name || '=' || coalesce(setting, ''), ',' order by name)) from pg_catalog.pg_settings
    where name not in ('application_name', 'transaction_read_only', ${limits}) and name not like '%.%'),
  (select count(*) from ${prepared}), (select count(*) from pg_catalog.pg_listening_channels()),
  (select count(*) from pg_catalog.pg_cursors where name <> '')`;

/**
 * @param more SQL that makes more objects, as the superuser; the folder that the server may write
 *   to is `/srv/out`.
 * @param accounts besides superuser and owner: roles that `more` made, with the owner's password.
 */
export function postgresWorld(binaries: PostgresBinaries, more = '', accounts: readonly string[] = []): World {
  let started: PostgresServer | null = null;
  let beside: pg.Client | null = null;
  let victim: pg.Client | null = null;
  let outside = '';
  let heard = 0;
  let looked: (Kept & { readonly written: string }) | null = null;
  const opened = new Map<string, Database>();
  const server = (): PostgresServer => {
    if (started === null) throw new Error('the server is not started');
    return started;
  };
  const dial = async (applicationName: string, database = 'adv'): Promise<pg.Client> => {
    const client = new pg.Client({
      host: server().socketFolder,
      port: server().port,
      user: server().superuser,
      database,
      application_name: applicationName,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const place = (sql: string): string =>
    sql
      .replaceAll('/srv/out/pg', outside)
      .replaceAll('/srv/out', outside)
      .replaceAll('host=127.0.0.1 port=55432', `host=${server().socketFolder} port=${server().port}`)
      .replaceAll('host=127.0.0.1 port=5432', `host=${server().socketFolder} port=${server().port}`);
  const endpoint = (account: string) =>
    endpointOf(server(), {
      database: 'adv',
      ...(account !== 'superuser' && { user: account === 'owner' ? owner : account }),
    });

  const leaveAll = async (): Promise<void> => {
    await Promise.all([...opened.values()].map(database => database.close()));
    opened.clear();
    await Promise.all([beside?.end().catch(() => {}), victim?.end().catch(() => {})]);
    beside = null;
    victim = null;
  };

  /** Restores the database, and undoes what statements did to the server. */
  const restore = async (): Promise<void> => {
    const client = await dial('restore', 'postgres');
    const column = async (sql: string): Promise<string[]> =>
      (await client.query<string[]>({ text: sql, rowMode: 'array' })).rows.map(([value = '']) => value);
    /** Runs the statements that a query returns as rows. */
    const runRows = async (sql: string): Promise<void> => {
      for (const statement of await column(sql)) await client.query(statement);
    };
    try {
      await client.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots');
      await client.query('alter system reset all');
      await runRows(
        "select format('drop database %I with (force)', datname) from pg_database where datname not in ('postgres', 'template0', 'template1', 'made')",
      );
      await runRows(
        `select format('drop role %I', rolname) from pg_roles where rolname not like 'pg\\_%' and rolname <> all ('{${[owner, server().superuser, ...accounts].join(',')}}')`,
      );
      await runRows(
        `select format('revoke %I from %I', r.rolname, m.rolname) from pg_auth_members a join pg_roles r on r.oid = roleid join pg_roles m on m.oid = member where m.rolname = '${owner}'`,
      );
      await client.query(`alter role ${owner} password '${ownerPassword}'; alter role ${owner} reset all;
        create role ${owner}_probe; drop role ${owner}_probe`);
      await client.query('create database adv template made strategy file_copy');
      const [before] = await column('select clock_timestamp()::text');
      await client.query(`alter database adv owner to ${owner}`);
      await client.query('select pg_reload_conf()');
      // The server hears of it first and then tells its sessions: a session opened earlier would
      // show a change that no statement made.
      const isLoaded = `select (pg_conf_load_time() > '${before}')::text`;
      await until(async () => (await column(isLoaded))[0] === 'true', 'the settings are loaded again');
    } finally {
      await client.end();
    }
  };

  const keptState = async (client: pg.Client): Promise<Kept> => {
    const { rows: found } = await client.query<Record<string, string>>(kept);
    const { pg_largeobject = '', pg_largeobject_metadata = '', ...catalog } = found[0] ?? {};
    return { rows: await rowsOf(client), catalog, largeObjects: pg_largeobject + pg_largeobject_metadata };
  };

  /** The rows of each table and the position of each sequence. */
  const rowsOf = async (client: pg.Client): Promise<string> => {
    const { rows: relations } = await client.query<{ name: string; relkind: string }>(
      `select format('%I.%I', nspname, relname) as name, relkind from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'm', 'S') and nspname not like 'pg\\_%' and nspname <> 'information_schema' order by 1`,
    );
    if (relations.length === 0) return '';
    const digests = relations.map(({ name, relkind }) =>
      relkind === 'S' ? `(select concat(last_value, is_called) from ${name})` : digest(name, 'true'),
    );
    const { rows: found } = await client.query<{ all: string }>(`select concat_ws(',', ${digests.join(', ')}) as all`);
    return `${relations.map(({ name }) => name).join(',')} ${found[0]?.all}`;
  };

  const filesOutside = (): string =>
    readdirSync(outside, { recursive: true })
      .map(name => `${name}:${statSync(join(outside, String(name))).size}`)
      .sort()
      .join(',');

  /** A session ends when it next checks for interrupts. Once it has answered, it has checked. */
  const answeredBy = async (session: pg.Client | null): Promise<string> =>
    (await session?.query('select 1').then(
      () => 'answers',
      () => 'ended',
    )) ?? 'ended';

  /** Sessions are cleaned after they have answered. */
  const seenIdle = async (client: pg.Client): Promise<Record<string, string>> => {
    let seen: Record<string, string> = {};
    await until(async () => {
      const { rows: found } = await client.query<Record<string, string>>({ name: 'around', text: around });
      const [{ busy, ...rest } = {}] = found;
      seen = rest;
      return busy === '0';
    }, 'its sessions are idle');
    return seen;
  };

  return {
    engine: 'postgres',
    accounts: ['superuser', 'owner', ...accounts],
    place,
    async start() {
      started = await startPostgres(binaries);
      outside = join(started.socketFolder, 'outside');
      mkdirSync(outside);
      chmodSync(outside, 0o777);
      await started.psql(
        `create role ${owner} login password '${ownerPassword}'; create database made; alter database made owner to ${owner}`,
      );
      await started.psql(place(fixture('postgres')), 'made');
      if (more !== '') await started.psql(place(more), 'made');
      await this.reset();
    },
    async stop() {
      await leaveAll();
      await started?.stop();
      started = null;
    },
    connection: account => connectionWith({ ...endpoint(account), name: account }),
    database(account) {
      const known = opened.get(account);
      if (known !== undefined) return known;
      const database = openPostgres(
        endpoint(account),
        portsOf(account === 'superuser' ? server().password : ownerPassword),
      );
      opened.set(account, database);
      return database;
    },
    async reset() {
      await leaveAll();
      rmSync(outside, { recursive: true, force: true });
      mkdirSync(outside);
      chmodSync(outside, 0o777);
      await restore();
      beside = await dial('beside');
      victim = await dial('victim');
      heard = 0;
      looked = null;
      beside.on('notification', () => {
        heard += 1;
      });
      await beside.query('listen ch');
    },
    async state(account): Promise<State> {
      if (beside === null) throw new Error('not reset yet');
      const seen = await seenThrough(this.database(account), session);
      const { written = '', locks = '', ...settings } = await seenIdle(beside);
      if (looked?.written !== written) looked = { written, ...(await keptState(beside)) };
      const { rows, catalog, largeObjects } = looked;
      return {
        rows,
        catalog: createHash('sha256').update(JSON.stringify({ catalog, settings })).digest('hex'),
        'large objects': largeObjects,
        locks,
        'other sessions': await answeredBy(victim),
        notifications: `${heard}`,
        files: filesOutside(),
        session: seen,
      };
    },
  };
}
