/**
 * A fitting role on a real PostgreSQL: the test tries what it can and can't do as that role,
 * through the server itself.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, PlannedRole, WantedRole } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/open.ts';
import { planRole } from '../../../daemon/engines/postgres/role.ts';
import { contextOf, describeWithPostgres, endpointOf, portsOf, runOn, type SuiteServer } from '../postgres/suite.ts';

/** It has characters that could end the SQL around it. */
const evil = '$sallyport$ \'; "q" \\ %\n\u202e-- \\u{41} ö';
const evilQuoted = `"${evil.replaceAll('"', '""')}"`;
const password = 'a-password-that-no-log-may-have-seen';

const wanted = (changes: Partial<WantedRole> = {}): WantedRole => ({
  name: 'fits',
  access: 'readOnly',
  schemas: null,
  statementSeconds: 7,
  ...changes,
});

async function planned(database: Database, role: WantedRole, others = false): Promise<PlannedRole> {
  const answer = await planRole(database, contextOf(), role, others);
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

describeWithPostgres('a fitting role on PostgreSQL', suite => {
  // Kept over several tests, since the plan is kept too.
  const kept: Database[] = [];
  const owner = () => {
    const { server } = suite;
    const database = openPostgres(endpointOf(server, { database: 'shop' }), portsOf(server.password));
    kept.push(database);
    return database;
  };
  afterAll(() => Promise.all(kept.map(database => database.close())));
  const as = (name: string) => suite.open({ database: 'shop', user: name }, password);
  const psql = (sql: string) => suite.server.psql(sql, 'shop');
  const ask = (sql: string) => suite.server.ask(sql, 'shop');

  beforeAll(async () => {
    await suite.server.psql(`create role keeper login password 'right' createrole; create database shop owner keeper`);
    await psql(`
      create table goods (id int primary key generated always as identity, name text);
      insert into goods (name) values ('tea'), ('salt');
      create table counted (id serial primary key, n int);
      create view names as select name from goods;
      create materialized view kept as select count(*) as n from goods;
      create table parted (id int, day int) partition by list (day);
      create table parted_1 partition of parted for values in (1);
      create schema ${evilQuoted};
      create table ${evilQuoted}.${evilQuoted} (${evilQuoted} int);
      create schema hidden;
      create table hidden.secret (v text);
      create schema authorization keeper;
      create table keeper.own (id int);
      alter table keeper.own owner to keeper;`);
  }, 60_000);

  describe('that only reads', () => {
    const name = `ro ${evil.replaceAll(/[\n\u202e]/g, '')}`;
    const quotedName = `"${name.replaceAll('"', '""')}"`;
    let plan: PlannedRole;
    beforeAll(async () => {
      plan = await planned(owner(), wanted({ name, schemas: ['public', evil, 'keeper'] }));
      expect(await plan.make(password)).toEqual({ kind: 'made' });
    });
    const read = async (sql: string) => (await runOn(as(name), sql)).outcome;
    const write = async (sql: string) => (await runOn(as(name), sql, { session: 'alone' })).outcome;

    test('reads each kind of table, and later ones of each owner', async () => {
      await psql('create table later (v int); set role keeper; create table keeper.later (v int)');
      for (const sql of [
        'select * from goods',
        'select * from names',
        'select * from kept',
        'select * from parted',
        'select * from later',
        'select * from keeper.own',
        'select * from keeper.later',
        'select last_value from counted_id_seq',
        `select ${evilQuoted} from ${evilQuoted}.${evilQuoted}`,
      ])
        expect({ sql, outcome: await read(sql) }).toMatchObject({ sql, outcome: { kind: 'done' } });
    });

    test('its transactions only read, and end after a while', async () => {
      expect(await write('delete from goods')).toMatchObject({ kind: 'read_only' });
      const settings = await ask(
        `select setconfig from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where rolname like 'ro %'`,
      );
      expect(settings).toBe('{statement_timeout=7s,default_transaction_read_only=on}');
      expect(
        await ask(
          `select count(*) from pg_auth_members m join pg_roles r on r.oid = m.member where rolname like 'ro %'`,
        ),
      ).toBe('0');
    });

    test.each([
      "insert into goods (name) values ('x')",
      'update goods set name = null',
      'delete from goods',
      'truncate goods',
      'drop table goods',
      "select nextval('counted_id_seq')",
      'select * from hidden.secret',
      'select * from pg_authid',
      "select pg_read_file('/etc/passwd')",
      "select lo_import('/etc/passwd')",
      "copy goods to '/dev/null'",
      "copy (select 1) to program 'true'",
      'create table mine (v int)',
      'create schema mine',
      'create database mine',
      'create role mine',
      'set role postgres',
      'set role keeper',
      'set session authorization postgres',
      'alter role postgres nologin',
      "alter system set log_statement = 'none'",
      'create extension dblink',
      'create function f() returns int language c as $$x$$',
    ])('%s is refused', async sql => {
      // Only its privileges limit it: a role may decide how its own transactions begin.
      await ask(`alter role ${quotedName} reset default_transaction_read_only`);
      expect(await write(sql)).toMatchObject({ code: '42501' });
    });

    test('passes on nothing', async () => {
      await ask(`alter role ${quotedName} reset default_transaction_read_only`);
      await write('grant select on goods to public');
      expect(await ask(`select has_table_privilege('public', 'goods', 'select')`)).toBe('f');
    });

    test('has nothing in excess, until it gets something', async () => {
      expect(await plan.excess(as(name), contextOf())).toEqual({ kind: 'done', value: null });
      await ask(`grant update on goods to ${quotedName}`);
      expect(await plan.excess(as(name), contextOf())).toEqual({
        kind: 'done',
        value: 'it may do more than it should with goods',
      });
    });

    test('isn’t made twice, and can be removed completely', async () => {
      expect(await planRole(owner(), contextOf(), wanted({ name }), false)).toMatchObject({
        kind: 'unsupported',
        message: expect.stringContaining('already a role'),
      });
      // Made meanwhile: the server refuses, and the other's role stays.
      expect(await plan.make('other')).toMatchObject({ kind: 'failed', stays: null, failure: { code: '42710' } });
      expect(await read('select 1')).toMatchObject({ kind: 'done' });
      expect(await plan.remove()).toEqual({ stays: null });
      expect(await ask(`select count(*) from pg_roles where rolname like 'ro %'`)).toBe('0');
      expect(await ask('select count(*) from pg_default_acl')).toBe('0');
    });

    test('the shown SQL has no hidden character, and psql makes the same of it', async () => {
      const statements = plan.steps.flatMap(step => step.statements);
      expect(statements.join('')).not.toMatch(/[\u202e]/);
      expect(plan.steps.map(({ why }) => why).join('')).not.toContain('\n');
      const run = statements.filter(statement => !statement.startsWith('\\'));
      await psql(`${run.join(';\n')};`);
      expect(await plan.remove()).toEqual({ stays: null });
    });
  });

  describe('that reads and writes', () => {
    const name = 'rw';
    let plan: PlannedRole;
    beforeAll(async () => {
      plan = await planned(owner(), wanted({ name, access: 'readWrite', schemas: ['public'] }));
      expect(await plan.make(password)).toEqual({ kind: 'made' });
    });

    test.each([
      "insert into goods (name) values ('rice')",
      'insert into counted (n) values (1)',
      "update goods set name = 'rice' where id = 1",
      'delete from goods where id = 2',
      'insert into parted values (1, 1)',
    ])('%s', async sql => {
      expect((await runOn(as(name), sql, { session: 'write' })).outcome).toMatchObject({
        kind: 'done',
        rowsAffected: 1,
      });
    });

    test.each([
      'truncate goods',
      'drop table goods',
      'alter table goods add x int',
      'create table mine (v int)',
      'create trigger t before insert on goods execute function suppress_redundant_updates_trigger()',
      'insert into keeper.own values (1)',
      "select setval('counted_id_seq', 99)",
      "copy goods from program 'id'",
      'set role postgres',
    ])('%s is refused', async sql => {
      expect((await runOn(as(name), sql, { session: 'alone' })).outcome).toMatchObject({ code: '42501' });
    });

    test('has nothing in excess', async () => {
      expect(await plan.excess(as(name), contextOf())).toEqual({ kind: 'done', value: null });
      expect(await plan.remove()).toEqual({ stays: null });
    });
  });

  test('a present role that is no superuser passes on what it may, and the notes say what it may not', async () => {
    await ask(`grant usage on schema hidden to keeper; grant select on hidden.secret to keeper;
      grant select on goods to keeper with grant option; grant create on schema hidden to public`);
    const keeper = suite.open({ database: 'shop', user: 'keeper' }, 'right');
    const plan = await planned(keeper, wanted({ name: 'of_keeper', schemas: ['public', 'hidden', 'keeper'] }), true);
    expect(plan.notes).toEqual([
      expect.stringContaining('counts in the database shop alone'),
      expect.stringContaining("can't grant USAGE on schema hidden"),
      expect.stringMatching(/^Left out of hidden, .*: secret\./),
      expect.stringContaining("Tables that postgres creates in hidden later aren't covered"),
      expect.stringContaining('Every role may create tables in hidden'),
      expect.stringMatching(/^Left out of public, .*: counted, kept/),
      expect.stringContaining("Tables that postgres creates in public later aren't covered"),
    ]);
    expect(await plan.make(password)).toEqual({ kind: 'made' });
    expect((await runOn(as('of_keeper'), 'select * from goods')).outcome).toMatchObject({ kind: 'done' });
    expect((await runOn(as('of_keeper'), 'select * from keeper.own')).outcome).toMatchObject({ kind: 'done' });
    expect((await runOn(as('of_keeper'), 'select * from counted')).outcome).toMatchObject({ code: '42501' });
    expect(await plan.remove()).toEqual({ stays: null });
  });

  test('a role that may not make one makes nothing, and is told why', async () => {
    await suite.server.psql(`create role modest login password 'right'`);
    const modest = suite.open({ database: 'shop', user: 'modest' }, 'right');
    const plan = await planned(modest, wanted({ schemas: ['public'] }));
    expect(plan.notes[0]).toMatch(/^The role modest may not make roles/);
    expect(await plan.make(password)).toMatchObject({ kind: 'failed', stays: null, failure: { code: '42501' } });
  });

  test.each([
    [{ schemas: ['nowhere'] }, 'There is no schema "nowhere"'],
    [{ schemas: ['pg_catalog'] }, 'There is no schema "pg_catalog"'],
    [{ schemas: ['information_schema'] }, 'There is no schema'],
    [{ name: 'ö'.repeat(32) }, 'at most 63 bytes'],
  ] as const)('refused: %j', async (changes, sentence) => {
    expect(await planRole(owner(), contextOf(), wanted(changes), false)).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining(sentence),
    });
  });

  test('row-level security is reported, and a write of a permitted role is visible', async () => {
    await psql('create table rowed (v int); alter table rowed enable row level security');
    const { notes } = await planned(owner(), wanted({ schemas: ['public'] }));
    expect(notes).toContain(
      'A table of public with row-level security may show this role fewer rows than the present one.',
    );
    await mayWrite(suite, psql);
  });
});

async function mayWrite(suite: SuiteServer, psql: (sql: string) => Promise<string>): Promise<void> {
  await psql(`create role looks login password 'right'; grant select on goods to looks`);
  const status = () => suite.open({ database: 'shop', user: 'looks' }, 'right').status(contextOf());
  expect(await status()).toMatchObject({ value: { mayWrite: false, warnings: [] } });
  await psql('grant delete on goods to looks');
  expect(await status()).toMatchObject({ value: { mayWrite: true, warnings: [] } });
}
