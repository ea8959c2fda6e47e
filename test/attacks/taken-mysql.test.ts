/**
 * What a question says that its statement takes on MariaDB or MySQL, and what the approved run
 * takes: foreign keys, triggers, growth, locks, DDL that commits by itself.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { byCascade } from '../../daemon/engines/count/taken.ts';
import { noRows } from '../../daemon/engines/count/taken-words.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { analyzed, everywhere } from '../../daemon/engines/mysql/count.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { expectWithin, here } from '../waiting/limits.ts';
import { askAndRun, shownOf, textOf } from './ask-and-run.ts';

const setUp = dialect(`
drop database if exists other; drop database if exists shop; create database shop; create database other; use shop;
create table customers (id int primary key);
insert into customers select seq from seq_1_to_20;
create table invoices (id int primary key, customer int, foreign key (customer) references customers (id) on delete cascade);
insert into invoices select seq, seq % 20 + 1 from seq_1_to_300;
create table notes (id int primary key, invoice int, foreign key (invoice) references invoices (id) on delete set null);
insert into notes select seq, seq from seq_1_to_50;
create table grows (id int primary key); insert into grows select seq from seq_1_to_40;
create table audited (id int primary key); insert into audited values (1), (2), (3);
create table victim (id int primary key); insert into victim select seq from seq_1_to_70;
create table big (id int primary key, n int); insert into big select seq, 0 from seq_1_to_3000; analyze table big;
create table isam (id int primary key) engine = MyISAM; insert into isam values (1), (2), (3);
create table merged (id int not null, key (id)) engine = MyISAM; insert into merged values (1), (2);
create table merging (id int not null, key (id)) engine = MERGE union = (merged) insert_method = last;
create table other.far (id int primary key); insert into other.far values (1), (2);
create table parted (id int primary key) partition by range (id) (partition p0 values less than (10), partition p1 values less than (99));
insert into parted values (1), (2), (20);
create table online (id int primary key); insert into online values (1), (2);
create table offline (id int primary key); insert into offline values (1);
create table plain (id int primary key); insert into plain values (5);
create table teams (id int primary key); insert into teams values (1), (2);
create table members (id int primary key, team int, foreign key (team) references teams (id) on delete cascade);
create view seen as select * from audited;
create table sold (id int primary key, n int); insert into sold select seq, 0 from seq_1_to_500;
create table buyers (id int primary key, n int); insert into buyers select seq, 0 from seq_1_to_200;
drop user if exists leaver@localhost; create user leaver@localhost;
create definer = leaver@localhost view lefts as select * from audited;`);

const missing = mariadbUnavailable();
let server: MariadbServer;
let database: Database;
beforeAll(async () => {
  if (missing === null) server = await lendMariadb();
}, 120_000);
afterAll(() => server?.stop(), 60_000);
beforeEach(async () => {
  if (missing !== null) return;
  await server.client(setUp);
  database = openMysql(endpointOf(server, { database: 'shop', user: 'root' }), portsOf(server));
}, 60_000);
afterEach(() => database?.close());

const rows = async (table: string) => Number(await server.ask(`select count(*) from ${table}`, 'shop'));
const { test } = needs(missing);
const keyed = (name: string) =>
  `(Rows that others add in the moment before it runs are taken too, because ${name} has foreign keys.)`;

const taken: readonly (readonly [string, unknown])[] = [
  [
    'delete from customers where id = 1',
    `deletes 1 row of shop.customers\ndeletes 15 rows of shop.invoices, ${byCascade}\nchanges 2 rows of shop.notes, ${byCascade}`,
  ],
  ['delete from audited', 'deletes all 3 rows of shop.audited'],
  ['update audited set id = id + 10', 'changes all 3 rows of shop.audited'],
  ['truncate audited', 'empties shop.audited (3 rows)'],
  [
    'truncate table shop.merging',
    'empties shop.merging (2 rows)\nempties shop.merged (2 rows), whose rows shop.merging shows',
  ],
  [
    'delete from merging',
    expect.stringMatching(
      /^deletes up to 2 rows of shop\.merging\ndeletes up to 2 rows of shop\.merged, whose rows shop\.merging shows\n/,
    ),
  ],
  ...(missing === null && isMysql()
    ? []
    : [['analyze delete from grows where id < 9', `deletes up to 40 rows of shop.grows\n(${analyzed})`] as const]),
  ['insert into grows values (99)', noRows],
  ['drop table online', 'drops shop.online (2 rows)'],
  ['truncate offline', 'empties shop.offline (1 row)'],
  ['drop table audited, grows', 'drops shop.audited (3 rows)\ndrops shop.grows (40 rows)'],
  ['drop table notes', `drops shop.notes (50 rows)\n${keyed('shop.notes')}`],
  ['alter table grows drop column id, add column x int', 'alters shop.grows (40 rows)'],
  [
    'update sold s join buyers b on b.id = s.id set s.n = 1, b.n = 1',
    'changes 200 rows of shop.sold\nchanges all 200 rows of shop.buyers',
  ],
  [
    'update sold s left join buyers b on b.id = s.id set s.n = 1, b.n = 1',
    'changes all 500 rows of shop.sold\nchanges all 200 rows of shop.buyers',
  ],
  [
    'alter table parted truncate partition p0',
    'deletes 2 rows of shop.parted, in its partition p0\nalters shop.parted (3 rows)',
  ],
  [
    'alter table parted drop partition p1',
    'deletes 1 row of shop.parted, in its partition p1\nalters shop.parted (3 rows)',
  ],
  [
    'alter table parted truncate partition all',
    'deletes 3 rows of shop.parted, in all its partitions\nalters shop.parted (3 rows)',
  ],
  ['rename table grows to grown', 'alters shop.grows (40 rows)'],
  ['drop view seen', 'drops view seen'],
  ['create trigger late before insert on grows for each row set new.id = 5', 'alters shop.grows (40 rows)'],
  [
    'drop user leaver@localhost',
    'drops account "leaver@localhost"\nalters view shop.lefts, which runs with the rights of that account',
  ],
  ['grant select on shop.grows to leaver@localhost', 'changes the rights on shop.grows (40 rows)'],
  ['grant select on other.* to leaver@localhost', 'changes the rights on other.far (2 rows)'],
  ['grant select on *.* to leaver@localhost', `(${everywhere.notes[0]})`],
  [
    "alter user leaver@localhost identified by 'x'",
    missing === null && isMysql() ? expect.anything() : 'alters account "leaver@localhost"',
  ],
  [
    'alter table parted exchange partition p0 with table plain',
    'alters shop.parted (3 rows)\nalters shop.plain (1 row)',
  ],
  [
    'drop database other',
    'drops other.far (2 rows)\n(Rows that others add in the moment before it runs are taken too, because it drops a whole database.)',
  ],
  ...(missing === null && isMysql()
    ? []
    : [
        [
          'create or replace database other',
          'drops other.far (2 rows)\n(Rows that others add in the moment before it runs are taken too, because it drops a whole database.)',
        ] as const,
      ]),
  [
    'delete from isam',
    "deletes up to 3 rows of shop.isam\n(shop.isam is a table of the engine MyISAM, whose changes are not rolled back. A preview could not be undone for sure, so the statement was not run. shop.isam is a table of the engine MyISAM: what a yes does to it can't be rolled back.)",
  ],
  [
    'delete from big',
    expect.stringMatching(
      /^deletes up to 3,000 rows of shop\.big\n\(Its rows were not counted, because its plan looks at about [\d,]+ rows, and a trial may at 1,000\.\)$/,
    ),
  ],
];
for (const [sql, shown] of taken)
  test(sql, async () => {
    expect(await shownOf(database, sql)).toEqual(shown);
    const { questions, end } = await askAndRun(database, sql);
    expect([questions.map(textOf), end]).toEqual([[shown], 'done']);
  });

/** As a session of the application's may have them for all: the server writes names otherwise. */
const modes = missing === null && !isMysql() ? ['ANSI_QUOTES', 'ORACLE', 'NO_TABLE_OPTIONS'] : ['ANSI_QUOTES', 'ANSI'];
for (const mode of modes)
  test(`in sessions of sql_mode ${mode} the tables behind a MERGE table are told too`, async () => {
    const usual = (await server.ask('select @@global.sql_mode')).trim();
    await server.ask(`set global sql_mode = '${mode}'`);
    const opened = openMysql(endpointOf(server, { database: 'shop', user: 'root' }), portsOf(server));
    try {
      const told = await shownOf(opened, 'truncate table shop.merging');
      // MySQL then leaves them out, so nothing is asked and nothing runs.
      if (mode === 'ANSI') expect(told).toContain('does not tell the tables behind a MERGE table');
      else
        expect(told).toBe('empties shop.merging (2 rows)\nempties shop.merged (2 rows), whose rows shop.merging shows');
    } finally {
      await opened.close();
      await server.ask(`set global sql_mode = '${usual}'`);
    }
  });

test('a table that grew by more than a tenth is asked about again, one that shrank isn’t', async () => {
  for (const sql of ['delete from grows', 'truncate grows', 'drop table grows']) {
    const grow = (most: number) => async (question: number) => {
      if (question === 1)
        await server.client(dialect(`use shop; delete from grows; insert into grows select seq from seq_1_to_${most}`));
      return question < 3;
    };
    const again = await askAndRun(database, sql, { decides: grow(51) });
    expect([sql, again.questions.length, again.end]).toEqual([sql, 2, 'done']);
    expect(textOf(again.questions[1] ?? { lines: [], note: null })).toMatch(/51 rows/);
    for (const most of [50, 3]) {
      await server.client(setUp);
      expect([sql, await askAndRun(database, sql, { decides: grow(most) })]).toMatchObject([
        sql,
        { questions: [{}], end: 'done' },
      ]);
    }
    await server.client(setUp);
  }
});

const meanwhile: readonly (readonly [string, string, string])[] = [
  [
    'delete from audited',
    'create trigger t after delete on audited for each row delete from victim where id > 1',
    `deletes 69 rows of shop.victim, ${byCascade}`,
  ],
  [
    'delete from customers where id = 2',
    'create table late (id int, foreign key (id) references customers (id) on delete cascade); insert into late values (2), (2)',
    `deletes all 2 rows of shop.late, ${byCascade}`,
  ],
  [
    'truncate merging',
    'alter table merging union = (merged, isam_too)',
    'empties shop.isam_too (2 rows), whose rows shop.merging shows',
  ],
];
for (const [sql, ddl, shown] of meanwhile)
  test(`${sql}: new rows are asked about, and nothing is gone before the approval`, async () => {
    await server.client(
      'use shop; create table isam_too (id int not null, key (id)) engine = MyISAM; insert into isam_too values (1), (2)',
    );
    const decides = async (question: number) => {
      if (question === 1) await server.client(`use shop; ${ddl}`);
      return question === 1;
    };
    const { questions, end } = await askAndRun(database, sql, { decides });
    expect([end, questions.length]).toEqual(['no', 2]);
    expect(questions[1]?.lines).toContain(shown);
    expect([await rows('audited'), await rows('victim'), await rows('customers'), await rows('isam_too')]).toEqual([
      3, 70, 20, 2,
    ]);
  });

test('a lock held by another session costs less than 250 ms, and its transaction survives', async () => {
  const { host, port, password } = server;
  const other = await createConnection({ host, port, user: 'root', password, database: 'shop' });
  await other.query('begin');
  await other.query('update grows set id = 1000 where id = 40');
  const begun = performance.now();
  expect(await shownOf(database, 'delete from grows where id < 100')).toMatch(
    /^deletes up to 40 rows of shop\.grows\n\(Its rows were not counted, because /,
  );
  expectWithin(begun, 1_000);
  // A deadlock here would end the other transaction, since it has changed fewer rows.
  const waits = shownOf(database, 'delete from grows where id > 0');
  await new Promise(resolve => setTimeout(resolve, 20));
  await other.query('update grows set id = 2000 where id = 1');
  await waits;
  await other.query('commit');
  expect(await server.ask('select max(id) from grows', 'shop')).toMatch(/2000/);
  await other.end();
});

test('a concurrent writer never waits for a long cascade of a trial', async () => {
  const { host, port, password } = server;
  const other = await createConnection({ host, port, user: 'root', password, database: 'shop' });
  const waitsFor = async (shown: string | RegExp): Promise<void> => {
    const asked = shownOf(database, 'delete from teams where id = 1');
    let isOver = false;
    void asked.then(() => {
      isOver = true;
    });
    let longest = 0;
    do {
      const begun = performance.now();
      await other.query('update members set team = team where id in (1, 2, 4500)');
      longest = Math.max(longest, performance.now() - begun);
    } while (!isOver);
    expect(await asked).toMatch(shown);
    // The whole cascade makes it wait half a second and more; on a busy machine it is late without
    // one.
    expect(Math.round(longest)).toBeLessThan(here(isMysql() ? 2_000 : 500));
  };
  await server.client(dialect('use shop; insert into members select seq, 1 from seq_1_to_4500'));
  await waitsFor(/ of shop\.teams\ndeletes (all|up to) 4,500 rows of shop\.members/);
  await server.client(dialect('use shop; insert into members select seq, 1 from seq_4501_to_100000'));
  await waitsFor(
    'deletes up to 2 rows of shop.teams\ndeletes up to 100,000 rows of shop.members, which refers to shop.teams\n(Its rows were not counted, because rows of shop.members go with them, which has many: a trial may set off 5,000.)',
  );
  await other.end();
}, 120_000);

test('what can’t be counted within 2 s is estimated', async () => {
  await server.client('use shop; analyze table victim');
  const { host, port, password } = server;
  const other = await createConnection({ host, port, user: 'root', password, database: 'shop' });
  await other.query('lock tables victim write');
  const begun = performance.now();
  expect(await shownOf(database, 'drop table audited, victim')).toBe(
    'drops shop.audited (3 rows)\ndrops shop.victim (~70 rows)',
  );
  expectWithin(begun, 4_000);
  await other.end();
});

test('consequences are reported even if another session’s lock prevents a trial', async () => {
  const { host, port, password } = server;
  const other = await createConnection({ host, port, user: 'root', password, database: 'shop' });
  await other.query('begin');
  await other.query('select id from customers where id = 1 for update');
  expect(await shownOf(database, 'delete from customers where id = 1')).toMatch(
    /^deletes up to 20 rows of shop\.customers\ndeletes up to 300 rows of shop\.invoices, which refers to shop\.customers\nchanges up to 50 rows of shop\.notes, which refers to shop\.invoices\n\(Its rows were not counted, because /,
  );
  await other.end();
});

if (!isMysql())
  test('old versions of rows are counted', async () => {
    await server.client(`use shop; create table kept (id int primary key, v int) with system versioning;
      insert into kept values (1, 1), (2, 2); update kept set v = v + 1; update kept set v = v + 1`);
    expect(await shownOf(database, 'alter table kept drop system versioning')).toBe(
      'deletes 4 rows of shop.kept, old versions in its history\nalters shop.kept (2 rows)',
    );
    expect(await shownOf(database, 'delete history from kept before system_time now()')).toBe(
      'deletes up to 4 rows of shop.kept, old versions in its history',
    );
    const { questions, end } = await askAndRun(database, 'alter table kept drop system versioning', {
      decides: async question => {
        if (question === 1)
          for (let time = 0; time < 8; time += 1) await server.client('use shop; update kept set v = v + 1');
        return question === 1;
      },
    });
    expect([end, questions.length, questions[1]?.lines[0]]).toEqual([
      'no',
      2,
      'deletes 20 rows of shop.kept, old versions in its history',
    ]);
  });

test('rows of a partition that came meanwhile are asked about', async () => {
  const { questions, end } = await askAndRun(database, 'alter table grown truncate partition p0', {});
  expect([questions.length, end]).toEqual([1, expect.stringMatching(/doesn't exist|not exist/)]);
  const late = await askAndRun(database, 'alter table parted truncate partition p1', {
    decides: async question => {
      if (question === 1) await server.client(dialect('use shop; insert into parted select seq from seq_30_to_60'));
      return question === 1;
    },
  });
  expect([late.end, late.questions.length, await rows('parted')]).toEqual(['no', 2, 34]);
});

test('one total for larger tables is a limit', async () => {
  await server.client(dialect('use shop; insert into sold select seq, 0 from seq_501_to_1500'));
  expect(await shownOf(database, 'update sold s join buyers b on b.id = s.id set s.n = 1, b.n = 1')).toBe(
    'changes up to 400 rows of shop.sold\nchanges all 200 rows of shop.buyers',
  );
});

if (!isMysql())
  test('a question doesn’t move a sequence that its statement would set', async () => {
    const next = () => server.ask('select next_not_cached_value from counted', 'shop');
    await server.client(dialect('use shop; create sequence counted; create table set_by (id int primary key);'));
    await server.client(
      'use shop; create trigger sets before delete on set_by for each row set @n = setval(counted, 900)',
    );
    await server.client('use shop; insert into set_by values (1)');
    const before = await next();
    for (const sql of ['update plain set id = setval(counted, 900) where id = 5', 'delete from set_by']) {
      const { questions, end } = await askAndRun(database, sql, { decides: async () => false });
      expect([end, textOf(questions[0] ?? { lines: [], note: null })]).toEqual([
        'no',
        expect.stringMatching(/A sequence that .* sets stays so after a rollback/),
      ]);
      expect(await next()).toBe(before);
    }
  });

test('called code is said to be counted as it runs', async () => {
  await server.client('use shop; create procedure strikes() delete from victim');
  const { questions, end } = await askAndRun(database, 'call strikes()', { decides: async question => question < 2 });
  expect([end, questions.map(({ lines }) => lines), await rows('victim')]).toEqual([
    'no',
    [[], [`deletes all 70 rows of shop.victim, ${byCascade}`]],
    70,
  ]);
  expect(questions[0]?.note).toMatch(/^What the code that it calls takes is counted as it runs/);
});
