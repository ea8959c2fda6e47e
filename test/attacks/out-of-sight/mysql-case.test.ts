/**
 * Tables out of sight on a MySQL or MariaDB server to which the case of a table's name doesn't
 * count: a name that the server takes for a hidden one is hidden (spec §6).
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { inSight } from '../../../daemon/engines/in-sight.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { folded } from '../../../daemon/guard/sight.ts';
import { call } from '../../engines/collecting-sink.ts';
import { endpointOf, portsOf } from '../../engines/mysql/endpoint.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { asked } from './ask.ts';

const patienceMilliseconds = 120_000;
const fixture = `create database shop character set utf8mb4; use shop;
create table secret_pay (id int, card varchar(20)); insert into secret_pay values (1, 'canary');
create table invoices (id int, card varchar(20)); insert into invoices values (1, 'canary');
create table orders (id int); insert into orders values (1);
create view Pay_View as select id from SECRET_PAY;
create function Pay_Count() returns int reads sql data return (select count(*) from SHOP.SECRET_PAY);
create function view_count() returns int reads sql data return (select count(*) from PAY_VIEW);
create function Bill_Count() returns int reads sql data return (select count(*) from \`İNVOICES\`);
create function order_count() returns int reads sql data return (select count(*) from ORDERS)`;

// MySQL takes the option only where its data folder is made.
needs(mariadbUnavailable() ?? (isMysql() ? 'MariaDB is not installed' : null)).describe(
  'tables out of sight where case does not count',
  () => {
    let server: MariadbServer;
    let database: Database;
    let hiding: Database;

    beforeAll(async () => {
      server = await startMariadb(['--lower-case-table-names=1', '--log-bin-trust-function-creators=1']);
      await server.ask(fixture);
      database = openMysql(endpointOf(server, { database: 'shop' }), portsOf(server));
      hiding = inSight(database, { hide: ['secret_*', 'shop.invoices'], only: [], show: [] });
    }, patienceMilliseconds);
    afterAll(async () => {
      await database?.close();
      await server?.stop();
    }, patienceMilliseconds);

    test(
      'a name in any case that the server folds reaches none',
      async () => {
        const sent = [
          'SECRET_PAY',
          'Shop.Secret_Pay',
          'INVOICES',
          '`İnvoices`',
          'İNVOİCES',
          'shop.`İNVOICES`',
          'PAY_VIEW',
        ];
        const ends = await asked('mysql', hiding, [
          ...sent.map(name => ({ sql: `select * from ${name}` })),
          ...['Pay_Count', 'view_count', 'Bill_Count', 'päy_coünt'].map(name => ({ sql: `select ${name}()` })),
          { sql: 'insert into orders select id from İnvoices' },
        ]);
        expect(ends.filter(({ end, answer }) => end === 'success' || answer.includes('canary'))).toEqual([]);
        const [honest] = await asked('mysql', hiding, [{ sql: 'select * from ORDERS' }]);
        expect(honest?.end).toBe('success');
      },
      patienceMilliseconds,
    );

    test(
      'nothing that describes a routine over one names it',
      async () => {
        const all = { ...call, signal: new AbortController().signal };
        for (const name of ['Pay_Count', 'view_count', 'Bill_Count'])
          expect([name, await hiding.describeObjects(all, name)]).toEqual([name, { kind: 'done', value: [] }]);
        expect(await hiding.describeObjects(all, 'order_count')).toMatchObject({ value: [{ name: 'order_count' }] });
        const told = JSON.stringify([await hiding.catalogTexts(all, null), await hiding.listTables(all)]).toLowerCase();
        expect(['secret_pay', 'pay_view', 'invoices'].filter(name => told.includes(name))).toEqual([]);
      },
      patienceMilliseconds,
    );

    test(
      'no character that the server folds to another is a name of its own here',
      async () => {
        const points = Array.from({ length: 0x1_00_00 }, (_, point) => point).filter(
          point => point > 0x20 && (point < 0xd8_00 || point > 0xdf_ff),
        );
        const letters = points.filter(point => /\p{L}|\p{N}|\p{M}/u.test(String.fromCodePoint(point)));
        const quoted = letters.map(point => `('${String.fromCodePoint(point)}')`).join(', ');
        await server.ask('create table letters (letter varchar(1) character set utf8mb3 collate utf8mb3_bin)', 'shop');
        await server.ask(`insert into letters values ${quoted}`, 'shop');
        const lines = await server.ask('select letter, lower(convert(letter using utf8mb3)) from letters', 'shop');
        const pairs = lines
          .trimEnd()
          .split('\n')
          .map(line => line.split('\t'));
        expect(pairs.length).toBe(letters.length);
        expect(pairs.filter(([letter = '', lower = '']) => folded(letter) !== folded(lower))).toEqual([]);
      },
      patienceMilliseconds,
    );
  },
);
