/** Plans on MariaDB: data changes are all or nothing, definitions stop at the first failure. */

import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { RequestFacts } from '../../../daemon/access/requests/access-requests.ts';
import { byCascade, notCounted, type Taken, takesNothing } from '../../../daemon/engines/count/taken.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { asOwner } from '../../../daemon/shells/run-as-owner.ts';
import { callOn } from '../../attacks/ask-and-run.ts';
import { endpointOf, portsOf } from '../../engines/mysql/endpoint.ts';
import { needs } from '../../needs.ts';
import { openLine } from '../../servers/cuttable-line.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { dialect, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { propose } from './proposed.ts';

const setUp = dialect(`
drop database if exists shop; create database shop; use shop;
create table customers (id int primary key, name varchar(20)); insert into customers select seq, concat('n', seq) from seq_1_to_40;
create table orders (id int primary key, customer int, foreign key (customer) references customers (id) on delete cascade);
insert into orders select seq, seq % 40 + 1 from seq_1_to_500;
create table scratch (id int primary key); insert into scratch select seq from seq_1_to_100;
create table audit (id int primary key); insert into audit select seq from seq_1_to_30;
create trigger striking after delete on scratch for each row delete from audit where id = old.id and id <= 5;`);

const missing = mariadbUnavailable();
const { test } = needs(missing);
let server: MariadbServer;
let database: Database;
beforeAll(async () => {
  if (missing === null) server = await lendMariadb();
}, 120_000);
beforeEach(async () => {
  if (missing !== null) return;
  await server.client(setUp);
  database = openMysql(endpointOf(server, { database: 'shop', user: 'root' }), portsOf(server));
}, 60_000);
afterEach(() => database?.close());
afterAll(() => server?.stop(), 60_000);

const ask = async (sql: string) => (await server.ask(sql, 'shop')).trim();
/** Tables with their rows, columns and keys; triggers and code. */
const whole = async () => {
  const tables = await ask("select table_name from information_schema.tables where table_schema = 'shop' order by 1");
  const rows = await Promise.all(tables.split('\n').map(table => ask(`checksum table ${table}`)));
  const made =
    await ask(`select concat_ws(' ', table_name, column_name, column_type) from information_schema.columns where table_schema = 'shop'
    union all select concat_ws(' ', table_name, constraint_type) from information_schema.table_constraints where table_schema = 'shop'
    union all select concat_ws(' ', trigger_name, action_statement) from information_schema.triggers where trigger_schema = 'shop'
    union all select concat_ws(' ', routine_name, routine_definition) from information_schema.routines where routine_schema = 'shop' order by 1`);
  return [...rows, made].join('\n');
};

test('data changes are counted one after another, and committed together', async () => {
  const { shown, end } = await propose(database, [
    'delete from orders where id <= 100',
    'delete from orders',
    "update customers set name = 'x' where id <= 7",
    'delete from scratch where id <= 3',
  ]);
  expect(shown).toEqual([
    'deletes 100 rows of shop.orders',
    'deletes all 400 rows of shop.orders',
    'changes 7 rows of shop.customers',
    `deletes 3 rows of shop.scratch; deletes 3 rows of shop.audit, ${byCascade}`,
  ]);
  expect(end).toBe('done: 100, 400, 7, 3');
  expect(await ask('select count(*) from orders')).toBe('0');
});

test('a failing middle leaves nothing of data changes', async () => {
  const before = await whole();
  const { end } = await propose(database, [
    'delete from scratch',
    'insert into customers values (1, null)',
    'delete from orders',
  ]);
  expect(end).toMatch(/^(?:would fail|failed) at 2/);
  expect(await whole()).toBe(before);
});

for (const sql of [
  'commit',
  'rollback',
  'start transaction',
  'savepoint a',
  'set autocommit = 1',
  'set session foreign_key_checks = 0',
  'set role all',
  "select 1 into outfile '/tmp/plan'",
  'select 1',
  "prepare later from 'delete from orders'",
  'delete from orders; delete from audit',
  'delete from orders /*!50000 ; commit */',
]) {
  test(`no part of a plan: ${sql}`, async () => {
    const before = await whole();
    const { end } = await propose(database, ['delete from scratch', sql, 'delete from orders']);
    expect(end).toMatch(/^2: (?:unsupported|denied|query_failed)/);
    expect(await whole()).toBe(before);
  });
}

for (const [what, statements] of [
  ['a value that is too long', ['delete from audit', "update customers set name = repeat('x', 99) where id = 1"]],
  ['thirty', [...Array.from({ length: 29 }, (_, at) => `delete from orders where id = ${at + 1}`), 'delete from x']],
] as const) {
  test(`${what} leaves nothing of data changes`, async () => {
    const before = await whole();
    const { end } = await propose(database, statements);
    expect(end).toMatch(/^(?:would fail|failed) at \d+/);
    expect(await whole()).toBe(before);
  });
}

test('what grows while it is looked at is not taken', async () => {
  const { end } = await propose(database, ['delete from orders where id <= 3', 'delete from scratch'], () =>
    server.ask(dialect('insert into scratch select seq + 1000 from seq_1_to_900'), 'shop'),
  );
  expect(end).toMatch(/^more at 2: deletes all 1,000 rows of shop\.scratch/);
  expect(await ask('select count(*) from orders')).toBe('500');
});

test('where a rollback leaves something, no step is run behind one that takes more', async () => {
  const keeping = (name: string) =>
    `create table ${name} (id int primary key) engine = MyISAM; insert into ${name} select seq from seq_1_to_9;`;
  await server.client(dialect(`use shop; ${keeping('kept')} ${keeping('spared')}`));
  const { end } = await propose(database, ['delete from kept', 'delete from spared']);
  expect(end).toMatch(/^outcome_unknown: .*did not take everything back/);
  expect(await ask('select count(*) from spared')).toBe('9');
});

test('with definitions it stops at the first failure, and what was done stays', async () => {
  const { shown, end } = await propose(database, [
    'alter table customers add column note varchar(9)',
    'drop table audit',
    'insert into customers (id) values (1)',
    'drop table scratch',
  ]);
  expect(shown[1]).toMatch(/^drops shop\.audit \(30 rows\)/);
  expect(end).toMatch(/^failed at 3: query_failed/);
  expect(
    await ask("select group_concat(table_name order by 1) from information_schema.tables where table_schema = 'shop'"),
  ).toBe('customers,orders,scratch');
});

/** What a plan would hide: `stays` are its first steps, whose effect is all that is left. */
for (const [what, steps, end, stays] of [
  [
    'a trigger that it brings',
    ['create trigger bombing after insert on audit for each row delete from orders', 'insert into audit values (99)'],
    /^more at 2/,
    1,
  ],
  [
    'a function that it brings',
    [
      'create function bomb() returns int modifies sql data begin delete from orders; return 1; end',
      'insert into audit select 100 + bomb()',
    ],
    /^more at 2/,
    1,
  ],
  [
    'a procedure that it brings, which commits',
    ['create procedure gone() begin delete from orders; commit; end', 'call gone()'],
    /^more at 2/,
    1,
  ],
  [
    'a table under another name',
    ['rename table audit to other, orders to audit', 'delete from audit'],
    /^more at 2/,
    1,
  ],
  ['a view that it brings', ['create view v as select * from orders', 'delete from v'], /^more at 2/, 1],
  [
    'a key that it brings',
    [
      'alter table audit add foreign key (id) references customers (id) on delete cascade',
      'delete from customers where id <= 20',
    ],
    /^more at 2/,
    1,
  ],
  [
    'a table that it replaces',
    [
      'create table fresh (id int primary key)',
      'drop table orders',
      'create table orders (id int)',
      'insert into orders values (1), (1)',
      'drop table nothing',
    ],
    /^failed at 5/,
    4,
  ],
] as const) {
  test(`attack: ${what}`, async () => {
    for (const step of steps.slice(0, stays)) await ask(dialect(step));
    const expected = await whole();
    await server.client(setUp);
    const ran = await propose(database, steps.map(dialect));
    expect(ran.end).toMatch(end);
    expect(await whole()).toBe(expected);
  });
}

for (const [what, steps, bytes, end] of [
  ['data changes', ['delete from orders where id <= 9', 'delete from scratch'], 'COMMIT', /^outcome_unknown: /],
  [
    'a change behind a definition',
    ['create table notes (id int primary key)', 'delete from orders where id <= 9', 'drop table audit'],
    'COMMIT',
    /^failed at 2: outcome_unknown: /,
  ],
  [
    'a definition behind a definition',
    ['create table notes (id int primary key)', 'create table others (id int primary key)', 'drop table audit'],
    'create table others',
    /^failed at 2: outcome_unknown: /,
  ],
] as const) {
  test(`${what}: an end that nobody answers is told as unknown, and nothing runs behind it`, async () => {
    const line = await openLine(server.port);
    const endpoint = { ...endpointOf(server, { database: 'shop', user: 'root' }), port: line.port };
    const far = openMysql(endpoint, portsOf(server));
    try {
      const frozen = async () => line.set({ bytes, passesThem: false, how: 'silent' });
      expect((await propose(far, steps, frozen, { seconds: 3 })).end).toMatch(end);
      await line.close();
      expect(await ask('select (select count(*) from orders) + (select count(*) from audit)')).toBe('530');
    } finally {
      await far.close();
    }
  });
}

test('one that was opened while its server was away runs nothing, and waits to be opened again', async () => {
  const steps = ['delete from orders where id = 1', 'create table notes (id int primary key)'];
  const { ports, call } = callOn(database, 'delete from orders', 'execute_query');
  const { connection } = call.resolved;
  const statement = { text: steps.join(';\n'), steps, parameters: [], schema: null, database: null };
  const asked = {
    ...{ id: 'r', connectionId: connection.id, statement, found: null },
    shown: {
      words: { lines: [], note: 'Its rows were not counted.' },
      figures: notCounted('Its rows were not counted.'),
    },
  } as unknown as RequestFacts<Taken>;
  const before = await whole();
  const ran = await asOwner(ports, { find: () => connection }).runAsOwner(asked, 'r1', new AbortController().signal);
  expect(ran).toMatchObject({ failed: expect.stringContaining('not counted when it was opened'), mayHaveRun: false });
  expect(ran.found).toEqual(takesNothing);
  expect(await whole()).toBe(before);
});
