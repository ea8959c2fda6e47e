/**
 * Threat: `requests.open` needs no passphrase and counts by a trial, on a Read Only connection too.
 * A rollback doesn't restore the numbers of a sequence or AUTO_INCREMENT, which may run out. So a
 * program that was allowed nothing must not use them up.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { byCascade } from '../../daemon/engines/count/taken.ts';
import { noRows } from '../../daemon/engines/count/taken-words.ts';
import { type BridgeClient, bridgeClient } from '../journeys/approvals/bridge-client.ts';
import { choosing, missingForTyping, runOnTerminal } from '../journeys/terminal/typed-on-a-terminal.ts';
import { needs } from '../needs.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { dialect, isMysql, mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres } from '../servers/postgres.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { forgedShell } from './agent-with-a-shell/forged-shell.ts';

interface Server {
  readonly url: string;
  readonly password: string;
  /** Everything that a rollback doesn't restore. */
  numbers(): Promise<string>;
  stop(): Promise<void>;
}

type Shown = string | RegExp | null;

interface Engine {
  readonly missing: string | null;
  start(): Promise<Server>;
  /** Statements that would use up numbers, and what is shown of each. */
  readonly attempts: readonly (readonly [sql: string, shown: Shown])[];
  /** Statements that use up none; they are still tried. */
  readonly counted: readonly (readonly [sql: string, shown: Shown])[];
}

const spared = /would use up numbers/;

const postgres: Engine = {
  missing: (found => ('unavailable' in found ? found.unavailable : null))(findPostgres()),
  async start() {
    const server = await lendPostgres();
    await server.psql('create database shop');
    await server.psql(
      `create table orders (id serial primary key, note text); insert into orders (note) select 'n' from generate_series(1, 20);
create table small (id smallserial primary key, note text); create table own (id int generated always as identity, note text);
create table tally (id int primary key, n int default 0); insert into tally values (1, 1);
create table audit (id serial, what text); create table audited (id int primary key); insert into audited select generate_series(1, 50);
create function audits() returns trigger language plpgsql as 'begin insert into audit (what) values (old.id); return null; end';
create trigger t after delete on audited for each row execute function audits();
create table numbering (id int primary key); insert into numbering values (1); create sequence counted;
create function takes_number() returns int language sql volatile as 'select nextval(''counted'')::int';
create function numbers() returns trigger language plpgsql as 'begin perform nextval(''counted''); return new; end';
create trigger t before update on numbering for each row execute function numbers();
create table parent (id int primary key); insert into parent values (1);
create table kid (id serial primary key, num int references parent on delete cascade); insert into kid (num) values (1);`,
      'shop',
    );
    return {
      url: `postgresql://${server.superuser}@127.0.0.1:${server.port}/shop`,
      password: server.password,
      numbers: () =>
        server.ask(
          `select string_agg(concat(sequencename, ' ', coalesce(last_value, 0)), ', ' order by sequencename) from pg_sequences`,
          'shop',
        ),
      stop: () => server.stop(),
    };
  },
  attempts: [
    ["insert into small (note) select 'x' from generate_series(1, 32767)", null],
    ["insert into own (note) select 'x' from generate_series(1, 1000)", null],
    ["insert into orders (note) values ('x') on conflict (id) do update set note = 'y'", spared],
    ["insert into tally values (1, 2), (nextval('counted'), 2)", null],
    ["update orders set id = nextval('orders_id_seq') where id = 1", spared],
    ['update orders set id = default where id = 1', spared],
    ['update tally set n = takes_number() where id = 1', spared],
    ['update numbering set id = 1 where id = 1', spared],
    ["with added as (insert into own (note) values ('y')) delete from tally where id = 1", spared],
    ["merge into orders using (select 1) as s on false when not matched then insert (note) values ('m')", spared],
    ['delete from audited', /^deletes up to 50 rows of public\.audited\n.*would use up numbers/],
  ],
  counted: [
    ['delete from orders where id <= 7', 'deletes 7 rows of public.orders'],
    ["update orders set note = 'x'", 'changes all 20 rows of public.orders'],
    ['delete from parent where id = 1', `deletes 1 row of public.parent\ndeletes 1 row of public.kid, ${byCascade}`],
    ['insert into tally values (2, 2)', null],
    ['insert into tally values (1, 2) on conflict (id) do update set n = 3', 'changes 1 row of public.tally'],
  ],
};

const mysql: Engine = {
  missing: mariadbUnavailable(),
  async start() {
    const server = await lendMariadb();
    await server.client(
      dialect(`create database shop; use shop;
create table orders (id int auto_increment primary key, note varchar(20)); insert into orders (note) values ('a'), ('b');
create table tiny (id tinyint auto_increment primary key, note varchar(20)); insert into tiny (note) values ('a');
create table plain (id int primary key, n int); insert into plain values (1, 1), (2, 2);
create table audit (id int auto_increment primary key, w int); create table audited (id int primary key); insert into audited select seq from seq_1_to_50;
create trigger t after delete on audited for each row insert into audit (w) values (old.id);
${isMysql() ? '' : 'create sequence counted; create table moved (id int primary key); insert into moved values (1); create trigger m before update on moved for each row set new.id = nextval(counted);'}`),
    );
    const increments = `select table_name from information_schema.tables where table_schema = 'shop' and auto_increment is not null order by 1`;
    return {
      url: `mariadb://${server.user}@127.0.0.1:${server.port}/shop`,
      password: server.password,
      async numbers() {
        const names = (await server.ask(increments, 'shop')).trim().split(/\s+/);
        const made = await Promise.all(names.map(name => server.ask(`show create table ${name}`, 'shop')));
        const numbers = made.map(text => /AUTO_INCREMENT=\d+/.exec(text)?.[0] ?? 'none');
        const sequence = isMysql() ? '' : await server.ask('select next_not_cached_value from counted', 'shop');
        return [...names, ...numbers, sequence.trim()].join(' ');
      },
      stop: () => server.stop(),
    };
  },
  attempts: [
    ["insert into orders (id, note) values (2147483647, 'x')", null],
    ["insert into tiny (note) select 'x' from audited", null],
    ["replace into tiny (id, note) values (126, 'y')", spared],
    ["insert into orders (id, note) values (1, 'z'), (1000000, 'q') on duplicate key update note = 'd'", spared],
    ['update orders set id = 2000000000 where id = 1', spared],
    ['delete from audited', /^deletes up to 50 rows of shop\.audited\n.*would use up numbers/],
    ...(isMysql()
      ? []
      : ([
          ['update plain set n = nextval(counted) where id = 1', spared],
          ['update plain set n = next value for counted where id = 1', spared],
          ['update plain set n = setval(counted, 9000000) where id = 1', /A sequence that it sets stays so/],
          ['update moved set id = 2 where id = 1', spared],
        ] as const)),
  ],
  counted: [
    ['delete from orders where id = 1', 'deletes 1 row of shop.orders'],
    ["update orders set note = 'x'", 'changes all 2 rows of shop.orders'],
    ['insert into plain values (3, 3)', null],
    ['insert into plain values (1, 3) on duplicate key update n = 3', 'changes 1 row of shop.plain'],
  ],
};

describe.each([
  ['PostgreSQL', postgres],
  ['MariaDB', mysql],
] as const)('a request that anybody opens on %s', (_, engine) => {
  needs(engine.missing ?? missingForTyping()).describe('', () => {
    let home: RealHome;
    let server: Server;
    let agent: BridgeClient;
    let tries = 0;

    beforeAll(async () => {
      home = realHome(0, 'owner');
      server = await engine.start();
      expect((await home.run(['start'])).code).toBe(0);
      expect((await runOnTerminal(home, ['passphrase', 'set'], choosing('correct horse battery'))).code).toBe(0);
      const added = ['connections', 'add', server.url, '--name', 'Shop', '--password-stdin'];
      expect((await home.run(added, { stdin: server.password })).code).toBe(0);
      agent = await bridgeClient(home, 'agent');
    }, 120_000);
    afterAll(async () => {
      await agent?.close();
      await home?.clean();
      await server?.stop();
    }, 60_000);

    async function open(sql: string): Promise<string | null> {
      tries += 1;
      // The requests that waited before are void.
      await home.here(['connections', 'set', 'Shop', '--row-limit', `${100 + tries}`]);
      expect(await agent.query('Shop', sql)).toMatch(/^denied: /);
      const shell = await forgedShell(home.home, 'terminal');
      try {
        const { asks } = await shell.ask('desk.list', {});
        const opened = await shell.ask('desk.open', { ids: asks.map(({ id }) => id) });
        const { lines, note } = opened.asks[0]?.statement?.takes ?? { lines: ['nothing was opened'], note: null };
        return [...lines, ...(note === null ? [] : [note])].join('\n') || null;
      } finally {
        shell.close();
      }
    }
    const nothing = noRows;
    const as = (shown: Shown) => (shown instanceof RegExp ? expect.stringMatching(shown) : (shown ?? nothing));

    test.each(engine.attempts)(
      'uses up no number: %s',
      async (sql, shown) => {
        const before = await server.numbers();
        expect([await open(sql), await server.numbers()]).toEqual([as(shown), before]);
      },
      60_000,
    );

    test.each(engine.counted)(
      'is still counted: %s',
      async (sql, shown) => {
        const before = await server.numbers();
        expect([await open(sql), await server.numbers()]).toEqual([as(shown), before]);
      },
      60_000,
    );
  });
});
