/** PostgreSQL: each rule that a description tells is tried with rows. */

import { expect, test } from '@jest/globals';
import { allColumns } from '../../../daemon/engines/object-name.ts';
import { postgresMajor } from '../../servers/postgres.ts';
import { contextOf, describeWithPostgres, runOn } from '../postgres/suite.ts';
import { described, expectSameDefaults, type Rule, testRules } from './rule.ts';

const keys: readonly Rule[] = [
  {
    table: 'pk',
    made: 'create table pk (a int, b int, primary key (b, a))',
    told: ['primary_key: b', 'primary_key: a'],
    untold: ['indexes:'],
    accepted: ['insert into pk values (1, 1), (1, 2)'],
    refused: ['insert into pk values (1, 1)', 'insert into pk values (1, null)'],
  },
  {
    table: 'late_pk',
    made: 'create table late_pk (id int primary key deferrable initially deferred)',
    told: ['primary_key: id', 'indexes: unique late_pk_pkey (id) deferrable initially deferred'],
    accepted: ['begin; insert into late_pk values (1), (1); delete from late_pk; commit'],
    refused: ['insert into late_pk values (1), (1)'],
  },
  {
    table: 'uniques',
    made: `create table uniques (a int unique, b int, c text, d int, unique nulls not distinct (b));
      create unique index on uniques (lower(c)) where d > 0`,
    told: ['unique uniques_a_key (a)', '(b) NULLS NOT DISTINCT', '(lower(c)) WHERE (d > 0)'],
    accepted: ["insert into uniques values (null, 1, 'x', 1), (null, 2, 'X', 0), (5, null, 'y', 1)"],
    refused: [
      'insert into uniques (a, b) values (5, 6)',
      'insert into uniques (a, b) values (7, null)',
      "insert into uniques values (8, 9, 'X', 1)",
    ],
  },
  {
    table: 'spans',
    made: 'create table spans (id int, during int4range, exclude using gist (during with &&) where (id > 0))',
    told: ['indexes: exclude spans_during_excl using gist (during WITH &&) WHERE (id > 0)'],
    accepted: ["insert into spans values (1, '[1,5)'), (2, '[5,9)'), (-1, '[1,9)')"],
    refused: ["insert into spans values (3, '[4,6)')"],
  },
  {
    table: 'kid',
    made: `create table elder (a int, b int, primary key (a, b)); insert into elder values (1, 1);
      create table kid (a int, b int, foreign key (a, b) references elder on update cascade)`,
    told: ['foreign_keys: a, b -> public.elder(a, b) on update cascade'],
    accepted: ['insert into kid values (1, 1), (null, 7)'],
    refused: ['insert into kid values (7, 7)', 'delete from elder'],
  },
  {
    table: 'full_kid',
    made: `create table elder_2 (a int, b int, primary key (a, b)); insert into elder_2 values (1, 1);
      create table full_kid (a int, b int, foreign key (a, b) references elder_2 match full)`,
    told: ['foreign_keys: a, b -> public.elder_2(a, b) match full'],
    accepted: ['insert into full_kid values (1, 1), (null, null)'],
    refused: ['insert into full_kid values (null, 7)'],
  },
  {
    table: 'orphan',
    made: `create table elder_3 (id int primary key); create table orphan (a int); insert into orphan values (1);
      alter table orphan add foreign key (a) references elder_3 not valid`,
    told: ['foreign_keys: a -> public.elder_3(id) not valid'],
    accepted: ['do $$ begin assert (select count(*) from orphan where a = 1) = 1; end $$'],
    refused: ['insert into orphan values (2)'],
  },
  {
    table: 'elder_8',
    made: `create table elder_8 (id int primary key); insert into elder_8 values (1);
      create table slack_kid (a int references elder_8); insert into slack_kid values (1);
      alter table slack_kid disable trigger all; alter table elder_8 disable trigger all`,
    told: ['referenced_by: public.slack_kid(a) disabled'],
    accepted: ['delete from elder_8'],
  },
  {
    table: 'loose_kid',
    made: `create table elder_4 (id int primary key); create table loose_kid (a int references elder_4);
      alter table loose_kid disable trigger all`,
    told: ['foreign_keys: a -> public.elder_4(id) disabled'],
    accepted: ['insert into loose_kid values (1)'],
  },
  {
    table: 'late_kid',
    made: `create table elder_5 (id int primary key);
      create table late_kid (a int references elder_5 deferrable initially deferred)`,
    told: ['foreign_keys: a -> public.elder_5(id) deferrable initially deferred'],
    accepted: ['begin; insert into late_kid values (1); insert into elder_5 values (1); commit'],
    refused: ['insert into late_kid values (2)'],
  },
  {
    table: 'half_kid',
    made: `create table elder_6 (a int, b int, primary key (a, b)); insert into elder_6 values (1, 1);
      create table half_kid ("A" int, b int not null, foreign key ("A", b) references elder_6 on delete set null ("A"));
      insert into half_kid values (1, 1)`,
    told: ['foreign_keys: "A", b -> public.elder_6(a, b) on delete set null ("A")'],
    accepted: ['delete from elder_6', 'do $$ begin assert (select b from half_kid where "A" is null) = 1; end $$'],
  },
];

const others: readonly Rule[] = [
  {
    table: 'checked',
    made: 'create table checked (a int check (a > 0) no inherit); create table checked_too () inherits (checked)',
    told: ['checks: (a > 0) no inherit'],
    accepted: ['insert into checked values (1), (null)', 'insert into checked_too values (-1)'],
    refused: ['insert into checked values (-1)'],
  },
  {
    table: 'plainly',
    made: 'create table plainly (a int not null check (a > 0), b varchar(2), c int generated always as (a * 2) stored)',
    told: ['columns: a integer not null', 'checks: a > 0', 'b character varying(2)', 'generated stored as (a * 2)'],
    untold: ['valid', 'enforced', 'inherit'],
    accepted: ["insert into plainly values (1, 'ab')"],
    refused: [
      'insert into plainly values (0)',
      'insert into plainly values (null)',
      "insert into plainly values (1, 'abc')",
      'insert into plainly (a, c) values (1, 2)',
    ],
  },
  {
    table: 'unproved',
    made: `create table unproved (a int); insert into unproved values (-1);
      alter table unproved add check (a > 0) not valid`,
    told: ['checks: (a > 0) not valid'],
    accepted: ['do $$ begin assert (select a from unproved) = -1; end $$'],
    refused: ['insert into unproved values (-2)'],
  },
  {
    table: 'numbered',
    made: 'create table numbered (a int generated always as identity, b int generated by default as identity)',
    told: ['a integer not null generated always as identity', 'b integer not null generated by default as identity'],
    accepted: ['insert into numbered default values', 'insert into numbered (b) values (9)'],
    refused: ['insert into numbered (a) values (9)'],
  },
  {
    table: 'demanding',
    made: `create type mood as enum ('sad', 'it''s'); create domain moods as mood[];
      create domain d1 as text not null check (value <> ''); create domain d2 as d1 check (length(value) < 5);
      create domain d3 as d2 default 'ab' check (value ~ '^[a-z]'); create domain d4 as int not null default 7;
      create table demanding (a d3, b d3[], c moods, d d4, e mood)`,
    told: [
      "a d3 not null default 'ab'::text check (VALUE::text ~ '^[a-z]'::text) check (length(VALUE::text) < 5) check (VALUE <> ''::text)",
      "b d3[] check (VALUE::text ~ '^[a-z]'::text)",
      "c moods in ('sad', 'it''s')",
      'd d4 not null default 7',
      "e mood in ('sad', 'it''s')",
    ],
    accepted: [
      "insert into demanding default values; insert into demanding values ('x', '{y}', '{sad}', 1, 'it''s')",
      "do $$ begin assert (select count(*) from demanding where a = 'ab' and d = 7) = 1; end $$",
    ],
    refused: [
      "insert into demanding (a) values ('')",
      "insert into demanding (a) values ('abcdef')",
      "insert into demanding (a) values ('A')",
      'insert into demanding (a) values (null)',
      "insert into demanding (b) values ('{abcdef}')",
      "insert into demanding (c) values ('{glad}')",
      'insert into demanding (d) values (null)',
      "insert into demanding (e) values ('glad')",
    ],
  },
  {
    table: 'half_proved',
    made: `create domain positive as int; create table half_proved (a positive); insert into half_proved values (-1);
      alter domain positive add check (value > 0) not valid`,
    told: ['a positive check (VALUE > 0) not valid'],
    accepted: ['do $$ begin assert (select a from half_proved) = -1; end $$'],
    refused: ['insert into half_proved values (-1)'],
  },
  {
    table: 'part_1',
    made: 'create table whole (a int) partition by range (a); create table part_1 partition of whole for values from (1) to (9)',
    told: ['partition_of: public.whole FOR VALUES FROM (1) TO (9)'],
    accepted: ['insert into part_1 values (1)'],
    refused: ['insert into part_1 values (9)', 'insert into whole values (9)'],
  },
  {
    table: 'guarded',
    made: `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create table guarded (a int); create trigger guard before insert on guarded for each row when (new.a > 1) execute function refuse();
      create trigger off before insert on guarded for each row execute function refuse(); alter table guarded disable trigger off;
      create rule quiet as on delete to guarded do instead nothing;
      create rule gone as on insert to guarded do instead nothing; alter table guarded disable rule gone`,
    told: [
      'EXECUTE FUNCTION refuse()',
      '-- DISABLE',
      'DELETE TO guarded DO INSTEAD NOTHING',
      'INSERT TO guarded DO INSTEAD NOTHING -- DISABLE',
    ],
    accepted: [
      'insert into guarded values (1); delete from guarded',
      'do $$ begin assert (select count(*) from guarded) = 1; end $$',
    ],
    refused: ['insert into guarded values (2)'],
  },
  {
    table: 'narrow',
    made: `create table wide (a int); create view narrow with (check_option = local) as select a from wide where a > 0`,
    told: ['definition: CREATE VIEW public.narrow WITH (check_option=local)'],
    accepted: ['insert into narrow values (1)'],
    refused: ['insert into narrow values (-1)'],
  },
  {
    table: 'secured',
    made: `create role clerk; create table secured (id int, owner name); grant all on secured to clerk;
      alter table secured enable row level security;
      create policy own on secured using (owner = current_user) with check (id > 0);
      create policy "no 9" on secured as restrictive for insert to clerk with check (id <> 9)`,
    told: [
      'row_level_security: not for this account',
      'row_level_security: "no 9" AS RESTRICTIVE FOR INSERT TO clerk WITH CHECK ((id <> 9))',
      'row_level_security: own TO PUBLIC USING ((owner = CURRENT_USER)) WITH CHECK ((id > 0))',
    ],
    accepted: ["insert into secured values (-1, 'x')", "set role clerk; insert into secured values (1, 'x')"],
    refused: ["set role clerk; insert into secured values (-1, 'x')", 'set role clerk; insert into secured values (9)'],
  },
  {
    table: 'unsecured',
    made: `create table unsecured (id int); create policy none on unsecured using (false); grant all on unsecured to clerk`,
    told: ['columns: id integer'],
    untold: ['row_level_security'],
    accepted: ['set role clerk; insert into unsecured values (1)'],
  },
  {
    table: 'closed',
    made: 'create table closed (id int); grant all on closed to clerk; alter table closed enable row level security',
    told: ['row_level_security: no policy: no rows'],
    accepted: ['insert into closed values (1)'],
    refused: ['set role clerk; insert into closed values (1)'],
  },
];

/** Since PostgreSQL 18. */
const new18: readonly Rule[] = [
  {
    table: 'unenforced',
    made: `create table elder_7 (id int primary key);
      create table unenforced (a int check (a > 0) not enforced, b int references elder_7 not enforced)`,
    told: ['checks: (a > 0) not enforced', 'foreign_keys: b -> public.elder_7(id) not enforced'],
    accepted: ['insert into unenforced values (-1, 7)'],
  },
  {
    table: 'once_null',
    made: `create table once_null (a int, b int constraint b_nn not null no inherit); insert into once_null values (null, 1);
      alter table once_null add constraint a_nn not null a not valid; create table once_null_too () inherits (once_null)`,
    told: ['a integer not null not valid', 'b integer not null no inherit'],
    accepted: ['insert into once_null_too values (1, null)'],
    refused: ['insert into once_null values (null, 1)', 'insert into once_null values (1, null)'],
  },
  {
    table: 'stay',
    made: `create extension if not exists btree_gist;
      create table lease (id int, during int4range, primary key (id, during without overlaps)); insert into lease values (1, '[1,9)');
      create table stay (id int, during int4range, unique (id, during without overlaps),
        foreign key (id, period during) references lease (id, period during))`,
    told: [
      'foreign_keys: id, period during -> public.lease(id, period during)',
      'indexes: unique stay_id_during_key using gist (id, during WITHOUT OVERLAPS)',
    ],
    accepted: ["insert into stay values (1, '[2,4)'), (1, '[4,5)')"],
    refused: ["insert into stay values (1, '[3,4)')", "insert into stay values (1, '[8,12)')"],
  },
  {
    table: 'lease',
    made: 'select 1',
    told: ['indexes: unique lease_pkey using gist (id, during WITHOUT OVERLAPS)', 'primary_key: during'],
    accepted: ["insert into lease values (1, '[9,10)')"],
    refused: ["insert into lease values (1, '[9,12)')"],
  },
];

describeWithPostgres('PostgreSQL: rules that are told', suite => {
  const execute = (sql: string) => suite.server.psql(sql);
  testRules([...keys, ...others, ...(postgresMajor() >= 18 ? new18 : [])], () => ({ execute, database: suite.open() }));

  test('a unique index whose making failed is told as invalid: it forbids nothing', async () => {
    await execute('create table twice (a int); insert into twice values (1), (1)');
    await expect(execute('create unique index concurrently failed on twice (a)')).rejects.toThrow();
    expect(await described(suite.open(), 'twice')).toContain('indexes: unique failed (a) invalid');
    await execute('insert into twice values (1)');
  });

  test('a column that the role may not read is told, and what names all columns leaves it out', async () => {
    await execute(`create table partly (id int primary key, pub text, secret text); insert into partly values (1, 'p', 's');
      create role partly_reader login password 'only-here'; grant select (id, pub) on partly to partly_reader`);
    const database = suite.open({ user: 'partly_reader' }, 'only-here');
    expect(await described(database, 'partly')).toContain('columns: pub text\ncolumns: secret text may not be read\n');
    expect(await described(suite.open(), 'partly')).not.toContain('may not be read');
    const answer = await database.describeTables(contextOf(), ['partly'], false);
    const [table] = answer.kind === 'done' ? answer.value : [];
    const { rows } = await runOn(database, `select ${table && allColumns(database.dialect, table)} from partly`);
    expect(rows).toEqual([[1, 'p']]);
  });

  test('a default, made again from what is told, gives the same value', async () => {
    await execute(`create table defaults (a varchar(64) default null::varchar, b text default '', c int default -1, d text[] default array['x,y'],
      e jsonb default '{"a": "b::c"}', f text default 'it''s::text', g boolean default (not false), h numeric(9,2) default 1.50, i bit(3) default B'101',
      j int default ((1 + 2) * 3), k text default E'a\\\\b\\nc', l date default ('2024-01-31'::date + 1), m text default 'current_timestamp', n interval default '1 day')`);
    await expectSameDefaults({ execute, database: suite.open() }, 'default values');
  });
});
