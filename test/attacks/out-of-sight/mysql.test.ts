/**
 * Tables out of sight on MariaDB, or MySQL if only that is installed (spec §6): no attempt with a
 * token that may write shows or changes a hidden row, or tells a name that it didn't bring. What
 * people send to the other tables runs.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Answer, Database } from '../../../daemon/engines/engine.ts';
import { inSight } from '../../../daemon/engines/in-sight.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { call } from '../../engines/collecting-sink.ts';
import { endpointOf, portsOf } from '../../engines/mysql/endpoint.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { readAsAClient } from '../read-as-a-client.ts';
import { asked } from './ask.ts';
import { fixtureOf } from './mysql-fixture.ts';
import { attempts, canary, fixture, hiddenNames, honest, sight } from './mysql-statements.ts';
import { resultOf } from './result-of.ts';

const patienceMilliseconds = 600_000;
/** As for a name that nothing has, or refused unasked: by the class, or because of the sight. */
const missing = /\((?:1146|1051|1305)\)$|^unsupported: |^forbidden/s;
/** The server's own about what it doesn't have, and about a key that refers to what is hidden. */
const refusedByServer = /\((?:1064|1096|1109|1054|1327|4\d\d\d|3\d\d\d|1451|1452|1235|1193|1303)\)$/s;
const held = `select (select group_concat(id, card) from shop.pay_secret), (select group_concat(id, code) from shop.vault),
(select group_concat(id, what) from audit.audit_entries), (select group_concat(a, b) from shop.merged_secret),
(select count(*) from shop.held_secret)`;

const overMerged = `use shop; create view via_merged as select * from merged;
create view via_view as select b from via_merged`;

function answered<T>(answer: Answer<T>): T {
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

needs(mariadbUnavailable()).describe('tables out of sight on MariaDB and MySQL', () => {
  let server: MariadbServer;
  let database: Database;
  let hiding: Database;
  const setUp = () => server.client(fixtureOf(fixture));

  beforeAll(async () => {
    server = await lendMariadb();
    await setUp();
    database = openMysql(endpointOf(server, { database: 'shop' }), portsOf(server));
    hiding = inSight(database, sight);
  }, patienceMilliseconds);
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  }, patienceMilliseconds);

  test(
    'no attempt reaches one',
    async () => {
      const before = await server.ask(held);
      const sent = Object.values(attempts).flat();
      expect(sent.length).toBeGreaterThanOrEqual(150);
      const ends = await asked(
        'mysql',
        hiding,
        sent.map(sql => ({ sql })),
      );
      const told = ends.flatMap(({ sql, answer }) =>
        [canary, ...hiddenNames]
          .filter(name => answer.toLowerCase().includes(name) && !sql.toLowerCase().includes(name))
          .map(name => `${sql} told ${name}`),
      );
      expect(told).toEqual([]);
      const others = ends.filter(({ end }) => !missing.test(end) && !refusedByServer.test(end));
      expect(others.map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      expect(await server.ask(held)).toBe(before);
    },
    patienceMilliseconds,
  );

  test(
    'what people send runs as it does with all in sight',
    async () => {
      expect(honest.length).toBeGreaterThanOrEqual(80);
      const differ: string[] = [];
      for (const sql of honest) {
        const [seen] = await asked('mysql', hiding, [{ sql }]);
        if (!isRead.test(sql)) await setUp();
        const [plain] = await asked('mysql', database, [{ sql }]);
        if (!isRead.test(sql)) await setUp();
        if (resultOf(seen?.answer) !== resultOf(plain?.answer)) differ.push(`${sql}: ${seen?.end}`);
      }
      expect(differ).toEqual([]);
    },
    patienceMilliseconds,
  );

  test('nothing that lists, describes or searches names one', async () => {
    const all = { ...call, signal: new AbortController().signal };
    const tables = answered(await hiding.listTables(all));
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['customers', 'open_orders', 'refunds', 'shown_total']));
    expect(names.filter(name => [...hiddenNames, 'joined_view', 'merged_secret'].includes(name))).toEqual([]);
    expect(answered(await hiding.listSchemas(all)).schemas).not.toContain('audit');
    const described = answered(await hiding.describeTables(all, ['refunds', 'parents', 'products', 'held'], true));
    expect(described.filter(each => each === null)).toEqual([]);
    expect(answered(await hiding.describeTables(all, ['vault', 'pay_view', 'joined_view'], true))).toEqual([
      null,
      null,
      null,
    ]);
    for (const name of ['pay_count', 'pay_list', 'pay_indirect', 'pay_text'])
      expect(answered(await hiding.describeObjects(all, name))).toEqual([]);
    expect(answered(await hiding.describeObjects(all, 'order_count'))).toHaveLength(1);
    const told = JSON.stringify([tables, described, answered(await hiding.catalogTexts(all, null))]);
    expect(hiddenNames.filter(name => name !== 'pay_secret' && told.includes(name))).toEqual([]);
  });

  test('with a list of what is met, all else is hidden', async () => {
    const listed = inSight(database, { hide: [], only: ['shop.orders', 'shop.customers'], show: [] });
    const ends = await asked(
      'mysql',
      listed,
      [
        'select o.id from orders o join customers c on (c.id = o.customer_id)',
        "with big as (select * from orders) select status, count(*) from customers where name like 'A%' group by status",
        "update orders o set o.state = 'late' where o.id = 4",
      ].map(sql => ({ sql })),
    );
    expect(ends.map(({ end }) => end)).toEqual(['success', 'success', 'success']);
    for (const name of ['products', 'open_orders', 'shown_total', 'audit.audit_entries', 'mysql.user']) {
      const [ended] = await asked('mysql', listed, [{ sql: `select * from ${name}` }]);
      expect(ended?.end).toMatch(missing);
    }
  });

  test(
    'a view in the place of a table that was read before is looked into again',
    async () => {
      const read = () => readAsAClient(hiding, 'select id, name from products');
      expect([await read(), await read()]).toEqual(['done', 'done']);
      await server.client(
        'use shop; rename table products to goods; create view products as select id, code as name from vault',
      );
      expect(await read()).toMatch(missing);
      expect((await asked('mysql', hiding, [{ sql: 'select id, name from products' }]))[0]?.end).toMatch(missing);
      await setUp();
    },
    patienceMilliseconds,
  );

  test(
    'a role that is made has no right to one',
    async () => {
      const all = { ...call, signal: new AbortController().signal };
      await server.client(overMerged);
      const role = answered(
        await hiding.planRole(all, { name: 'fits', access: 'readOnly', schemas: null, statementSeconds: 5 }),
      );
      try {
        expect(await role.make('a-password-of-a-role')).toEqual({ kind: 'made' });
        const asRole = openMysql(endpointOf(server, { database: 'shop', user: 'fits' }), {
          ...portsOf(server),
          password: async () => 'a-password-of-a-role',
        });
        expect(await role.excess(asRole, all)).toEqual({ kind: 'done', value: null });
        const [met] = await asked('mysql', asRole, [{ sql: 'select name from customers' }]);
        expect(met?.end).toBe('success');
        // Of a MERGE table the server asks for no right to the tables behind it, nor of a view to that.
        const out = ['vault', 'pay_secret', 'audit.audit_entries', 'pay_view', 'merged', 'via_merged', 'via_view'];
        for (const table of out) {
          const [denied] = await asked('mysql', asRole, [{ sql: `select * from ${table}` }]);
          expect(denied?.end).toMatch(/\((?:1142|1044)\)$|can't be looked|cannot be looked|looked into/);
        }
        await asRole.close();
      } finally {
        expect(await role.remove()).toEqual({ stays: null });
        await setUp();
      }
    },
    patienceMilliseconds,
  );

  test('a table of an engine that nobody listed is not looked into, and granted to no role', async () => {
    const isMariadb = /mariadb/i.test(await server.ask('select version()'));
    // Its rows come from a server that the definition names. It comes with MariaDB alone.
    if (isMariadb) await server.ask("install soname 'ha_sphinx'");
    const engine = isMariadb ? 'sphinx' : 'merge';
    await server.client(`use shop; create table searched
      (id bigint unsigned not null, weight int not null, query varchar(3072) not null, index (query)) engine = ${engine};
      create view searches as select id from searched`);
    try {
      const ends = await asked('mysql', hiding, [
        { sql: 'select id from searched' },
        { sql: 'select * from searches' },
        ...(isMariadb ? [{ sql: 'select seq from seq_1_to_3' }] : []),
      ]);
      expect(ends.map(({ end }) => end)).toEqual([
        expect.stringMatching(/^unsupported: /),
        expect.stringMatching(/^unsupported: /),
        ...(isMariadb ? ['success'] : []),
      ]);
      const wanted = { name: 'fits', access: 'readOnly', schemas: null, statementSeconds: 5 } as const;
      const role = answered(await hiding.planRole({ ...call, signal: new AbortController().signal }, wanted));
      const sql = role.steps.flatMap(({ statements }) => statements).join('\n');
      expect(sql).toContain('`customers`');
      expect(sql).not.toMatch(/searche[ds]/);
    } finally {
      await server.client('use shop; drop view searches; drop table searched');
      if (isMariadb) await server.ask("uninstall soname 'ha_sphinx'");
    }
  });

  test("a table that isn't there is told in the same words", async () => {
    const [gone, unseen] = await asked('mysql', hiding, [
      { sql: 'select * from nowhere' },
      { sql: 'select * from vault' },
    ]);
    expect(unseen?.end).toBe(gone?.end.replace('nowhere', 'vault'));
  });
});

const isRead = /^(?:select|with|show|desc|explain|call|checksum)/;
