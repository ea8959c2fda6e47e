/**
 * The database that the door leads to, as its attacks need it: a private server, everything that a
 * way could change as one text, and a way back.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresBinaries, type PostgresServer, startPostgres } from '../../servers/postgres.ts';

export const shopperPassword = 'not-a-secret-for-shopper';
/** Where an attack would leave a file. */
const leftFiles = ['/tmp/wire-copy-of-m', '/tmp/wire-copy-of-one', '/tmp/wire-lo'];

const digest = (from: string): string =>
  `(select md5(coalesce(string_agg(x::text, '|' order by x::text), '')) from ${from} x)`;
const own = (catalog: string): string => `(select * from pg_catalog.${catalog} where oid >= 16384)`;

const whole = `select concat_ws(' ',
  ${['public.m', 'public.customers', 'public.orders', 'pg_largeobject_metadata', 'pg_db_role_setting'].map(digest).join(', ')},
  ${['pg_class', 'pg_proc', 'pg_namespace', 'pg_type', 'pg_constraint'].map(name => digest(own(name))).join(', ')},
  ${['pg_authid', 'pg_auth_members', 'pg_extension', 'pg_description', 'pg_prepared_xacts', 'pg_publication'].map(digest).join(', ')},
  ${digest("(select name, setting from pg_file_settings where sourcefile like '%auto.conf')")},
  ${digest('(select slot_name from pg_replication_slots)')}, ${digest('(select oid, datname from pg_database)')},
  (select string_agg(concat_ws(':', sequencename, last_value), ',' order by sequencename) from pg_sequences))`;

export interface Shop {
  readonly server: PostgresServer;
  /** Of the server itself, without a door. */
  readonly bareSocket: string;
  /** Everything that can be changed, as one text. */
  state(): Promise<string>;
  /** Notifications that anybody sent. */
  heard(): number;
  /** The database anew. Whoever is connected to it loses the session. */
  reset(): Promise<void>;
  /** How many sessions a program of this name has in it. */
  sessions(applicationName: string): Promise<number>;
  stop(): Promise<void>;
}

export async function openShop(binaries: PostgresBinaries): Promise<Shop> {
  const server = await startPostgres(binaries);
  await server.psql('create database made');
  await server.psql(readFileSync(new URL('fixture.sql', import.meta.url), 'utf8'), 'made');
  await server.psql(`alter role shopper password '${shopperPassword}'`);
  let listener: pg.Client | null = null;
  let notifications = 0;

  async function reset(): Promise<void> {
    await listener?.end();
    await server.ask(`select lo_unlink(oid) from pg_largeobject_metadata`).catch(() => {});
    await server.psql(`alter role postgres reset all; alter role rw reset all;
      alter role rw set default_transaction_read_only = off;`);
    await server.psql('alter system reset all');
    await server.psql('drop database if exists shop with (force)');
    await server.psql('create database shop template made strategy file_copy');
    listener = new pg.Client({
      host: server.socketFolder,
      port: server.port,
      user: server.superuser,
      database: 'shop',
      application_name: 'listener',
    });
    listener.on('error', () => {});
    listener.on('notification', () => {
      notifications += 1;
    });
    await listener.connect();
    await listener.query('listen x');
  }

  async function asked(sql: string): Promise<string> {
    const { rows } = (await listener?.query({ text: sql, rowMode: 'array' })) ?? { rows: [] };
    return String(rows[0]?.[0] ?? '');
  }

  await reset();
  return {
    server,
    bareSocket: join(server.socketFolder, `.s.PGSQL.${server.port}`),
    heard: () => notifications,
    state: async () => `${await asked(whole)} ${notifications} ${leftFiles.filter(path => existsSync(path)).join(' ')}`,
    reset,
    sessions: async name =>
      Number(await asked(`select count(*) from pg_stat_activity where application_name = '${name}'`)),
    async stop() {
      await listener?.end();
      await server.stop();
    },
  };
}
