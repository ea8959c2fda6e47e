/**
 * Once the person opens an access request, what it takes is counted and shown before the
 * passphrase, and its run is held to that (spec §12). It covers the person's own run, an allowed
 * client's run and `sallyport query`, on three engines, with the built command on real terminals.
 */

import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { noRows } from '../../../daemon/engines/count/taken-words.ts';
import type { AskView } from '../../../shared/control-commands.ts';
import { ranByUser, stillWaits } from '../../clients/mcp/said.ts';
import { needs } from '../../needs.ts';
import { lendMariadb, lendPostgres } from '../../servers/lent.ts';
import { mariadbUnavailable } from '../../servers/mariadb.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import {
  type Answer,
  choosing,
  missingForTyping,
  passphrasePrompt,
  runOnTerminal,
} from '../terminal/typed-on-a-terminal.ts';
import { type BridgeClient, bridgeClient } from './bridge-client.ts';

const passphrase = 'correct horse battery';
const which = 'Enter skips: ';
const number = 'or Enter to leave it waiting: ';
const yes: Answer = [passphrasePrompt, passphrase];

interface Engine {
  readonly missing: string | null;
  /** The prefix of `orders` in figures: its schema. */
  readonly schema: string;
  start(home: RealHome): Promise<Started>;
}

interface Started {
  /** Arguments of `connections add`. */
  readonly words: readonly string[];
  readonly stdin?: string;
  run(sql: string): Promise<unknown>;
  rows(table: string): Promise<number>;
  stop(): Promise<void>;
}

const postgres = findPostgres();
const engines: Readonly<Record<'PostgreSQL' | 'MariaDB' | 'SQLite', Engine>> = {
  PostgreSQL: {
    missing: 'unavailable' in postgres ? postgres.unavailable : null,
    schema: 'public.',
    async start() {
      const server = await lendPostgres();
      await server.psql('create database shop');
      return {
        words: [`postgresql://${server.superuser}@127.0.0.1:${server.port}/shop`, '--password-stdin'],
        stdin: server.password,
        run: sql => server.psql(sql, 'shop'),
        rows: async table => Number(await server.ask(`select count(*) from ${table}`, 'shop')),
        stop: () => server.stop(),
      };
    },
  },
  MariaDB: {
    missing: mariadbUnavailable(),
    schema: 'shop.',
    async start() {
      const server = await lendMariadb();
      await server.client('create database shop');
      return {
        words: [`mariadb://${server.user}@127.0.0.1:${server.port}/shop`, '--password-stdin'],
        stdin: server.password,
        run: sql => server.client(`use shop; ${sql}`),
        rows: async table => Number(await server.ask(`select count(*) from ${table}`, 'shop')),
        stop: () => server.stop(),
      };
    },
  },
  SQLite: {
    missing: null,
    schema: '',
    async start({ folder }) {
      const file = join(folder, 'shop.db');
      const within = <Result>(use: (database: SqliteFile) => Result): Result => {
        const database = new SqliteFile(file);
        try {
          return use(database);
        } finally {
          database.close();
        }
      };
      within(database => database.exec('create table first (id integer)'));
      return {
        words: [`sqlite:${file}`],
        run: async sql => within(database => database.exec(sql)),
        rows: async table => within(database => Number(database.value(`select count(*) from ${table}`))),
        stop: async () => {},
      };
    },
  },
};

const tables = ['orders', 'notes', 'logs'];
const values = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `(${from + at}, 'n${from + at}')`).join(', ');

describe.each(Object.entries(engines))('on %s', (_, engine) => {
  needs(engine.missing ?? missingForTyping()).describe('the figures of an access request', () => {
    let home: RealHome;
    let server: Started;
    let agent: BridgeClient;
    let count = 0;

    beforeAll(async () => {
      home = realHome(0, 'owner');
      server = await engine.start(home);
      expect((await home.run(['start'])).code).toBe(0);
      expect((await typed(['passphrase', 'set'], ...choosing(passphrase))).code).toBe(0);
      const { words, stdin = '' } = server;
      expect(await home.run(['connections', 'add', ...words, '--name', 'Shop'], { stdin })).toMatchObject({ code: 0 });
    }, 120_000);
    afterAll(async () => {
      await agent?.close();
      await home?.clean();
      await server?.stop();
    }, 60_000);

    beforeEach(async () => {
      for (const table of [...tables, 'extra']) await server.run(`drop table if exists ${table}`);
      for (const table of tables)
        await server.run(
          `create table ${table} (id integer primary key, note varchar(20)); insert into ${table} values ${values(1, 2)}`,
        );
      // Earlier requests are void, and each test uses another client.
      count += 1;
      await home.here(['connections', 'set', 'Shop', '--row-limit', `${100 + count}`]);
      await agent?.close();
      agent = await bridgeClient(home, `agent ${count}`);
    }, 60_000);

    const typed = (words: readonly string[], ...answers: Answer[]) => runOnTerminal(home, words, answers);
    const waiting = () => home.json<AskView[]>(['allow']);
    const send = (sql: string) => agent.query('Shop', sql);
    const grow = () => server.run(`insert into orders values ${values(3, 42)}`);
    const grown: Answer = [
      passphrasePrompt,
      async () => {
        await grow();
        return passphrase;
      },
    ];
    const orders = `${engine.schema}orders`;

    test('are shown by `allow`, and limit the person’s run: it waits again, with the new figures', async () => {
      const sql = 'delete from orders';
      expect(await send(sql)).toContain('denied: ');
      expect((await waiting())[0]?.statement?.takes).toBeUndefined();
      const held = await typed(['allow'], [number, '1'], grown);
      expect(held.shown).toContain(`deletes all 2 rows of ${orders}`);
      expect(held.code).toBe(1);
      expect(held.shown).toContain('Nothing was changed: it would have taken more than you were shown.');
      expect(held.shown).toContain(`As things are now it deletes all 42 rows of ${orders}.`);
      expect(await server.rows('orders')).toBe(42);
      expect(await send(sql)).toMatch(stillWaits);
      const again = await typed(['allow'], [number, '1'], yes);
      expect(again).toMatchObject({ code: 0, shown: expect.stringContaining(`deletes all 42 rows of ${orders}`) });
      expect(await server.rows('orders')).toBe(0);
      expect(await send(sql)).toContain(ranByUser);
    }, 90_000);

    test('limit an allowed client’s run: it is told so, and its person is asked again', async () => {
      const sql = "update orders set note = 'x' where id < 1000";
      expect(await send(sql)).toContain('denied: ');
      const allowed = await typed(['allow', '--times', '2'], [number, '1'], yes);
      expect(allowed).toMatchObject({ code: 0, shown: expect.stringContaining(`changes all 2 rows of ${orders}`) });
      expect(await send(sql)).toContain('"rows_affected":2');
      await grow();
      expect(await send(sql)).toMatch(/^denied: Nothing was changed: it would have taken more than the user saw/);
      expect(await send(sql)).toMatch(stillWaits);
      expect(await waiting()).toMatchObject([{ statement: { text: sql } }]);
      const again = await typed(['allow'], [number, '1'], yes);
      expect(again.shown).toContain(`rows of ${orders}`);
      expect(await send(sql)).toContain('"rows_affected":');
    }, 90_000);

    test('may be higher than the run', async () => {
      const sql = 'delete from orders';
      await grow();
      expect(await send(sql)).toContain('denied: ');
      const fewer: Answer = [
        passphrasePrompt,
        async () => {
          await server.run('delete from orders where id > 30');
          return passphrase;
        },
      ];
      expect((await typed(['allow'], [number, '1'], fewer)).code).toBe(0);
      expect(await server.rows('orders')).toBe(0);
    }, 60_000);

    test('are shown and kept if a whole table goes', async () => {
      const sql = 'drop table orders';
      expect(await send(sql)).toContain('denied: ');
      const held = await typed(['allow'], [number, '1'], grown);
      expect(held.shown).toContain(`drops ${orders} (2 rows)`);
      expect(held).toMatchObject({ code: 1, shown: expect.stringContaining('more than you were shown') });
      expect(await server.rows('orders')).toBe(42);
      expect(await send(sql)).toMatch(stillWaits);
      expect((await typed(['allow'], [number, '1'], yes)).code).toBe(0);
      await expect((async () => server.rows('orders'))()).rejects.toThrow();
    }, 90_000);

    test('are shown by `sallyport query` at its person’s terminal, and limit its run', async () => {
      const held = await typed(['query', 'Shop', 'delete from orders'], grown);
      expect(held.shown).toContain(`deletes all 2 rows of ${orders}`);
      expect(held).toMatchObject({ code: 1, shown: expect.stringContaining('more than you were shown') });
      expect(await server.rows('orders')).toBe(42);
      const ran = await typed(['query', 'Shop', 'delete from orders'], yes);
      expect(ran.shown).toContain(`deletes all 42 rows of ${orders}`);
      expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('Ran; 42 rows changed.') });
    }, 60_000);

    test('are counted for each statement of a migration, which runs in one go under one passphrase', async () => {
      const migration = [
        'create table extra (id integer primary key)',
        'delete from orders',
        'delete from notes',
        'alter table logs drop column note',
        'create index extra_of_notes on notes (note)',
      ];
      for (const statement of migration) expect(await send(statement)).toContain('denied: ');
      const ran = await typed(['allow'], [which, 'all'], [number, '1'], yes);
      for (const table of tables.slice(0, 2))
        expect(ran.shown).toContain(`deletes all 2 rows of ${engine.schema}${table}`);
      expect(ran.shown).toContain(`alters ${engine.schema}logs (2 rows)`);
      expect({ code: ran.code, asked: ran.shown.split(passphrasePrompt.trim()).length - 1 }).toEqual({
        code: 0,
        asked: 1,
      });
      expect(await Promise.all(['orders', 'notes', 'logs'].map(server.rows))).toEqual([0, 0, 2]);
      for (const statement of migration) expect(await send(statement)).toContain(ranByUser);
    }, 90_000);

    test('say so if rows are only added; a failure is reported without the server’s words', async () => {
      expect(await send("insert into orders values (3, 'c')")).toContain('denied: ');
      const added = await typed(['allow'], [number, '2'], yes);
      expect(added.code).toBe(0);
      expect(added.shown).toContain(`Effect ${noRows}`);
      expect(added.shown).not.toContain('Not counted');
      expect(await server.rows('orders')).toBe(3);
      expect(await send("insert into orders values (3, 'secret')")).toContain('denied: ');
      const failed = await typed(['allow'], [number, '2'], [passphrasePrompt, '\u0003']);
      expect(failed.shown).toContain('Not counted As things are now it would fail.');
      expect(failed.shown).not.toMatch(/duplicate|unique/i);
      expect(await server.rows('orders')).toBe(3);
    }, 90_000);

    test.each([80, 60])(
      'fit a terminal of %i columns',
      async columns => {
        expect(await send('delete from orders')).toContain('denied: ');
        const { drawn } = await runOnTerminal(
          home,
          ['allow'],
          [
            [number, '1'],
            [passphrasePrompt, '\u0003'],
          ],
          columns,
        );
        const widths = stripVTControlCharacters(drawn)
          .split(/\r?\n/)
          .map(line => line.trimEnd().length);
        expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
        expect(drawn).toContain(orders);
      },
      60_000,
    );
  });
});
