/**
 * Ways to write through the door for PostgreSQL's clients, with one of its walls taken away and with
 * both. On the server itself they write, which proves that they are ways.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { connectionWith } from '../access/principals.ts';
import { endpointOf, portsOf } from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { findPostgres, postgresMajor } from '../servers/postgres.ts';
import { type DoorInProcess, type Guard, openInProcess, withoutWall } from './wire/in-process.ts';
import {
  beyond,
  copies,
  hiddenWrites,
  newWords,
  paths,
  secretReads,
  sessions,
  shadowedTypes,
} from './wire/more-ways.ts';
import { type Entrance, play } from './wire/play.ts';
import { execute, message, query, RawClient, sync } from './wire/raw-client.ts';
import { openShop, type Shop, shopperPassword } from './wire/shop.ts';
import { type Sent, ways } from './wire/walls.ts';

const found = findPostgres();
const patienceMilliseconds = 300_000;
const renamed = [...shadowedTypes, ...(postgresMajor() < 16 ? newWords : [])];
const more = [...hiddenWrites, ...copies, ...sessions, ...paths, ...renamed, ...beyond];
type Way = (typeof ways)[number];
type Account = 'postgres' | 'shopper';

/** One value of the type of this number, as text or in its binary form. */
function typed(oid: number, value: string | Buffer, sql = 'select $1'): Buffer {
  const [type, length] = [Buffer.alloc(4), Buffer.alloc(4)];
  type.writeUInt32BE(oid);
  const bytes = Buffer.from(value);
  length.writeInt32BE(bytes.length);
  const [one, none] = [Buffer.of(0, 1), Buffer.of(0, 0)];
  const bound = Buffer.concat([
    ...[Buffer.of(0, 0), ...(typeof value === 'string' ? [none] : [one, Buffer.of(0, 1)])],
    ...[one, length, bytes, none],
  ]);
  return Buffer.concat([
    message('P', Buffer.concat([Buffer.from(`\0${sql}\0`), one, type])),
    message('B', bound),
    execute(),
    sync,
  ]);
}

/** `colour` runs nothing itself; an operator and a function for it write. */
const madeTypes = `
  create type mood as enum ('good', 'bad');
  create type pair as (a integer, d d_write);
  create type bounds as range (subtype = integer);
  create type colour as enum ('red', 'blue');
  create function f_same(colour, colour) returns boolean language plpgsql as $$ begin perform public.f_write(); return true; end $$;
  create operator = (leftarg = colour, rightarg = colour, function = f_same);
  create function upper(colour) returns text language plpgsql as $$ begin perform public.f_write(); return 'x'; end $$;
  create extension citext;
  create extension hstore;`;

/** What a server itself doesn't take in this setting, or leaves no trace of in the database. */
const traceless = ['two-phase commit', 'a message in the log of changes'];
/** Reads as the guard has them, or a lock that every read takes. */
const isRefused = (sql: string): boolean => !/txid_current|pg_current_xact_id|access share/.test(sql);
/**
 * What a transaction that only reads may do: make an empty large object (before PostgreSQL 16), and
 * send a notification.
 */
const largeObjects = postgresMajor() < 16;
const mayRead = largeObjects ? ['large object', 'notify'] : ['notify'];
/** The right MAINTAIN came with PostgreSQL 17, and with it what only changes how rows lie. */
const maintains = postgresMajor() >= 17 ? ['reindex table m', 'analyze m', 'cluster orders using orders_customer'] : [];
/**
 * Before PostgreSQL 16 nothing checks a reset of the mode, so without the door's rules a role that
 * may write does. A superuser reads as one that may not.
 */
const resets = largeObjects ? ['the mode to default in a cycle', 'the local mode to default'] : [];
const mayReadMore = [
  'listen and notify',
  ...(largeObjects ? ['select lo_create(0)', "select lo_from_bytea(0, 'x')"] : []),
  "select pg_notify('x', 'y')",
];

needs('unavailable' in found ? found.unavailable : null).describe('ways to write', () => {
  let shop: Shop;
  const doors: DoorInProcess[] = [];
  beforeAll(async () => {
    if (!('unavailable' in found)) shop = await openShop(found);
  }, patienceMilliseconds);
  afterAll(async () => {
    for (const door of doors) await door.stop();
    await shop?.stop();
  });

  async function through(account: Account, guard: Guard, wall = true): Promise<Entrance> {
    const endpoint = endpointOf(shop.server, { database: 'shop', user: account });
    const opened = openPostgres(endpoint, portsOf(account === 'postgres' ? shop.server.password : shopperPassword));
    const database = wall ? opened : withoutWall(opened);
    const door = await openInProcess(database, connectionWith({ ...endpoint, name: 'Shop' }), guard);
    doors.push({ ...door, stop: () => door.stop().then(() => opened.close()) });
    return door.entrance;
  }

  const placed = (sends: readonly Sent[]): Sent[] =>
    sends.map(
      ([kind, ...texts]) =>
        [
          kind,
          ...texts.map(text =>
            text.replaceAll('FOLDER', shop.server.socketFolder).replaceAll('PORT', `${shop.server.port}`),
          ),
        ] as const,
    );

  /** @returns the names of those that changed anything. */
  async function writing(entrance: Entrance, given: readonly Way[]): Promise<string[]> {
    const wrote: string[] = [];
    let before = await shop.state();
    for (const [name, ...sends] of given) {
      await play(entrance, placed(sends));
      if ((await shop.state()) === before) continue;
      wrote.push(name);
      await shop.reset();
      before = await shop.state();
    }
    return wrote;
  }

  test(
    'on the server itself they write',
    async () => {
      const bare = { path: shop.bareSocket, user: shop.server.superuser, database: 'shop' };
      expect(ways).toHaveLength(49);
      const wrote = await writing(bare, ways);
      expect(ways.map(([name]) => name).filter(name => !wrote.includes(name))).toEqual(traceless);
    },
    patienceMilliseconds,
  );

  describe.each(['postgres', 'shopper'] as const)('as %s', account => {
    test.each([
      ['on', []],
      ['only its rules for sessions', mayRead],
      ['off', mayRead],
    ] as const)(
      'with the guard %s none writes but: %j',
      async (guard, expected) => {
        expect(await writing(await through(account, guard), ways)).toEqual(expected);
      },
      patienceMilliseconds,
    );
  });

  describe.each(['postgres', 'shopper'] as const)('more, as %s', account => {
    test.each([
      ['both walls', 'on', true, []],
      ['the guard alone', 'on', false, []],
      [
        'the wall alone',
        'only its rules for sessions',
        true,
        [...(account === 'shopper' ? maintains : []), ...mayReadMore],
      ],
      [
        'the wall without rules for sessions',
        'off',
        true,
        [...(account === 'shopper' ? [...resets, ...maintains] : []), ...mayReadMore],
      ],
    ] as [string, Guard, boolean, string[]][])(
      'with %s none writes but by what a read may do',
      async (_, guard, wall, expected) => {
        expect(await writing(await through(account, guard, wall), more)).toEqual(expected);
      },
      patienceMilliseconds,
    );

    test(
      'each is answered by a refusal, and the session is as it was',
      async () => {
        const entrance = await through(account, 'on');
        const client = await RawClient.open(entrance.path, entrance);
        const answered: string[] = [];
        for (const sql of [...hiddenWrites, ...copies, ...beyond].map(([name]) => name).filter(isRefused)) {
          const { errors, states, end } = await client.ask(query(sql));
          if (errors.length !== 1 || states !== 'I' || end !== 'answered') answered.push(`${sql}: ${end} ${states}`);
        }
        client.end();
        expect(answered).toEqual([]);
      },
      patienceMilliseconds,
    );

    test(
      'a built-in name that means something else to the server runs no code',
      async () => {
        const bare = {
          path: shop.bareSocket,
          user: account === 'postgres' ? shop.server.superuser : account,
          database: 'shop',
        };
        // On the server itself they write, which proves that they are ways.
        expect(await writing(bare, renamed)).toEqual(renamed.map(([name]) => name));
        expect(await writing(await through(account, 'on', false), renamed)).toEqual([]);
      },
      patienceMilliseconds,
    );

    test(
      'a type that a Parse gives its parameter by number runs no code',
      async () => {
        const [plain, array] = (
          await shop.server.ask(
            "select string_agg(n, ' ') from unnest(array['d_write', 'd_write[]']::regtype[]::oid[]::text[]) n",
            'shop',
          )
        ).split(' ');
        const before = await shop.state();
        for (const entrance of [
          await through(account, 'on', false),
          { path: shop.bareSocket, user: 'postgres', database: 'shop' },
        ]) {
          const client = await RawClient.open(entrance.path, entrance);
          for (const [type, value] of [
            [plain, '1'],
            [array, '{1}'],
          ] as const) {
            const { errors, rows } = await client.ask(typed(Number(type), value));
            expect([errors, rows]).toEqual([[], [[value]]]);
          }
          client.end();
          // On the server itself the check has run, which proves that it would.
          expect((await shop.state()) === before).toBe(entrance.path !== shop.bareSocket);
        }
        await shop.reset();
      },
      patienceMilliseconds,
    );

    test(
      'a type that runs nothing stays as a Parse gives it, and what writes with it is refused',
      async () => {
        await shop.server.psql(madeTypes, 'shop');
        const names = ['citext', 'citext[]', 'mood', 'mood[]', 'hstore', 'colour', 'pair', 'bounds', 'd_write'];
        const given = await shop.server.ask(
          `select string_agg(n, ' ') from unnest(array['${names.join("','")}']::regtype[]::oid[]::text[]) n`,
          'shop',
        );
        const oids = new Map(given.split(' ').map((oid, at) => [names[at] ?? '', Number(oid)]));
        const entrance = await through(account, 'on', false);
        const before = await shop.state();
        const client = await RawClient.open(entrance.path, entrance);
        const answers: unknown[] = [];
        for (const [type, value, sql] of [
          ['citext', 'abc', "select $1 = 'ABC'"],
          ['citext[]', '{abc}', "select $1 = array['ABC']::citext[]"],
          ['mood', 'bad', 'select pg_typeof($1)'],
          ['mood[]', '{bad}', 'select pg_typeof($1)'],
          // One pair: its lengths and texts.
          ['hstore', Buffer.from('\0\0\0\x01\0\0\0\x01a\0\0\0\x01b'), "select $1 -> 'a'"],
          ...['pair', 'bounds', 'd_write'].map(each => [each, '1', 'select $1'] as const),
          ['colour', 'red', 'select pg_typeof($1)'],
          ['colour', 'red', "select $1 = 'blue'"],
          ['colour', 'red', 'select upper($1)'],
        ] as const) {
          const { errors, rows } = await client.ask(typed(oids.get(type) ?? 0, value, sql));
          answers.push(rows[0]?.[0] ?? errors[0]?.code);
        }
        client.end();
        expect(answers).toEqual([
          ...['t', 't', 'mood', 'mood[]', 'b'],
          ...['1', '1', '1'],
          ...['colour', '25006', '25006'],
        ]);
        expect(await shop.state()).toBe(before);
        const bare = { path: shop.bareSocket, user: 'postgres', database: 'shop' };
        const direct = await RawClient.open(bare.path, bare);
        await direct.ask(typed(oids.get('colour') ?? 0, 'red', "select $1 = 'blue'"));
        direct.end();
        expect(await shop.state()).not.toBe(before);
        await shop.reset();
      },
      patienceMilliseconds,
    );

    test(
      'no secret is shown',
      async () => {
        const entrance = await through(account, 'on');
        const client = await RawClient.open(entrance.path, entrance);
        const shown: string[] = [];
        for (const sql of secretReads) {
          const { raw } = await client.ask(query(sql));
          if (/SCRAM-SHA-256\$|root:x:0/.test(raw)) shown.push(sql);
        }
        client.end();
        expect(shown).toEqual([]);
      },
      patienceMilliseconds,
    );

    test.each(['only its rules for sessions', 'on'] as const)(
      'what the door keeps on the server under names of its own is out of reach (guard: %s)',
      async guard => {
        const entrance = await through(account, guard);
        const before = await shop.state();
        const client = await RawClient.open(entrance.path, entrance);
        await client.ask(query('select 1'));
        const { rows } = await client.ask(query('select name from pg_prepared_statements'));
        const names = rows.map(([name]) => String(name));
        // All at once: the next of ours already misses what is gone.
        const replaced = names.map(name => `deallocate "${name}"; prepare "${name}" as select 1`);
        await client.ask(query(['select 1', ...replaced].join('; ')));
        for (const name of names) await client.ask(query(`execute "${name}"`));
        for (const sql of ['select f_both()', 'select f_both()', "insert into m values ('x')"])
          await client.ask(query(sql));
        client.end();
        expect(await shop.state()).toBe(before);
      },
      patienceMilliseconds,
    );
  });
});
