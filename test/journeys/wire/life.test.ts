/**
 * The door for PostgreSQL's clients while things go wrong: fifty clients, killed ones, one that
 * doesn't read, a server that stands still, a daemon that starts again.
 */

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { execute, message, parse, query, RawClient, startUp } from '../../attacks/wire/raw-client.ts';
import { needs, needsLinux } from '../../needs.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { here } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { type OpenDoor, openDoor } from './door.ts';

const found = findPostgres();
const patienceMilliseconds = 120_000;
const cancelled = '57014';

needs('unavailable' in found ? found.unavailable : null).describe('the door', () => {
  let door: OpenDoor;
  beforeAll(async () => {
    if (!('unavailable' in found)) door = await openDoor(found);
  }, patienceMilliseconds);
  afterAll(() => door?.stop());

  const enter = (name = 'life') =>
    RawClient.open(door.path, { user: 'anybody', database: 'shop' }, [['application_name', name]]);
  /** Sessions of the role on the server, whatever they are called. */
  const sessions = async (): Promise<number> =>
    Number(
      await door.shop.server.ask(
        "select count(*) from pg_stat_activity where usename = 'shopper' and backend_type = 'client backend'",
      ),
    );
  const running = async (text: string): Promise<number> =>
    Number(
      await door.shop.server.ask(
        `select count(*) from pg_stat_activity where usename = 'shopper' and state = 'active' and query like '%${text}%'`,
      ),
    );
  const residentMegabytes = (): number => {
    const [pid] = door.home.daemons();
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  };

  test(
    'the folder is its owner’s alone',
    async () => {
      const modes = execFileSync('stat', ['-c', '%a %F', door.folder, door.path], { encoding: 'utf8' });
      expect(modes).toBe('700 directory\n600 socket\n');
    },
    patienceMilliseconds,
  );

  test(
    'fifty clients are served, or told that they are too many',
    async () => {
      const clients = Array.from(
        { length: 50 },
        () => new pg.Client({ host: door.folder, database: 'shop', user: 'a' }),
      );
      for (const client of clients) client.on('error', () => {});
      const ends = await Promise.all(
        clients.map(async client => {
          try {
            await client.connect();
            const { rows } = await client.query('select count(*)::integer as n from orders where id > $1', [1000]);
            return rows[0].n;
          } catch (error) {
            return (error as { code?: string }).code;
          }
        }),
      );
      expect(ends.filter(end => end !== 1000 && end !== '53300')).toEqual([]);
      expect(ends.filter(end => end === 1000).length).toBeGreaterThanOrEqual(8);
      await Promise.all(clients.map(client => client.end().catch(() => {})));
      await until(async () => (await sessions()) === 0, 'no session is left', 3);
      const late = await enter();
      expect((await late.ask(query('select 1'))).rows).toEqual([['1']]);
      late.end();
    },
    patienceMilliseconds,
  );

  test(
    'the session of a killed client ends, and what it ran',
    async () => {
      const words = ['-X', '-h', door.folder, '-d', 'shop', '-c', 'select pg_sleep(300)'];
      const psql = spawn(join('folder' in found ? found.folder : '', 'psql'), words, { stdio: 'ignore' });
      await until(async () => (await running('pg_sleep')) === 1, 'it runs');
      psql.kill('SIGKILL');
      const began = performance.now();
      await until(async () => (await sessions()) === 0, 'its session is gone', 2);
      expect(performance.now() - began).toBeLessThan(here(2_000));
    },
    patienceMilliseconds,
  );

  test(
    'a cancelled query ends within a second, and nobody else’s does',
    async () => {
      const [asleep, other] = [await enter(), await enter()];
      expect(asleep.key.equals(other.key)).toBe(false);
      const cancel = async (key: Buffer) => {
        const caller = await RawClient.dial(door.path);
        const code = Buffer.alloc(8);
        code.writeInt32BE(16, 0);
        code.writeInt32BE(80877102, 4);
        caller.send(code, key);
        await caller.hear(1, 1_000);
        caller.end();
      };
      asleep.send(query('select pg_sleep(300)'));
      other.send(query('select pg_sleep(5)'));
      await until(async () => (await running('pg_sleep')) === 2, 'both run');
      // The right process id with another secret, and the server's own keys.
      await cancel(Buffer.concat([asleep.key.subarray(0, 4), Buffer.from('nope')]));
      await cancel(Buffer.alloc(8));
      const pids = await door.shop.server.ask("select pid from pg_stat_activity where usename = 'shopper'");
      for (const pid of pids.split('\n')) {
        const guess = Buffer.alloc(8);
        guess.writeInt32BE(Number(pid), 0);
        await cancel(guess);
      }
      expect(await running('pg_sleep')).toBe(2);
      const began = performance.now();
      await cancel(asleep.key);
      const heard = await asleep.hear();
      expect(performance.now() - began).toBeLessThan(here(1_000));
      expect(heard).toMatchObject({ errors: [{ code: cancelled }], states: 'I' });
      expect(await other.hear()).toMatchObject({ errors: [], states: 'I' });
      expect((await asleep.ask(query('select 2'))).rows).toEqual([['2']]);
      asleep.end();
      other.end();
    },
    patienceMilliseconds,
  );

  needsLinux.test(
    'a client that doesn’t read keeps the server from sending, and the daemon small',
    async () => {
      const client = await enter('slow reader');
      const before = residentMegabytes();
      client.socket.pause();
      client.send(query("select n, repeat('x', 1000) from generate_series(1, 400000) n"));
      await until(async () => (await running('repeat')) === 1, 'it runs');
      let most = 0;
      for (let look = 0; look < 20; look += 1) {
        await rest(100);
        most = Math.max(most, residentMegabytes());
      }
      expect(most - before).toBeLessThan(64);
      const waits = "select wait_event from pg_stat_activity where usename = 'shopper' and query like '%repeat%'";
      expect(await door.shop.server.ask(waits)).toBe('ClientWrite');
      // Others go on meanwhile.
      const other = await enter();
      expect((await other.ask(query('select 3'))).rows).toEqual([['3']]);
      other.end();
      client.end();
      await until(async () => (await sessions()) === 0, 'its session is gone', 3);
    },
    patienceMilliseconds,
  );

  needsLinux.test(
    'what a client sends without reading, or all at once, is bounded',
    async () => {
      const client = await enter('flood');
      const before = residentMegabytes();
      client.socket.pause();
      const many = Buffer.concat(Array.from({ length: 2_000 }, () => query("select repeat('y', 10000)")));
      let most = 0;
      for (let round = 0; round < 20 && !client.isClosed; round += 1) {
        client.send(many);
        await rest(100);
        most = Math.max(most, residentMegabytes());
      }
      expect(most - before).toBeLessThan(96);
      client.end();
      await until(async () => (await sessions()) === 0, 'its session is gone', 5);
    },
    patienceMilliseconds,
  );

  needsLinux.test(
    'so is a cycle without end, whose rows nobody reads',
    async () => {
      const client = await enter('flood');
      const before = residentMegabytes();
      client.socket.pause();
      const rows = "select repeat('z', 10000), $1::text from generate_series(1, 100000)";
      const value = Buffer.alloc(1_000_000, 'v');
      const head = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0x0f, 0x42, 0x40]);
      const portal = message('B', Buffer.concat([head, value, Buffer.alloc(2)]));
      client.send(parse(rows));
      let most = 0;
      for (let round = 0; round < 100 && !client.isClosed; round += 1) {
        client.send(portal, execute());
        client.send(portal, execute());
        await rest(30);
        most = Math.max(most, residentMegabytes());
      }
      expect(most - before).toBeLessThan(128);
      client.end();
      await until(async () => (await sessions()) === 0, 'its session is gone', 5);
    },
    patienceMilliseconds,
  );

  test(
    'silence, or half a start-up packet, holds nobody else, and its own door not for long',
    async () => {
      const { folder } = await door.home.json<{ folder: string }>(['wire', 'beside', '--connections', 'Shop']);
      const silent = await Promise.all(Array.from({ length: 300 }, () => RawClient.dial(door.path)));
      for (const each of silent.slice(100)) each.send(startUp([['user', 'a']]).subarray(0, 6));
      const beside = await RawClient.open(join(folder, '.s.PGSQL.5432'), { user: 'a', database: 'shop' });
      expect((await beside.ask(query('select 1'))).rows).toEqual([['1']]);
      beside.end();
      await until(
        async () => {
          const client = await enter();
          client.end();
          return true;
        },
        'its own door serves again',
        20,
      );
      for (const each of silent) each.end();
      await until(async () => (await sessions()) === 0, 'no session is left', 3);
    },
    patienceMilliseconds,
  );

  test(
    'a server that stands still is told of, and the door serves on behind it',
    async () => {
      const client = await enter();
      expect((await client.ask(query('select 1'))).rows).toEqual([['1']]);
      door.shop.server.pause();
      try {
        client.send(query('select 2'));
        const late = await RawClient.dial(door.path);
        late.send(
          startUp([
            ['user', 'a'],
            ['database', 'shop'],
          ]),
        );
        const heard = await late.hear(1, 60_000);
        expect(heard).toMatchObject({
          end: expect.stringMatching(/closed|answered/),
          errors: [{ code: expect.any(String) }],
        });
        late.end();
      } finally {
        door.shop.server.resume();
      }
      expect((await client.hear()).rows).toEqual([['2']]);
      client.end();
      const next = await enter();
      expect((await next.ask(query('select 3'))).rows).toEqual([['3']]);
      next.end();
    },
    patienceMilliseconds,
  );

  test(
    'a server that dies ends its sessions, and the next client is served',
    async () => {
      const client = await enter();
      await door.shop.server.crash();
      expect((await client.hear()).end).toBe('closed');
      await until(async () => {
        const next = await enter();
        const { rows } = await next.ask(query('select 4'));
        next.end();
        return rows[0]?.[0] === '4';
      }, 'the next client is served');
    },
    patienceMilliseconds,
  );

  test(
    'a pause ends what is open and lets nobody in; resume does',
    async () => {
      const client = await enter();
      expect((await door.home.run(['pause'])).code).toBe(0);
      expect((await client.ask(query('select 1'))).end).toBe('closed');
      await expect(enter()).rejects.toThrow(/57P03/);
      expect((await door.home.run(['resume'])).code).toBe(0);
      const next = await enter();
      expect((await next.ask(query('select 5'))).rows).toEqual([['5']]);
      next.end();
      client.end();
    },
    patienceMilliseconds,
  );

  test(
    'a daemon that is killed leaves no session, and its next start opens the door again',
    async () => {
      const client = await enter();
      await door.home.end('SIGKILL');
      expect((await client.hear()).end).toBe('closed');
      await until(async () => (await sessions()) === 0, 'no session is left', 5);
      expect((await door.home.run(['start'])).code).toBe(0);
      const next = await enter();
      expect((await next.ask(query('select 6'))).rows).toEqual([['6']]);
      next.end();
    },
    patienceMilliseconds,
  );

  test(
    'each statement is in the log and the history, refused ones with the program that sent them',
    async () => {
      const client = await enter('reports.py');
      await client.ask(query('select name from customers where id = 3'));
      await client.ask(query("insert into m values ('logged')"));
      client.end();
      const rows = await door.home.json<Record<string, unknown>[]>(['activity', '--since', '1d']);
      const mine = rows.filter(row => JSON.stringify(row).includes('reports.py'));
      expect(mine).toContainEqual(expect.objectContaining({ tokenName: 'work' }));
      const kept = JSON.stringify(await door.home.json(['history']));
      expect(kept).toContain('select name from customers where id = 3');
      const refused = await door.home.json<Record<string, unknown>[]>(['allow']);
      expect(JSON.stringify(refused)).toContain('reports.py');
    },
    patienceMilliseconds,
  );
});
