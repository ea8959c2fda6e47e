/**
 * Threat: a read is classified by an earlier answer of the catalog, but its names now mean
 * something else, which acts despite the read-only transaction. Between two identical reads another
 * session changes the catalog: the second is classified by what is there.
 */

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { describeWithPostgres, runOn } from '../engines/postgres/suite.ts';
import { readAsAClient as read } from './read-as-a-client.ts';

const patienceMilliseconds = 120_000;

/** A function that writes a file on the server, which no read-only transaction stops. */
const acting = (signature: string, returns: string, value: string, kind = 'create') =>
  `${kind} function ${signature} returns ${returns} language plpgsql volatile as
   $act$ begin execute format('copy (select 1) to %L', current_setting('data_directory') || '/acted'); return ${value}; end $act$`;

const fixture = `
  create table people (id int, name varchar);
  insert into people values (1, '2020-02-02');
  create schema hidden;
  create function quiet() returns int language sql immutable as 'select 1';
  ${acting('hidden.quiet()', 'int', '1')};
  ${acting('loud()', 'int', '1')};
  ${acting('loud_text(varchar)', 'text', "'x'")};
  ${acting('loud_bool(varchar, varchar)', 'boolean', 'true')};
  ${acting('loud_date(varchar)', 'date', "date '2020-02-02'")};
  create view seen as select id, name from people;
  create view counted as select quiet() as q, id from people;
  create view over_view as select * from counted;
`;

const operator = (name: string) =>
  `create operator ${name} (leftarg = varchar, rightarg = varchar, function = loud_bool)`;

/**
 * The reading roles. A superuser's reads take a role first and ask the catalog in a query of its
 * own; another role's reads ask it together with the session's process. `reader` may use what the
 * functions act by.
 */
const users = ['postgres', 'reader'];

/**
 * A read that is harmless in the fixture, and the change that makes it act. USER stands for the
 * reading role.
 */
const changes: readonly (readonly [what: string, read: string, change: string])[] = [
  [
    'a function for the very types takes a built-in one’s name',
    'select upper(name) from people',
    acting('upper(varchar)', 'text', "'x'"),
  ],
  ['an operator is made: =', "select id from people where name = 'x'", operator('=')],
  ['an operator is made: IN', "select id from people where name in ('x', 'y')", operator('=')],
  ['an operator is made: BETWEEN', "select id from people where name between 'a' and 'b'", operator('>=')],
  ['an operator is made: NOT BETWEEN', "select id from people where name not between '1' and '3'", operator('<')],
  ['an operator is made: LIKE', "select id from people where name like 'x'", operator('~~')],
  ['a cast is made', 'select name::date from people', 'create cast (varchar as date) with function loud_date(varchar)'],
  [
    'a table makes room for a view',
    'select id from people',
    "drop table people cascade; create view people as select loud() as id, 'x'::varchar as name",
  ],
  [
    'a view gets another query',
    'select * from seen',
    'create or replace view seen as select id, name from people where loud() = 1',
  ],
  [
    'a view gets another name',
    'select q from counted',
    'alter view counted rename to c2; create view counted as select loud() as q',
  ],
  [
    'a function behind a view gets another body',
    'select q from counted',
    acting('quiet()', 'int', '1', 'create or replace'),
  ],
  [
    'a function two views behind gets another body',
    'select q from over_view',
    acting('quiet()', 'int', '1', 'create or replace'),
  ],
  ['a function gets another body', 'select quiet()', acting('quiet()', 'int', '1', 'create or replace')],
  [
    'a function gets another name',
    'select quiet()',
    'alter function quiet() rename to q2; alter function loud() rename to quiet',
  ],
  [
    'a function gets another schema',
    'select quiet()',
    'create schema USER; alter function hidden.quiet() set schema USER',
  ],
  ['a role gets another path', 'select quiet()', 'alter role USER set search_path = hidden, public'],
  ['a database gets another path', 'select quiet()', 'alter database postgres set search_path = hidden, public'],
  [
    'a table earlier in the path',
    'select id from people',
    "create schema USER; create view USER.people as select loud() as id, 'x'::varchar as name",
  ],
];

describeWithPostgres('reads that were classified before', suite => {
  /** What the acting functions write. */
  const file = () => join(suite.server.socketFolder, 'data', 'acted');
  const acted = () => existsSync(file());

  beforeAll(async () => {
    await suite.server.ask(`create role reader login password '${suite.server.password}'
      in role pg_read_all_data, pg_write_server_files, pg_read_all_settings`);
  });

  async function fresh(): Promise<void> {
    await suite.server.ask(`alter role postgres reset search_path; alter role reader reset search_path;
      alter database postgres reset search_path`);
    await suite.server.ask(`
      drop schema public cascade; drop schema if exists hidden, ${users.join(', ')} cascade; create schema public; ${fixture}`);
    rmSync(file(), { force: true });
  }

  const asEach = users.flatMap(user => changes.map(change => [user, ...change] as const));
  test.each(asEach)(
    'as %s: %s',
    async (user, _what, sql, change) => {
      await fresh();
      const database = suite.open({ user });
      for (let turn = 0; turn < 3; turn += 1) expect(await read(database, sql)).toBe('done');
      expect(acted()).toBe(false);
      await suite.server.ask(change.replaceAll('USER', user));
      if (/^alter (role|database)/.test(change)) {
        // A role's search path counts for new sessions, so ours is ended, as by a server's restart.
        await suite.server.ask(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'Sallyport%'",
        );
      }
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await read(database, sql)).toMatch(/^(denied|unsupported): /);
        expect(acted()).toBe(false);
      }
      // Proves that it would have acted, in the same kind of session without classification.
      expect((await runOn(suite.open({ user }), sql)).outcome.kind).toBe('done');
      expect(acted()).toBe(true);
    },
    patienceMilliseconds,
  );

  test(
    'a change that doesn’t matter to a read leaves it a read',
    async () => {
      await fresh();
      const database = suite.open();
      const reads = ["select id from people where name between 'a' and 'b'", 'select q from over_view', 'select 1 + 1'];
      const harmless = [
        'create table more (id int)',
        'create extension citext',
        "create or replace function quiet() returns int language sql immutable as 'select 2'",
        'alter table people add column note text',
        "comment on table people is 'changed'",
        'drop extension citext',
      ];
      for (const change of harmless) {
        for (const sql of reads) expect([change, sql, await read(database, sql)]).toEqual([change, sql, 'done']);
        await suite.server.ask(change);
      }
      for (const sql of reads) expect(await read(database, sql)).toBe('done');
    },
    patienceMilliseconds,
  );

  test(
    'the condition that goes with a read is planned once per session, not each time',
    async () => {
      await fresh();
      const database = suite.open();
      for (let turn = 0; turn < 20; turn += 1) expect(await read(database, 'select id from people')).toBe('done');
      const sql = `select generic_plans > custom_plans from pg_prepared_statements
        where not from_sql and statement like '%int4mul(2147483647, CASE WHEN COALESCE(%'`;
      expect((await runOn(database, sql, { isStateless: true })).rows).toEqual([[true]]);
    },
    patienceMilliseconds,
  );

  test(
    'a changed catalog isn’t mistaken for a pooler: the session’s prepared statements are still used',
    async () => {
      await fresh();
      const database = suite.open({ user: 'reader' });
      for (let turn = 0; turn < 3; turn += 1) expect(await read(database, 'select id from people')).toBe('done');
      await suite.server.ask('alter table people rename to p2; create view people as select id from p2');
      for (let turn = 0; turn < 2; turn += 1) expect(await read(database, 'select id from people')).toBe('done');
      const kept = 'select count(*) > 0 from pg_prepared_statements where not from_sql';
      expect((await runOn(database, kept, { isStateless: true })).rows).toEqual([[true]]);
    },
    patienceMilliseconds,
  );

  test(
    'the statement can’t pass for the catalog query: its own errors stay its own',
    async () => {
      await fresh();
      const database = suite.open();
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await read(database, 'select 1 / (id - 1) from people')).toContain('division by zero (22012)');
      }
    },
    patienceMilliseconds,
  );
});
