/**
 * Threat: a client with a read-write token wants a table gone and sends statements whose text looks
 * like an honest write. Everything is classified and run as in the daemon; then the tables are
 * compared with their state before.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { endpointOf } from '../engines/mysql/endpoint.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { attacks, honest, tables } from './counted-mysql-statements.ts';
import { writingClient } from './write-as-a-client.ts';

const missing = mariadbUnavailable();
let server: MariadbServer;
let database: Database;
let untouched = '';
beforeAll(async () => {
  if (missing !== null) return;
  server = await lendMariadb();
  await reset();
}, 120_000);
afterAll(async () => {
  await database?.close();
  await server?.stop();
}, 60_000);

async function reset(): Promise<void> {
  await server.client(dialect(`delimiter //\n${tables.join('//\n')}//`));
  untouched = await state();
  await as('root', server.password);
}

async function as(user: string, password: string): Promise<void> {
  await database?.close();
  database = openMysql(endpointOf(server, { database: 'shop', user }), {
    password: async () => password,
    now: () => performance.now(),
  });
}

function state(): Promise<string> {
  return server.ask(
    'checksum table customer, orders, line, note, cart, setting, audit, counter, price, feed, part, isam, is2, h2, h3, tree, bomb, sly, logged, stage, country, city, made, two_keys, parted, chain_a, chain_b, chain_c, self_key, pair, of_pair, replaced_by, buyer, visit, page, page_told, page_upserts, veiled, `odd name`',
    'shop',
  );
}

/** A client that has changed nothing yet. */
const write = (sql: string) => writingClient(() => database, { database: 'shop', databases: 'all' })(dialect(sql));

describe('attacks leave everything unchanged', () => {
  for (const sql of attacks)
    needs(missing).test(sql, async () => {
      const end = await write(sql);
      const after = await state();
      const before = untouched;
      if (after !== before) await reset();
      expect(after).toBe(before);
      // The server itself refuses what MySQL doesn't have.
      expect(end).toMatch(isMysql() ? /^(denied|unsupported): |\(1064\)$/ : /^(denied|unsupported): /);
    });
});

describe('honest writes run without asking, one after the other', () => {
  for (const sql of honest) needs(missing).test(sql, async () => expect(await write(sql)).toBe('done'));
});

needs(missing).test('after a statement that ended and can’t be rolled back the answer says what it did', async () => {
  await reset();
  expect(await write('delete from isam where id in (1, 2, 3)')).toMatch(
    /^outcome_unknown: The statement ended, .*it would have emptied "shop\.isam" \(3 rows deleted\)\. Look before you repeat it\.$/,
  );
  expect((await server.ask('select count(*) from isam', 'shop')).trim()).toBe('0');
});

needs(missing).test('the answer says what a rollback may leave behind', async () => {
  await reset();
  const left = 'Values taken from sequences and AUTO_INCREMENT stay used up';
  for (const sql of ['call clearing()', 'select wiping()', 'delete from setting where value > 0']) {
    const end = await write(sql);
    expect(end).toContain('it would have emptied "shop.setting"');
    expect(end).not.toContain(left);
  }
  // A trigger adds rows to `audit`.
  for (const sql of ['insert into bomb values (5)', 'update logged set n = n + 1 where id > 0'])
    expect(await write(sql)).toContain(left);
});

needs(missing).describe('an account that may not see everything that a write sets off', () => {
  const untriggered =
    /^denied: .*(trigger on shop\.\w+ cannot be looked into .*the privilege TRIGGER is missing|lacks the privilege TRIGGER on "shop\.\w+")/;
  const unviewed = /^denied: .*shop\.\w+ cannot be looked into .*the privilege SHOW VIEW is missing/;
  const partly = /^denied: .*lacks the privilege SELECT on the whole of "shop"/;

  const unseen = /^denied: .*something that this account cannot see changed rows/;

  beforeAll(async () => {
    await reset();
    await server.client(
      `create table trap (id int primary key, n int); insert into shop.trap values (1, 1), (2, 2);
      create trigger trapping after update on trap for each row delete from setting where value > 0`,
      { database: 'shop' },
    );
    await server.client(
      dialect(`create role seeing; grant select, insert, update, delete, trigger, show view on shop.* to seeing;
      create user by_role@'127.0.0.1' identified by 'known'; grant seeing to by_role@'127.0.0.1'; set default role seeing for by_role@'127.0.0.1';
      create user untriggered@'127.0.0.1' identified by 'known'; grant select, insert, update, delete, show view on shop.* to untriggered@'127.0.0.1';
      create user unviewed@'127.0.0.1' identified by 'known'; grant select, insert, update, delete, trigger on \`sh_p\`.* to unviewed@'127.0.0.1';
      create user outside@'127.0.0.1' identified by 'known'; grant insert, select, trigger on shop.page to outside@'127.0.0.1'; grant select on shop.visit to outside@'127.0.0.1';
      grant select, show view on shop.marking_without to outside@'127.0.0.1'; grant select, show view on shop.upserting_without to outside@'127.0.0.1';
      create user partly@'127.0.0.1' identified by 'known'; grant select, insert, update, delete, trigger on shop.customer to partly@'127.0.0.1'`),
    );
  });

  // Each counts rows of another statement. MySQL doesn't say whether a trigger ran; if other rows
  // than the target's changed, one may have.
  const onlyMysqlRefuses = [
    'update price p join feed f on f.id = p.id set p.cents = f.cents where f.cents > 0',
    "insert into setting values ('a', 5) on duplicate key update value = 5",
    // The server's totals include the rows of its cascades.
    'delete from customer where id = 9',
  ];
  const onlyMariadbRefuses = ['update logged set n = n + 1 where id <= 20'];

  test.each<readonly [string, string, RegExp]>([
    ['untriggered', 'insert into bomb values (5)', untriggered],
    ['untriggered', 'insert into stage values (5)', untriggered],
    ['untriggered', 'update trap set n = 5 where id = 1', untriggered],
    ['untriggered', 'insert into trap values (1, 1) on duplicate key update n = 7', untriggered],
    ['untriggered', 'update trap t join feed f on f.id = t.id set t.n = 3 where t.id = 1', untriggered],
    ...(isMysql() ? onlyMysqlRefuses : onlyMariadbRefuses).map(sql => ['untriggered', sql, untriggered] as const),
    ['unviewed', 'update cheap set price = 3 where id = 5', unviewed],
    ['unviewed', "delete from setting where name in (select name from counted_view where name = 'a')", unviewed],
    ['partly', 'delete from customer where id = 9', partly],
    ['partly', 'update customer set name = 1 where id = 9', partly],
    // It doesn't see what a view leads to.
    ...['marking_without', 'upserting_without'].map(
      view =>
        [
          'outside',
          `insert into page select page, count(*) + max(n) from visit, ${view} group by page`,
          unseen,
        ] as const,
    ),
    ['by_role', 'insert into bomb values (5)', /^denied: .*emptied "shop\.note"/],
    ['by_role', 'update trap set n = 5 where id = 1', /^denied: .*emptied "shop\.setting"/],
  ])('%s: %s is refused', async (user, sql, why) => {
    await as(user, 'known');
    expect(await write(sql)).toMatch(why);
    expect(await state()).toBe(untouched);
  });

  test.each([
    ...(isMysql() ? onlyMariadbRefuses : onlyMysqlRefuses).map(sql => ['untriggered', sql] as const),
    ['untriggered', "insert into customer (id, name) values (100, 'new')"],
    ['unviewed', 'delete from orders where id = 5'],
    ['partly', "insert into customer (id, name) values (101, 'new')"],
    ['by_role', 'update cheap set price = 3 where id = 5'],
  ])('%s: %s runs without asking', async (user, sql) => {
    await as(user, 'known');
    expect(await write(sql)).toBe('done');
  });
});
