import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres, eventually } from './postgres/suite.ts';
import { previewing, told } from './preview-for-tests.ts';

const setUp = `
create table item (id serial primary key, name text unique, price numeric(8,2));
insert into item (name, price) values ('ax', 1.5), ('bow', 2.5), ('cup', null);
create table loose (a int, b text);
insert into loose values (1, 'x'), (2, 'y');
create schema other;
create table other."It em" ("The Key" uuid, part bytea, at timestamptz, n bigint, primary key ("The Key", part, at));
insert into other."It em" values ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', '2026-01-02 03:04:05.678901+00', 9007199254740993);
create table parent (id int primary key);
create table child (id int primary key, parent int references parent deferrable initially deferred);
insert into parent values (1), (2); insert into child values (1, 1);
create table follower (id int primary key, parent int references parent on delete set null);
insert into follower values (1, 2);
create table log (what text);
create table loud (id int primary key, n int, changed int default 0);
insert into loud values (1, 1), (2, 2);
create function shout() returns trigger language plpgsql as $$ begin new.changed := old.changed + 1; insert into log values ('changed'); return new; end $$;
create trigger shouting before update on loud for each row execute function shout();
create view cheap as select id, name from item where price < 2;
create table ruled (id int primary key);
create rule twice as on insert to ruled do also insert into log values ('rule');
create table whole (id int, kind text, primary key (id, kind)) partition by list (kind);
create table whole_a partition of whole for values in ('a');
create table whole_b partition of whole for values in ('b');
insert into whole values (1, 'a'), (2, 'a'), (3, 'b');
create table animal (id int primary key, name text);
create table cat (lives int) inherits (animal);
insert into animal values (1, 'any'); insert into cat values (1, 'tom', 9);
create table big (id int primary key, n int);
insert into big select i, i from generate_series(1, 100000) as i;
create extension file_fdw;
create server files foreign data wrapper file_fdw;
create foreign table outside (line text) server files options (filename '/dev/null');
create table partly (id int, kind text) partition by list (kind);
create foreign table partly_f partition of partly for values in ('f') server files options (filename '/dev/null');
create table mirrored (id int primary key); insert into mirrored values (1);
create function mirrors() returns trigger language plpgsql as $$ begin insert into outside values ('x'); return null; end $$;
create trigger mirrors after update on mirrored for each row execute function mirrors();
create sequence counted;
create function loud_name(text) returns text language plpgsql volatile as $$ begin insert into log values ($1); return upper($1); end $$;
create table chain_a (code text primary key); insert into chain_a values ('a'), ('b');
create table chain_b (id int primary key, a text unique references chain_a on delete cascade on update cascade);
insert into chain_b values (1, 'a'), (2, 'b');
create table chain_c (id int primary key, b int references chain_b on delete cascade); insert into chain_c values (1, 1), (2, 1), (3, 2);
create table chain_d (id int primary key, a text references chain_b (a) on delete set null on update cascade);
insert into chain_d values (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b');
create table deep_a (id int primary key, n int); insert into deep_a values (1, 1), (2, 2);
create table deep_b (id serial primary key, n int); insert into deep_b (n) values (1), (2);
create table deep_c (id int primary key, n int); insert into deep_c values (1, 1), (2, 2);
create function steps() returns trigger language plpgsql as $$ begin insert into deep_b (n) values (new.n); return null; end $$;
create constraint trigger first_step after update on deep_a deferrable initially deferred for each row execute function steps();
create function steps_on() returns trigger language plpgsql as $$ begin update deep_c set n = new.n where id = 1; return null; end $$;
create trigger second_step after insert on deep_b for each row execute function steps_on();
create trigger other_event after delete on deep_a for each row execute function steps();
create trigger never before update of n on deep_c for each row when (false) execute function steps();
create role narrow login password 'narrow-only';
grant insert on item to narrow; grant usage on sequence item_id_seq to narrow;
create table walled (id int primary key, who text);
insert into walled values (1, 'narrow'), (2, 'other');
alter table walled enable row level security;
create policy own on walled using (who = current_user);
grant all on walled to narrow;
`;

/** Rows of every table of ours, and what sessions hold. */
const stateQuestion = `
select json_agg(json_build_array(t.relname, query_to_xml(format('select * from %s', t.oid::regclass), true, false, '')::text) order by t.oid)
from pg_class t where t.relkind in ('r', 'p') and t.relnamespace in ('public'::regnamespace, 'other'::regnamespace) and t.relname <> 'big'`;
const heldQuestion = `
select (select count(*) from pg_locks l join pg_stat_activity a using (pid) where a.application_name like 'Sallyport%' and l.locktype <> 'virtualxid')
+ (select count(*) from pg_stat_activity where application_name like 'Sallyport%' and state <> 'idle') + (select count(*) from pg_prepared_xacts)`;

describeWithPostgres('a preview on PostgreSQL', suite => {
  let database: Database;
  let before = '';
  const preview = previewing(() => database);
  const state = () => suite.server.ask(stateQuestion);

  beforeAll(async () => {
    await suite.server.psql(setUp);
    before = await state();
  }, 60_000);
  beforeEach(() => {
    database = suite.open();
  });

  /** Asserts too that no row changed and nothing is held. */
  async function previewed(sql: string): Promise<unknown> {
    const answer = told(await preview(sql));
    expect(await state()).toBe(before);
    await eventually(
      () => suite.server.ask(heldQuestion),
      held => held === '0',
    );
    return answer;
  }

  const sequences =
    'Values taken from sequences ("public.item_id_seq") stay used up: a rollback does not give them back.';

  test.each<[string, string, unknown]>([
    [
      'UPDATE',
      "update item set price = price * 2 where name in ('ax', 'bow')",
      {
        rows_affected: 2,
        before: [
          [1, 'ax', '1.50'],
          [2, 'bow', '2.50'],
        ],
        after: [
          [1, 'ax', '3.00'],
          [2, 'bow', '5.00'],
        ],
      },
    ],
    [
      'UPDATE … FROM, an alias and a WITH',
      'with x as (select 2 as id) update item as "I" set name = l.b from loose l, x where l.a = "I".id and x.id = l.a',
      { rows_affected: 1, before: [[2, 'bow', '2.50']], after: [[2, 'y', '2.50']] },
    ],
    [
      'a WHERE that chance decides',
      'update item set price = 0 where random() < 2',
      {
        rows_affected: 3,
        before: [
          [1, 'ax', '1.50'],
          [2, 'bow', '2.50'],
          [3, 'cup', null],
        ],
        after: [
          [1, 'ax', '0.00'],
          [2, 'bow', '0.00'],
          [3, 'cup', '0.00'],
        ],
      },
    ],
    ['DELETE', "delete from item where name = 'cup'", { rows_affected: 1, before: [[3, 'cup', null]] }],
    [
      'DELETE … USING',
      'delete from item using loose where loose.a = item.id and loose.b = $$y$$',
      { rows_affected: 1, before: [[2, 'bow', '2.50']] },
    ],
    [
      'a key of three columns, of types that are hard to write',
      `update other."It em" set n = n + 1`,
      {
        rows_affected: 1,
        before: [['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', expect.any(String), '9007199254740993']],
        after: [['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', expect.any(String), '9007199254740994']],
      },
    ],
    [
      'INSERT with a key of its own',
      "insert into item values (70, 'dice', 1)",
      { rows_affected: 1, after: [[70, 'dice', '1.00']] },
    ],
    [
      'an upsert',
      "insert into item values (1, 'ax', 5), (71, 'new', 5) on conflict (id) do update set price = excluded.price",
      {
        rows_affected: 2,
        before: [[1, 'ax', '1.50']],
        after: [
          [1, 'ax', '5.00'],
          [71, 'new', '5.00'],
        ],
      },
    ],
    [
      'a data change in WITH',
      'with gone as (delete from loose returning a) insert into item select a + 80, b from gone, (select 1::text as b) x where a = 1',
      {
        rows_affected: 1,
        after: [[81, '1', null]],
        warnings: ['rows_affected leaves out what the WITH queries change.'],
      },
    ],
    [
      'an UPDATE of a table without a key',
      "update loose set b = 'z' where a = 1",
      {
        rows_affected: 1,
        warnings: ['No rows are shown: the table has no primary key.'],
      },
    ],
    [
      'a DELETE from a table without a key',
      'delete from loose where a = 1',
      { rows_affected: 1, warnings: ['No rows are shown: the table has no primary key.'] },
    ],
    [
      'an UPDATE of the key',
      'update item set (price, id) = (1, id + 50) where id = 3',
      {
        rows_affected: 1,
        warnings: ['No rows are shown: the statement gives rows another key.'],
      },
    ],
    [
      'what triggers make of it',
      'update loud set n = 5 where id = 1',
      {
        rows_affected: 1,
        before: [[1, 1, 0]],
        after: [[1, 5, 1]],
        warnings: ['Triggers ran where they apply: "shouting".'],
      },
    ],
    [
      'RETURNING of its own',
      'update item set price = 1 where id < 3 returning name, price as p',
      {
        rows_affected: 2,
        before: [
          [1, 'ax', '1.50'],
          [2, 'bow', '2.50'],
        ],
        after: [
          [1, 'ax', '1.00'],
          [2, 'bow', '1.00'],
        ],
        returned: [
          ['ax', '1.00'],
          ['bow', '1.00'],
        ],
      },
    ],
    [
      'a view',
      "update cheap set name = 'axe' where id = 1",
      {
        rows_affected: 1,
        warnings: ['No rows are shown: the table has no primary key.'],
      },
    ],
    [
      'a partitioned table, with rows that move',
      "update whole set kind = 'b' where id = 1",
      {
        rows_affected: 1,
        warnings: ['No rows are shown: the statement gives rows another key.'],
      },
    ],
    [
      'a parent whose children share its keys',
      "update animal set name = 'x'",
      {
        rows_affected: 2,
        warnings: ['No rows are shown: the table has no primary key.'],
      },
    ],
    [
      'MERGE',
      'merge into item using loose on item.id = loose.a when matched then delete when not matched then do nothing',
      {
        rows_affected: 2,
        warnings: ['No rows are shown: MERGE does not tell which rows it changes.'],
      },
    ],
    [
      'a table with rules',
      'insert into ruled values (1)',
      { rows_affected: 1, warnings: ['No rows are shown: rules rewrite the statement.'] },
    ],
    [
      'a function of a user',
      "update item set name = loud_name('bow') where id = 1",
      {
        rows_affected: 1,
        before: [[1, 'ax', '1.50']],
        after: [[1, 'BOW', '1.50']],
        warnings: ['Functions ran for real ("loud_name"): what they did outside this database is not rolled back.'],
      },
    ],
    [
      'a cascade',
      'delete from parent where id = 2',
      {
        rows_affected: 1,
        before: [[2]],
      },
    ],
    ['nothing', 'delete from item where id = 99', { rows_affected: 0 }],
    [
      'a WHERE that reads statistics',
      "delete from item where id = 99 and pg_stat_get_numscans('item'::regclass) >= 0 and pg_stat_have_stats('database', 1, 0)",
      { rows_affected: 0 },
    ],
  ])('%s', async (_, sql, wanted) => {
    expect(await previewed(sql)).toEqual(wanted);
  });

  test('what it does to rows by table, cascades and triggers included, and whether execute_query would refuse it', async () => {
    expect(await preview('delete from parent where id = 2')).toMatchObject({
      changes: [
        { table: 'public.follower', updated: 1, deleted: 0 },
        { table: 'public.parent', updated: 0, deleted: 1 },
      ],
    });
    expect(await preview('delete from parent where id = 2')).not.toHaveProperty('refused_because');
    expect(await preview("insert into item (name) values ('new')")).not.toHaveProperty('changes');
    expect(await preview('update loud set n = 5 where id in (id)')).toMatchObject({
      class: 'write',
      changes: [{ table: 'public.loud', updated: 2, deleted: 0 }],
      refused_because: expect.stringMatching(
        /^execute_query would refuse it: it would have changed every row of "public.loud" \(2 rows updated\)\./,
      ),
    });
    expect(await preview('delete from loud')).not.toHaveProperty('refused_because');
    expect(await state()).toBe(before);
  });

  test.each<[string, string, unknown, unknown]>([
    [
      'ON UPDATE CASCADE, two levels',
      "update chain_a set code = 'x' where code = 'a'",
      { 'public.chain_a': [1, 0], 'public.chain_b': [1, 0], 'public.chain_d': [3, 0] },
      ['No rows are shown: the statement gives rows another key.'],
    ],
    [
      'ON DELETE CASCADE and SET NULL, two levels',
      "delete from chain_a where code = 'a'",
      { 'public.chain_a': [0, 1], 'public.chain_b': [0, 1], 'public.chain_c': [0, 2], 'public.chain_d': [3, 0] },
      undefined,
    ],
    [
      'a trigger at the commit that sets off another, and takes a value from a sequence',
      'update deep_a set n = 9 where id = 1',
      { 'public.deep_a': [1, 0], 'public.deep_c': [1, 0] },
      [
        'Triggers ran where they apply: "first_step", "never", "second_step".',
        'Values taken from sequences ("public.deep_b_id_seq") stay used up: a rollback does not give them back.',
      ],
    ],
    ['no row', 'update deep_a set n = 9 where id = 99', {}, undefined],
  ])('%s: the rows of every table', async (_, sql, changes, warnings) => {
    const answer = await preview(sql);
    if (typeof answer === 'string') throw new Error(answer);
    const found = (answer.changes ?? []).map(({ table, updated, deleted }) => [table, [updated, deleted]]);
    expect([Object.fromEntries(found), answer.warnings]).toEqual([changes, warnings]);
    expect(await state()).toBe(before);
  });

  test.each([
    ['-- and a comment'],
    [' -- returning'],
    [' /* and /* another */ comment */'],
    [';'],
    [' ; -- ; delete from loud'],
    [';;\n/* ; */ ;'],
    ["\n-- it's\n;"],
  ])('rows are returned behind %j', async end => {
    expect(await previewed(`delete from item where id = 2${end}`)).toEqual({
      rows_affected: 1,
      before: [[2, 'bow', '2.50']],
    });
  });

  test('a comment without an end is no statement', async () => {
    expect(await previewed('delete from item where id = 2 /* open')).toMatch(/^unsupported: /);
  });

  test('INSERT uses up values of its sequence, and says so', async () => {
    const last = Number(await suite.server.psql('select last_value from item_id_seq'));
    expect(await previewed("insert into item (name) values ('dice'), ('egg')")).toEqual({
      rows_affected: 2,
      after: [
        [last + 1, 'dice', null],
        [last + 2, 'egg', null],
      ],
      warnings: [sequences],
    });
    expect(Number(await suite.server.psql('select last_value from item_id_seq'))).toBe(last + 2);
  });

  test('every row of 100,000', async () => {
    const answer = await preview('delete from big');
    expect(answer).toMatchObject({ class: 'destructive', rows_affected: 100_000, rolled_back: true });
    expect(told(answer)).toMatchObject({
      before: [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
        [5, 5],
      ],
    });
    expect(await suite.server.psql('select count(*), sum(n) from big')).toBe('100000|5000050000');
  });

  test('a commit that would fail is a failure', async () => {
    expect(await previewed('insert into child values (2, 99)')).toMatch(
      /^query_failed: The statement ownEffect ran, but its commit would fail: .*foreign key/,
    );
    expect(await previewed('insert into child values (2, 1)')).toEqual({ rows_affected: 1, after: [[2, 1]] });
  });

  test('what a rollback cannot take back is not run', async () => {
    expect(await previewed("insert into outside values ('x')")).toMatch(/^unsupported: outside is a foreign table/);
    expect(await previewed('update mirrored set id = 2 where id = 1')).toMatch(
      /^unsupported: outside is a foreign table/,
    );
    expect(await previewed("insert into partly values (1, 'f')")).toMatch(/^unsupported: partly_f is a foreign table/);
    expect(await previewed("update item set price = setval('counted', 100) where id = 1")).toMatch(
      /^unsupported: setval /,
    );
    expect(await suite.server.psql('select last_value, is_called from counted')).toBe('1|f');
    expect(
      await previewed("update item set name = pg_logical_emit_message(false, 'a', 'b')::text where id = 1"),
    ).toMatch(/^unsupported: What pg_logical_emit_message does/);
  });

  test('what is no data change is refused, naming the tool', async () => {
    expect(await previewed('select 1')).toMatch(/^unsupported: .*execute_query/);
    expect(await previewed('drop table item')).toMatch(
      /^unsupported: .*ownEffect an INSERT, UPDATE, DELETE, REPLACE or MERGE/,
    );
    expect(await previewed('truncate item')).toMatch(/^unsupported: /);
    expect(await previewed('delete from item; drop table item')).toMatch(/^unsupported: /);
    expect(await previewed('commit')).toMatch(/^unsupported: /);
    expect(await previewed('with x as (delete from item returning *) select * from x')).toMatch(/^unsupported: /);
  });

  test('a connection that only reads has no previews', async () => {
    expect(await preview('delete from item where id = 1', { readOnly: true })).toMatch(
      /^denied: This connection is read only/,
    );
  });

  test('a role that may not read gets the number of rows alone, and one behind a row policy too', async () => {
    database = suite.open({ user: 'narrow' }, 'narrow-only');
    const why = 'No rows are shown: this role may not read all rows of the table.';
    expect(await previewed("insert into item (name) values ('dice')")).toEqual({
      rows_affected: 1,
      warnings: [sequences, why],
    });
    expect(await previewed("update walled set who = 'narrow'")).toEqual({ rows_affected: 1, warnings: [why] });
  });

  test('a role that the database lets only read, and a statement that takes too long', async () => {
    await suite.server.psql(
      "create role reader login superuser password 'narrow-only'; alter role reader set default_transaction_read_only = on",
    );
    database = suite.open({ user: 'reader' }, 'narrow-only');
    expect(await previewed('delete from item')).toMatch(
      /^denied: The database ownEffect lets this connection only read/,
    );
    database = suite.open();
    const limits = { defaultSeconds: 0.5 };
    expect(await preview('update item set price = (select 1 from pg_sleep(60))', { limits })).toMatch(
      /^timeout: The preview was stopped after 0.5 s and nothing was changed/,
    );
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test("another session's lock is waited for two seconds", async () => {
    const other = suite.open();
    const held = other.rehearse(
      {
        principal: null,
        client: 'holder',
        database: null,
        schema: null,
        timeoutSeconds: 20,
        signal: new AbortController().signal,
      },
      async rehearsal => {
        const sink = { columns() {}, row: () => true };
        const limits = { cellBytes: 1_000, wireBytes: 1_000_000 };
        await rehearsal.run(
          { sql: 'update item set price = 3 where id = 1', parameters: [], limits, ours: true },
          sink,
        );
        const start = performance.now();
        const answer = await preview('delete from item');
        return { answer, milliseconds: performance.now() - start };
      },
    );
    const ended = await held;
    expect(ended).toMatchObject({
      kind: 'done',
      value: { answer: expect.stringMatching(/^timeout: Another session holds a lock/) },
    });
    expect(ended.kind === 'done' ? ended.value.milliseconds : 0).toBeGreaterThan(1_500);
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('a client that leaves ends it in the server, and nothing stays', async () => {
    const leaving = new AbortController();
    const asked = preview('update item set price = (select 1 from pg_sleep(60))', { signal: leaving.signal });
    await eventually(
      () => suite.server.ask("select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'"),
      count => count === '1',
    );
    leaving.abort();
    expect(await asked).toBe('cancelled');
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('long cells are cut and the answer stays within its bytes', async () => {
    const limits = { maxCellBytes: 100, maxAnswerBytes: 1_000 };
    const answer = await preview("insert into item values (90, repeat('x', 5000))", { limits });
    expect(JSON.stringify(answer).length).toBeLessThan(1_500);
    expect(told(answer)).toMatchObject({
      warnings: ['In after, row 0, "name" is cut; the cell is 5000 bytes long.'],
    });
  });
});
