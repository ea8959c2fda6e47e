/**
 * Masked columns on MariaDB, or MySQL if only that is installed (spec §6): no attempt with a token
 * that may write shows a masked value, changes one by computing with it, or leaves it where it can
 * be read. What people send without them runs.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Answer, Database } from '../../../daemon/engines/engine.ts';
import { masked } from '../../../daemon/engines/masked.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { call } from '../../engines/collecting-sink.ts';
import { endpointOf, portsOf } from '../../engines/mysql/endpoint.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { asked, previewed } from '../out-of-sight/ask.ts';
import { fixtureOf } from '../out-of-sight/mysql-fixture.ts';
import { resultOf } from '../out-of-sight/result-of.ts';
import { attempts, canary, fixture, held, honest, masks, unmasked } from './mysql-statements.ts';

const patienceMilliseconds = 600_000;
/** Refused by name, by its class, for what can't be told, or asked about. */
const refused = /^denied: |^unsupported: |^forbidden/;
/** The server's own: no such syntax, function or partition there, and a duplicate without its value. */
const refusedByServer =
  /\((?:1064|1054|1193|1235|1305|1747|1109|3\d\d\d|4\d\d\d|1049|1146|1066)\)$|Duplicate entry '…' \(1062\)$/s;

function answered<T>(answer: Answer<T>): T {
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

needs(mariadbUnavailable()).describe('masked columns on MariaDB and MySQL', () => {
  let server: MariadbServer;
  let database: Database;
  let masking: Database;
  const setUp = () => server.client(fixtureOf(fixture));

  beforeAll(async () => {
    server = await lendMariadb();
    await setUp();
    database = openMysql(endpointOf(server, { database: 'shop' }), portsOf(server));
    masking = masked(database, masks);
  }, patienceMilliseconds);
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  }, patienceMilliseconds);

  test(
    'no attempt reads one',
    async () => {
      const sent = Object.values(attempts).flat();
      expect(sent.length).toBeGreaterThanOrEqual(100);
      const before = await server.ask(held);
      const ends = await asked(
        'mysql',
        masking,
        sent.map(sql => ({ sql })),
      );
      const said = ({ sql, answer }: { sql: string; answer: string }) =>
        canary.test(answer.split(sql).join('').split(JSON.stringify(sql).slice(1, -1)).join(''));
      expect(ends.filter(said).map(({ sql, answer }) => `${sql}: ${answer}`)).toEqual([]);
      const others = ends.filter(({ end }) => !refused.test(end) && !refusedByServer.test(end));
      expect(others.map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      expect(await server.ask(held)).toBe(before);
      expect(await server.ask(unmasked)).not.toMatch(canary);
    },
    patienceMilliseconds,
  );

  test(
    'what people send runs as it does without masks',
    async () => {
      expect(honest.length).toBeGreaterThanOrEqual(80);
      const differ: string[] = [];
      for (const sql of honest) {
        const [seen] = await asked('mysql', masking, [{ sql }]);
        if (!isRead.test(sql)) await setUp();
        const [plain] = await asked('mysql', database, [{ sql }]);
        if (!isRead.test(sql)) await setUp();
        if (plain?.end !== 'success') differ.push(`${sql}, without masks: ${plain?.end}`);
        if (resultOf(seen?.answer) !== resultOf(plain?.answer)) differ.push(`${sql}: ${seen?.end}`);
      }
      expect(differ).toEqual([]);
    },
    patienceMilliseconds,
  );

  test('a column that was just added is masked, also under a star', async () => {
    const read = () => asked('mysql', masking, [{ sql: 'select * from items' }, { sql: 'select token from items' }]);
    expect((await read())[0]?.end).toBe('success');
    await server.client("use shop; alter table items add column token varchar(20) default 'canary'");
    const told = await read();
    expect(told.map(({ end }) => end)).toEqual([
      expect.stringMatching(/^denied: It reads items\.token, /),
      told[0]?.end,
    ]);
    await setUp();
  });

  test('a preview of a write that sets a masked column leaves it out', async () => {
    for (const sql of [
      "update users set email = 'x' where id = 1",
      "update users set email = 'x', name = 'y' where id = 1",
      "insert into users (id, email) values (9, 'x')",
      "update people set ssn = 'x' where born = 1990",
      "replace into people (id, ssn) values (1, 'x')",
      'delete from people where id = 1',
      'update users set email = null',
      "update users u set u.email = 'x', u.password_hash = null where u.id > 1 limit 1",
      "update shop.users set shop.users.email = 'x' where city = 'Bern' order by id",
      'update ignore people set ssn = default where id in (select id from orders)',
      "insert into users (id, email) values (1, 'x') on duplicate key update email = 'z'",
      "update orders o join users u on u.id = o.user_id set u.email = 'x' where o.id = 1",
    ]) {
      const told = await previewed('mysql', masking, sql);
      expect([sql, told]).toEqual([sql, expect.stringContaining('"rolled_back":true')]);
      expect(told).not.toMatch(canary);
    }
  });

  test("a key's error doesn't quote the masked column of the row that is there", async () => {
    const told = await asked('mysql', masking, [
      { sql: 'update users set tenant = 2 where id = 1' },
      { sql: 'update ignore users set tenant = 2 where id = 1' },
    ]);
    expect(told[0]?.end).toMatch(/Duplicate entry '…' \(1062\)/);
    expect(JSON.stringify(told)).not.toMatch(canary);
  });

  test(
    'an account that may read views alone reads no masked column of the tables behind them',
    async () => {
      await server.client(`create user reports identified by 'a-password-of-reports'; use shop;
        create definer = current_user procedure star_list() reads sql data select * from users;
        grant execute on procedure shop.star_list to reports;
        ${['user_mail', 'user_list', 'user_all', 'user_twice', 'shown_domains'].map(view => `grant select, show view on shop.${view} to reports;`).join(' ')}`);
      const reports = openMysql(endpointOf(server, { database: 'shop', user: 'reports' }), {
        ...portsOf(server),
        password: async () => 'a-password-of-reports',
      });
      const run = async (of: Database, sql: string) => (await asked('mysql', of, [{ sql }]))[0];
      try {
        expect((await run(reports, 'select m from user_mail'))?.answer).toMatch(canary);
        const kept = masked(reports, masks);
        for (const sql of [
          'select m from user_mail',
          'select users.m from user_mail as users',
          'select users from (select m as users from user_mail) as t',
          'with users as (select m from user_mail) select m from users',
          'select id from user_all',
          'select * from user_twice',
          'call star_list()',
        ]) {
          const denied = await run(kept, sql);
          expect([sql, denied?.end]).toEqual([sql, expect.stringMatching(refused)]);
          expect(denied?.answer).not.toMatch(canary);
        }
        for (const sql of [
          'select * from user_list',
          'select part from shown_domains',
          'with users as (select part as email from shown_domains) select email from users',
        ])
          expect([sql, (await run(kept, sql))?.end]).toEqual([sql, 'success']);
      } finally {
        await reports.close();
        await server.client('drop user reports; drop procedure shop.star_list');
      }
    },
    patienceMilliseconds,
  );

  test("an error doesn't quote the masked value that no partition takes", async () => {
    await server.client(
      'use shop; create table parted (id int, ssn int) partition by list (id) (partition p values in (1)); insert into parted values (1, 777123)',
    );
    const told = await asked('mysql', masking, [
      { sql: 'update parted set id = id + 5 where id = 1' },
      { sql: 'insert into parted values (777123, 1)' },
    ]);
    await server.client('drop table shop.parted');
    for (const { end } of told) expect(end).toMatch(/no partition for value … \(1526\)$/);
  });

  test(
    'a role that is made may read the other columns alone, and write all',
    async () => {
      const all = { ...call, signal: new AbortController().signal };
      const wanted = { name: 'fits', access: 'readWrite', schemas: null, statementSeconds: 5 } as const;
      const role = answered(await masking.planRole(all, wanted));
      try {
        expect(await role.make('a-password-of-a-role')).toEqual({ kind: 'made' });
        const asRole = openMysql(endpointOf(server, { database: 'shop', user: 'fits' }), {
          ...portsOf(server),
          password: async () => 'a-password-of-a-role',
        });
        expect(await role.excess(asRole, all)).toEqual({ kind: 'done', value: null });
        const run = async (sql: string) => (await asked('mysql', asRole, [{ sql }]))[0];
        for (const sql of [
          'select id, name, label from users',
          'select count(*) from users',
          'select * from orders',
          'select * from user_list',
          'select * from shown_domains',
          'select id from shown_debts',
        ])
          expect([sql, (await run(sql))?.end]).toEqual([sql, 'success']);
        const limits = { cellBytes: 1_024, wireBytes: 64 * 1_024 };
        const write = (sql: string) =>
          asRole.run({ ...all, sql, parameters: [], session: 'write', limits }, { columns: () => {}, row: () => true });
        const isDone = expect.objectContaining({ kind: 'done', rowsAffected: 1 });
        expect(await write("update users set email = 'set@x' where id = 2")).toEqual(isDone);
        expect(await write("insert into people (id, ssn) values (50, 'x')")).toEqual(isDone);
        const computed = await write('update users set name = email where id = 1');
        expect(computed).toMatchObject({ kind: 'query_failed', code: '1143' });
        for (const sql of [
          'select email from users',
          'select * from users',
          'select shout from users',
          'select token from accounts',
          'select ssn from shown_debts',
          'select * from vaulted.codes',
          'select id from user_all',
          'select m from user_twice',
          'select id from users order by email',
        ]) {
          const denied = await run(sql);
          expect([sql, denied?.end]).toEqual([
            sql,
            expect.stringMatching(/\((?:1142|1143|1044|1345|1356)\)$|looked into/),
          ]);
          expect(denied?.answer).not.toMatch(canary);
        }
        await asRole.close();
      } finally {
        expect(await role.remove()).toEqual({ stays: null });
      }
    },
    patienceMilliseconds,
  );

  test('a refusal names all columns to leave out, and without them it runs', async () => {
    const [all, some] = await asked('mysql', masking, [
      { sql: 'select * from users' },
      { sql: 'select id, name, city, label from users' },
    ]);
    expect(all?.end).toMatch(/^denied: It reads users\.email, users\.password_hash, users\.domain and users\.shout, /);
    expect(some?.end).toBe('success');
  });
});

const isRead = /^(?:select|with|show|desc|explain|call|checksum|table)/;
