/**
 * Statements whose object isn't a table, on a real PostgreSQL: each question names the tables that
 * they reach, with their rows, and an approved run reaches no others.
 */

import { beforeEach, expect, test } from '@jest/globals';
import { noRows } from '../../daemon/engines/count/taken-words.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { askAndRun, shownOf, textOf } from './ask-and-run.ts';
import { writingClient } from './write-as-a-client.ts';

const setUp = `
drop schema if exists shop cascade; create schema shop; set search_path = shop;
create type pair as (a int, b text); create type outer_pair as (inner_pair pair);
create table paired (id int, s pair); insert into paired select g, row(1, 'x')::pair from generate_series(1, 300) g;
create table lists (p pair[]); insert into lists values (array[row(1, 'x')::pair]);
create table nested (o outer_pair); insert into nested values (row(row(1, 'x')::pair)::outer_pair), (null);
create table typed of pair; insert into typed values (1, 'x');
create domain positive as int check (value > 0);
create table measured (n positive, m positive); insert into measured select 1, 2 from generate_series(1, 40);
create type mood as enum ('sad', 'ok');
create table diary (id int, how mood); insert into diary select g, 'ok' from generate_series(1, 20) g;
create view moods as select how from diary; create materialized view kept as select how from diary;
create sequence numbers; create table numbered (id int default nextval('numbers'), v int); insert into numbered (v) values (1), (2);
create collation words from "C"; create table worded (name text collate words); insert into worded values ('a'), ('b'), ('c');
create function twice(int) returns int immutable language sql as 'select $1 * 2';
create table doubled (n int check (twice(n) > 0)); insert into doubled values (1), (2), (3), (4);
create index by_twice on measured (twice(n::int));
create function follow() returns trigger language plpgsql as 'begin return new; end';
create table followed (id int); insert into followed values (1); create trigger follows after insert on followed for each row execute function follow();
create table orders (id int primary key, total int, note text); insert into orders select g, g, 'x' from generate_series(1, 500) g;
create table parted (id int) partition by range (id); create table low partition of parted for values from (0) to (100);
insert into parted select generate_series(1, 99);
create table whole (o orders); insert into whole select o from orders o where id < 6;
`;

describeWithPostgres('what a statement reaches on PostgreSQL', suite => {
  let database: Database;
  const psql = (sql: string) => suite.server.psql(`set search_path = shop; ${sql}`);

  beforeEach(async () => {
    await suite.server.psql(setUp);
    database = suite.open();
  }, 60_000);

  test.each<[string, readonly string[]]>([
    [
      'alter type shop.pair drop attribute b cascade',
      [
        'alters shop.paired (300 rows), whose column s uses composite type shop.pair',
        'alters shop.nested (2 rows), whose column o uses composite type shop.pair',
        'alters shop.lists (1 row), whose column p uses composite type shop.pair',
        'alters shop.typed (1 row), which uses composite type shop.pair',
        'drops column b of composite type shop.pair',
        'alters composite type shop.pair',
      ],
    ],
    [
      'alter type shop.pair rename attribute b to bb cascade',
      [
        'alters shop.paired (300 rows), whose column s uses composite type shop.pair',
        'alters shop.nested (2 rows), whose column o uses composite type shop.pair',
        'alters shop.lists (1 row), whose column p uses composite type shop.pair',
        'alters shop.typed (1 row), which uses composite type shop.pair',
        'alters composite type shop.pair',
      ],
    ],
    [
      'drop type shop.pair cascade',
      [
        'drops shop.typed (1 row), which depends on what is dropped',
        'alters shop.paired (300 rows), whose column s uses type shop.pair',
        'alters shop.nested (2 rows), whose column o uses type shop.pair',
        'alters shop.lists (1 row), whose column p uses type shop.pair',
        'drops column inner_pair of composite type shop.outer_pair',
        'drops column p of table shop.lists',
        'drops column s of table shop.paired',
        'drops type shop.pair',
      ],
    ],
    [
      'drop type shop.mood cascade',
      [
        'drops shop.kept (20 rows), which depends on what is dropped',
        'alters shop.diary (20 rows), whose column how uses type shop.mood',
        'drops column how of table shop.diary',
        'drops type shop.mood',
        'drops view shop.moods',
      ],
    ],
    [
      "alter type shop.mood rename value 'ok' to 'fine'",
      [
        'alters shop.diary (20 rows), whose column how uses type shop.mood',
        'alters shop.kept (20 rows), whose column how uses type shop.mood',
        'alters type shop.mood',
      ],
    ],
    [
      'alter domain shop.positive drop constraint positive_check',
      ['alters shop.measured (40 rows), whose columns m, n use type shop.positive', 'alters type shop.positive'],
    ],
    [
      'drop sequence shop.numbers cascade',
      [
        'alters shop.numbered (2 rows), whose column id uses sequence shop.numbers',
        'drops default value for column id of table shop.numbered',
        'drops sequence shop.numbers',
      ],
    ],
    [
      'alter collation shop.words rename to other_words',
      ['alters shop.worded (3 rows), whose column name uses collation shop.words', 'alters collation shop.words'],
    ],
    [
      "create or replace function shop.twice(int) returns int immutable language sql as 'select $1 * 3'",
      [
        'alters shop.measured (40 rows), which uses function shop.twice(integer)',
        'alters shop.doubled (4 rows), which uses function shop.twice(integer)',
        'alters function shop.twice(integer)',
      ],
    ],
    [
      'drop trigger follows on shop.followed',
      [
        'alters shop.followed (1 row), which uses trigger follows on table shop.followed',
        'drops trigger follows on table shop.followed',
      ],
    ],
    [
      'alter table shop.orders drop column total, drop column note',
      [
        'alters shop.orders (500 rows)',
        'alters shop.whole (5 rows), whose column o uses table shop.orders',
        'drops column note of table shop.orders',
        'drops column total of table shop.orders',
      ],
    ],
    [
      'alter table shop.parted detach partition shop.low',
      ['alters shop.low (99 rows)', 'alters shop.parted (99 rows)'],
    ],
    [
      'create trigger late after insert on shop.followed for each row execute function shop.follow()',
      ['alters shop.followed (1 row)'],
    ],
    ['drop view shop.moods', ['drops view shop.moods']],
    ['alter table shop.orders owner to current_user', ['changes the rights on shop.orders (500 rows)']],
  ])('%s', async (sql, lines) => {
    const shown = lines.join('\n');
    expect(await shownOf(database, sql)).toBe(shown);
    const { questions, end } = await askAndRun(database, sql);
    expect([questions.map(textOf), end]).toEqual([[shown], 'done']);
  });

  test('rights name every table, whoever they are of', async () => {
    await suite.server.psql('create role reader; create role leaver; create role member in role leaver');
    await psql(
      'alter table orders owner to leaver; alter sequence numbers owner to leaver; grant select on diary to leaver',
    );
    const lines = async (sql: string) => (await shownOf(database, sql)).split('\n');
    const all = await lines('grant select on all tables in schema shop to reader');
    expect(all.slice(0, 2)).toEqual([
      'changes the rights on shop.diary (20 rows)',
      'changes the rights on shop.doubled (4 rows)',
    ]);
    expect(all).toEqual(
      expect.arrayContaining(['changes the rights on shop.orders (500 rows)', 'changes the rights on view shop.moods']),
    );
    expect(await lines('grant execute on all functions in schema shop to reader')).toEqual([
      'changes the rights on function shop.follow()',
      'changes the rights on function shop.twice(integer)',
    ]);
    expect(await lines('revoke select on shop.orders from reader')).toEqual([
      'changes the rights on shop.orders (500 rows)',
    ]);
    expect(await lines('reassign owned by leaver to current_user')).toEqual([
      'changes the rights on shop.orders (500 rows)',
      'changes the rights on sequence shop.numbers',
    ]);
    expect(await lines('drop owned by leaver cascade')).toEqual(
      expect.arrayContaining([
        'drops shop.orders (500 rows)',
        'changes the rights on shop.diary (20 rows)',
        'drops sequence shop.numbers',
        'alters shop.numbered (2 rows), whose column id uses sequence shop.numbers',
      ]),
    );
    await suite.server.psql('drop owned by leaver cascade');
    expect(await lines('drop role leaver')).toEqual(['drops role leaver', 'alters role member, a member of leaver']);
    await suite.server.psql('drop role leaver; drop role reader; drop role member');
  });

  test('a table that uses it and wasn’t shown, or grew, is asked about before the run', async () => {
    for (const [sql, ddl, line] of [
      [
        'alter type shop.pair drop attribute b cascade',
        'create table late (p pair)',
        'alters shop.late (0 rows), whose column p uses',
      ],
      [
        "alter type shop.mood rename value 'ok' to 'fine'",
        "insert into diary select 1, 'ok' from generate_series(1, 30)",
        'alters shop.diary (50 rows), whose column how uses',
      ],
      [
        'grant select on all tables in schema shop to public',
        'create table late (id int)',
        'changes the rights on shop.late (0 rows)',
      ],
      [
        'drop domain shop.positive cascade',
        'create table late (p positive)',
        'alters shop.late (0 rows), whose column p uses',
      ],
    ] as const) {
      await suite.server.psql(setUp);
      const decides = async (question: number) => {
        if (question === 1) await psql(ddl);
        return question === 1;
      };
      const { questions, end } = await askAndRun(database, sql, { decides });
      expect([sql, end, questions.length]).toEqual([sql, 'no', 2]);
      expect(questions[1]?.lines.join('\n')).toContain(line);
    }
  });

  test('no question is empty: figures, or why there are none', async () => {
    await suite.server.psql('drop publication if exists feed; create publication feed for table shop.orders');
    for (const sql of [
      'alter publication feed add table shop.diary',
      "security label on table shop.orders is 'x'",
      'alter database postgres connection limit 50',
    ])
      expect([sql, await shownOf(database, sql)]).toEqual([
        sql,
        expect.stringMatching(/^\(Its rows were not counted, because /),
      ]);
    expect(await shownOf(database, 'alter default privileges grant select on tables to public')).toBe(noRows);
    await suite.server.psql('drop publication feed');
  });

  test('what isn’t there takes nothing, and is no failure', async () => {
    for (const sql of [
      'drop extension if exists not_there',
      'drop collation if exists shop.not_there',
      'drop trigger if exists not_there on shop.orders',
      'drop type if exists shop.not_there',
    ]) {
      const { questions, end } = await askAndRun(database, sql);
      expect([sql, questions.map(textOf), end]).toEqual([sql, [noRows], 'done']);
    }
  });

  test('the reason tells every part of a many-part ALTER, the strongest first', async () => {
    const end = await writingClient(() => database)(
      'alter table shop.orders alter id set default 5, disable trigger all, drop column total, alter note type varchar(3), add check (id > 0)',
    );
    expect(end).toMatch(
      /^denied: ALTER TABLE … DROP removes total for good\. ALTER TABLE changes the type of note.*keeps a trigger.*SET DEFAULT changes.*The constraint CHECK restricts/,
    );
  });
});
