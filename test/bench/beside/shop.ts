/** A small shop on each engine, the account that servers are given, and what became of it. */

import pg from 'pg';
import { startMariadb } from '../../servers/mariadb.ts';
import { findPostgres, startPostgres } from '../../servers/postgres.ts';
import type { Place } from '../stdio/place.ts';

/** The account owns the shop, as an application's does, and nothing else. */
export interface Shop {
  readonly place: Place;
  /** `PostgreSQL 15.18` */
  readonly title: string;
  /** Makes the shop anew: 3 customers, nothing counted. */
  reset(): Promise<void>;
  /** True if nothing in it has changed since. */
  isUntouched(): Promise<boolean>;
  /** Customers that are left. */
  customers(): Promise<number>;
  /** Sessions that run a statement with this text. */
  running(text: string): Promise<number>;
  /** Opens a session of the same account, as the application has. */
  application(): Promise<Application>;
  stop(): Promise<void>;
}

export interface Application {
  readonly id: number;
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

const account = { user: 'shopkeeper', password: 'bench-only-9f2c', database: 'shop' } as const;
const rows = "insert into customers values (1, 'Ada'), (2, 'Bob'), (9007199254740993, 'Cy')";

export async function startPostgresShop(folder: string): Promise<Shop> {
  const found = findPostgres();
  if ('unavailable' in found) throw new Error(found.unavailable);
  const server = await startPostgres(found);
  await server.psql(`create role ${account.user} login password '${account.password}'`);
  await server.psql(`create database shop owner ${account.user}`);
  const ask = (sql: string) => server.ask(sql, 'shop');
  const { host, port } = server;
  const state = `select (select count(*) from customers) || ' ' || (select count(*) from counted) || ' ' ||
    (select last_value || is_called::text from numbers)`;
  return {
    place: { engine: 'postgres', host, port, ...account, folder },
    title: `PostgreSQL ${(await server.psql('show server_version')).split(' ')[0]}`,
    reset: async () => {
      await server.psql(
        `drop owned by ${account.user} cascade; create schema if not exists public;
         grant all on schema public to ${account.user}; set role ${account.user};
         create table customers (id bigint primary key, name text); ${rows};
         create table counted (n int); create sequence numbers;
         create function bump() returns int language plpgsql as
           'begin insert into counted values (1); return 1; end'`,
        'shop',
      );
    },
    isUntouched: async () => (await ask(state)) === '3 0 1false',
    customers: async () => Number(await ask('select count(*) from customers')),
    running: async text =>
      Number(
        await ask(
          `select count(*) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
           and usename = '${account.user}' and query like '%${text}%'`,
        ),
      ),
    application: async () => {
      const client = new pg.Client({ host, port, ...account });
      let isGone = false;
      client.on('error', () => {
        isGone = true;
      });
      await client.connect();
      const { rows: own } = await client.query('select pg_backend_pid() as pid');
      return {
        id: own[0].pid,
        isAlive: async () =>
          !isGone &&
          (await client.query('select 1').then(
            () => true,
            () => false,
          )),
        close: () => client.end().catch(() => {}),
      };
    },
    stop: () => server.stop(),
  };
}

export async function startMariadbShop(folder: string): Promise<Shop> {
  const server = await startMariadb();
  const of = `${account.user}@'127.0.0.1'`;
  await server.client(`CREATE USER ${of} IDENTIFIED BY '${account.password}'`);
  const ask = (sql: string) => server.ask(sql, 'shop');
  const { host, port } = server;
  const processes = `select count(*) from information_schema.processlist where user = '${account.user}'`;
  return {
    place: { engine: 'mysql', host, port, ...account, folder },
    title: `MariaDB ${(await server.ask('SELECT version()')).split('-')[0]}`,
    reset: async () => {
      await server.client(
        `DROP DATABASE IF EXISTS shop; CREATE DATABASE shop; GRANT ALL ON shop.* TO ${of}; USE shop;
         create table customers (id bigint primary key, name text); ${rows}; create table counted (n int);
         create procedure emptied() delete from customers;
         DELIMITER //
         create function bump() returns int modifies sql data begin insert into counted values (1); return 1; end //`,
      );
    },
    isUntouched: async () =>
      Number(await ask('select 10 * (select count(*) from customers) + (select count(*) from counted)')) === 30,
    customers: async () => Number(await ask('select count(*) from customers')),
    running: async text => Number(await ask(`${processes} and info like '%${text}%'`)),
    application: async () => {
      const { createConnection } = await import('mysql2/promise');
      const client = await createConnection({ host, port, ...account });
      client.on('error', () => {});
      const { id } = (
        (await client.query('select connection_id() as id')) as unknown as { id: number }[][]
      )[0]?.[0] ?? { id: 0 };
      return {
        id,
        isAlive: async () => Number(await ask(`${processes} and id = ${id}`)) === 1,
        close: async () => client.destroy(),
      };
    },
    stop: () => server.stop(),
  };
}
