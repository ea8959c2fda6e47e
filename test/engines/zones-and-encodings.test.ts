/**
 * Times in the connection's zone, and text of each encoding as UTF-8: what a person's own client
 * shows.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isTimeZone } from '../../daemon/access/time-zone.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { call, collect } from './collecting-sink.ts';
import { endpointOf as mysqlEndpoint, portsOf as mysqlPorts } from './mysql/endpoint.ts';
import { describeWithPostgres } from './postgres/suite.ts';

test.each(['Europe/Berlin', 'UTC', 'utc', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', '+05:30', '-13:59', '+14:00'])(
  '%p is a time zone',
  zone => expect(isTimeZone(zone)).toBe(true),
);
test.each([
  '',
  'Berlin',
  "UTC'",
  '+14:30',
  '+5:30',
  // A later Node knows these two; PostgreSQL would read their plus as west.
  '+05',
  '+0530',
  '<x>-3',
  'Europe/Berlin; select 1',
  'PST8PDT,M4',
  '+05:30 x',
  `Europe/${'x'.repeat(70)}`,
])('%p is none', zone => expect(isTimeZone(zone)).toBe(false));

/**
 * @returns the rows of the first column, after several statements that may each change the zone for
 *   itself.
 */
async function shownBy(database: Database, sql: string): Promise<unknown[]> {
  try {
    const shown: unknown[] = [];
    for (let again = 0; again < 3; again += 1) shown.push((await collect(database, sql)).rows[0]?.[0]);
    return [...new Set(shown)];
  } finally {
    await database.close();
  }
}

describeWithPostgres('PostgreSQL', suite => {
  const open = (timeZone: string | null, database = 'postgres') => suite.open({ timeZone, database });

  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/New_York', 'America/New_York'],
    ['UTC', 'UTC'],
    ['+05:30', 'Asia/Kolkata'],
    ['-02:30', 'America/St_Johns'],
  ])('%s shows what psql shows in %s', async (zone, psqlZone) => {
    const sql = "select timestamptz '2026-07-01 12:00:00.5+00'";
    const printed = await suite.server.psql(`set timezone = '${psqlZone}'; ${sql};`);
    expect(await shownBy(open(zone), sql)).toEqual([printed.split('\n').at(-1)]);
  });

  test('without one, in the role’s zone, else the database’s', async () => {
    await suite.server.psql("create database zoned; alter database zoned set timezone = 'Asia/Tokyo'");
    const sql = "select timestamptz '2026-07-01 12:00:00+00'";
    expect(await shownBy(open(null, 'zoned'), sql)).toEqual(['2026-07-01 21:00:00+09']);
    expect(await shownBy(open('Europe/Berlin', 'zoned'), sql)).toEqual(['2026-07-01 14:00:00+02']);
  });

  test('a write and a rehearsal use it too', async () => {
    await suite.server.psql('create table moments (at timestamptz)');
    const database = open('+05:30');
    const insert = "insert into moments values ('2026-07-01 12:00:00') returning at";
    const written = await collect(database, insert, { session: 'write' });
    expect(written.rows).toEqual([['2026-07-01 12:00:00+05:30']]);
    const rehearsed: unknown[] = [];
    const step = { sql: insert, parameters: [], ours: false, limits: call.limits } as const;
    const sink = { columns: () => {}, row: ({ json }: { readonly json: string }) => rehearsed.push(json) > 0 };
    await database.rehearse(call, rehearsal => rehearsal.run(step, sink));
    expect(rehearsed).toEqual(['["2026-07-01 12:00:00+05:30"]']);
    expect(await suite.server.psql("set timezone = 'UTC'; select at from moments")).toContain('2026-07-01 06:30:00+00');
  });

  test.each([
    ['LATIN1', 'café ü'],
    ['EUC_JP', '日本'],
    ['WIN1251', 'Жл'],
  ])('a database in %s', async (encoding, text) => {
    const name = encoding.toLowerCase();
    await suite.server.psql(
      `create database ${name} encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    const database = open(null, name);
    await collect(database, 'create table t (v text)', { session: 'write' });
    await collect(database, 'insert into t values ($1)', { session: 'write', parameters: [text] });
    const { rows, outcome } = await collect(database, 'select v, v = $1, octet_length(v) from t', {
      parameters: [text],
    });
    expect(outcome).toMatchObject({ kind: 'done', warnings: [] });
    expect(rows[0]?.slice(0, 2)).toEqual([text, true]);
    expect((await suite.server.psql(`set client_encoding = 'UTF8'; select v from t`, name)).split('\n').at(-1)).toBe(
      text,
    );
    const beyond = await collect(database, 'select $1::text', { parameters: ['🎉'] });
    expect(beyond.outcome).toMatchObject({ kind: 'query_failed', message: expect.stringMatching(/encoding/) });
  });
});

needs(mariadbUnavailable()).describe('MySQL', () => {
  let server: MariadbServer;
  const open = (timeZone: string | null, database: string | null = null) =>
    openMysql(mysqlEndpoint(server, { database, timeZone }), mysqlPorts(server));

  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(`CREATE DATABASE zones CHARACTER SET utf8mb4; USE zones; SET time_zone = '+00:00';
      CREATE TABLE moments (at timestamp(1)); INSERT INTO moments VALUES ('2026-07-01 12:00:00.5')`);
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
  }, 60_000);

  test.each(['+05:30', '-03:00', 'UTC', null])('%p shows what the client shows', async zone => {
    const own = zone === 'UTC' ? '+00:00' : zone;
    const set = own === null ? '' : `SET time_zone = '${own}'; `;
    const printed = await server.client(`${set}SELECT at FROM moments`, { database: 'zones', columnNames: false });
    expect(await shownBy(open(zone, 'zones'), 'select at from moments')).toEqual([printed.trim()]);
  });

  test('a zone that the server doesn’t know is reported, with what to do', async () => {
    const database = open('Europe/Berlin', 'zones');
    const { outcome } = await collect(database, 'select 1');
    await database.close();
    expect(outcome).toMatchObject({
      kind: 'not_connected',
      message: expect.stringMatching(/^The server doesn't know the time zone Europe\/Berlin: fill its tables/),
    });
  });

  test('a name that it knows', async () => {
    await server.client(`USE mysql; INSERT INTO time_zone (Use_leap_seconds) VALUES ('N'); SET @id = LAST_INSERT_ID();
      INSERT INTO time_zone_name VALUES ('Europe/Berlin', @id); FLUSH TABLES;
      INSERT INTO time_zone_transition_type VALUES (@id, 0, 7200, 1, 'CEST')`);
    expect(await shownBy(open('Europe/Berlin', 'zones'), 'select at from moments limit 1')).toEqual([
      '2026-07-01 14:00:00.5',
    ]);
  });

  test('a write uses it too', async () => {
    const database = open('+05:30', 'zones');
    await collect(database, "insert into moments values ('2030-01-01 12:00:00')", { session: 'write' });
    await database.close();
    const sql = "SET time_zone = '+00:00'; SELECT at FROM moments WHERE at > '2029-01-01'";
    expect(await server.client(sql, { database: 'zones', columnNames: false })).toBe('2030-01-01 06:30:00.0\n');
  });

  describe('character sets', () => {
    test.each([
      ['latin1', 'café ü €'],
      ['sjis', '日本語 テスト'],
      ['cp932', '日本語 ①'],
      ['gbk', '中文'],
      ['ucs2', 'Ж日'],
      ['utf8mb3', 'é日'],
    ])('a database in %s', async (charset, text) => {
      const name = `in_${charset}`;
      await server.client(
        `CREATE DATABASE ${name} CHARACTER SET ${charset}; CREATE TABLE ${name}.t (v varchar(40), w text)`,
      );
      const database = open(null, name);
      try {
        await collect(database, 'insert into t values (?, ?)', { session: 'write', parameters: [text, text] });
        await collect(database, `insert into t values ('${text}', '${text}')`, { session: 'write' });
        const { rows, columns, outcome } = await collect(database, `select v, w, v = '${text}' from t where w = ?`, {
          parameters: [text],
        });
        expect(outcome).toMatchObject({ kind: 'done', warnings: [] });
        expect(rows.map(row => row.slice(0, 2))).toEqual([
          [text, text],
          [text, text],
        ]);
        expect(columns?.[0]?.type).toBe('varchar(40)');
        const printed = await server.client('SET NAMES utf8mb4; SELECT v FROM t', {
          database: name,
          columnNames: false,
        });
        expect(printed).toBe(`${text}\n${text}\n`);
      } finally {
        await database.close();
      }
    });
  });
});
