/**
 * `list_tables` as a model meets it: an unknown schema with bad names and good comments, on three
 * engines of one built daemon.
 */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { connectionNames, describeWithThreeEngines, type EngineName, engineNames } from './three-engines.ts';

interface Listed {
  readonly total: number;
  readonly note?: string;
  readonly schemas?: Readonly<Record<string, readonly string[]>>;
  readonly matches?: Readonly<Record<string, string>>;
  readonly databases?: readonly string[];
  readonly next_cursor?: string;
}

const postgresSchema = `
create schema billing; create schema crm; create schema hidden; create schema "Odd One";
create table billing.inv_hdr (id int primary key, inv_no text, cust_id int, total numeric); comment on table billing.inv_hdr is 'Invoice headers';
create table billing.inv_ln (id int, hdr_id int); comment on column billing.inv_ln.hdr_id is 'the invoice that this line belongs to';
create table crm.acct (id int, invoice_address text); create table crm.invoice_prefs (id int);
create view billing.open_items as select * from billing.inv_hdr; create materialized view crm.totals as select 1 as one;
create function billing.close_invoice(int) returns int language sql as 'select $1';
create table "Odd One"."Mixed ""x" (a int); create table plain (a int); create sequence numbers;
create table hidden.invoice_secret (a int); revoke all on schema hidden from public;
create role clerk login password 'clerk'; grant usage on schema billing, crm, "Odd One" to clerk`;

const mariadbSchema = `
create table inv_hdr (id int primary key, inv_no text, cust_id int) comment 'Invoice headers';
create table inv_ln (id int, hdr_id int comment 'the invoice that this line belongs to');
create table acct (id int, invoice_address text); create view open_items as select id from inv_hdr; create table plain (a int);
create table \`odd name\` (a int);
create function close_invoice(a int) returns int return a; create database crm; create table crm.invoice_prefs (id int)`;

const sqliteSchema = `
create table inv_hdr ( -- Invoice headers
  id integer primary key, inv_no text);
create table inv_ln (id int, hdr_id int /* the invoice that this line belongs to */);
create table acct (id int, invoice_address text); create view open_items as select id from inv_hdr; create table plain (a);
create table "odd name" (a); create table invoice_prefs (id int);
create table gone (v); create view broken as select v from gone; drop table gone;
create virtual table letters using fts5(sender, salutation); create virtual table areas using rtree(id, west, longitude)`;

describeWithThreeEngines('list_tables', three => {
  let token: string;
  const list = async (connection: string, args: Record<string, unknown> = {}) => {
    const { json } = await three.call(token, 'list_tables', { connection, ...args });
    const result = json.result as unknown as {
      isError?: boolean;
      content: { text: string }[];
      structuredContent: Listed;
    };
    if (json.result === undefined) throw new Error(JSON.stringify(json));
    return { ...result.structuredContent, isError: result.isError === true, text: String(result.content[0]?.text) };
  };
  const on = (engine: EngineName, args: Record<string, unknown> = {}) => list(connectionNames[engine], args);

  beforeAll(async () => {
    await three.postgres.psql(postgresSchema, 'shop');
    await three.postgres.psql('analyze', 'shop');
    await three.mariadb.client(mariadbSchema, { database: 'shop' });
    three.executeOnFile(sqliteSchema);
    const clerk = `postgresql://clerk@127.0.0.1:${three.postgres.port}/shop`;
    const add = ['connections', 'add', clerk, '--name', 'Clerk', '--databases', 'all', '--password-stdin'];
    expect(await three.here(add, 'clerk')).toMatchObject({ code: 0 });
    token = (await three.mint('--scope', 'read-only')).token;
  }, 60_000);

  test('grouped by schema, those of the search path first; names as in SQL; kinds except table are shown', async () => {
    const { schemas, total, databases } = await on('postgres');
    expect(schemas).toEqual({
      public: ['numbers (sequence)', 'plain'],
      'Odd One': ['"Mixed ""x"'],
      billing: ['inv_hdr -- Invoice headers', 'inv_ln', 'open_items (view)'],
      crm: ['acct', 'invoice_prefs', 'totals (materialized view)'],
      hidden: ['invoice_secret'],
    });
    expect(Object.keys(schemas ?? {})[0]).toBe('public');
    expect(total).toBe(10);
    expect(databases).toBeUndefined();
    expect((await on('mysql')).schemas).toEqual({
      shop: ['acct', 'inv_hdr -- Invoice headers', 'inv_ln', '`odd name`', 'open_items (view)', 'plain'],
    });
    expect((await on('sqlite')).schemas?.main).toEqual(expect.arrayContaining(['"odd name"', 'open_items (view)']));
  });

  test('tables that the role may not see are neither listed nor found; other databases are named if they can be reached', async () => {
    const clerk = await list('Clerk');
    expect(Object.keys(clerk.schemas ?? {})).not.toContain('hidden');
    expect(clerk.databases).toEqual(['postgres', 'shop']);
    expect((await list('Clerk', { database: 'postgres' })).total).toBe(0);
    const { matches } = await list('Clerk', { search: 'invoice' });
    expect(Object.keys(matches ?? {})).toContain('billing.inv_hdr');
    expect(JSON.stringify(matches)).not.toContain('hidden');
    expect((await on('mysql')).databases).toEqual(expect.arrayContaining(['shop', 'crm']));
  });

  const expected = {
    postgres: {
      'crm.invoice_prefs': 'name',
      'hidden.invoice_secret': 'name',
      'billing.close_invoice': '(function) name',
      'billing.inv_hdr': 'comment -- Invoice headers',
      'crm.acct': 'column invoice_address',
      'billing.inv_ln': 'column hdr_id: "the invoice that this line belongs to"',
      'billing.open_items': '(view) column inv_no',
    },
    mysql: {
      'crm.invoice_prefs': 'name',
      'shop.close_invoice': '(function) name',
      'shop.inv_hdr': 'comment -- Invoice headers',
      'shop.acct': 'column invoice_address',
      'shop.inv_ln': 'column hdr_id: "the invoice that this line belongs to"',
    },
    sqlite: {
      invoice_prefs: 'name',
      inv_hdr: '"Invoice headers"',
      acct: 'column invoice_address',
      inv_ln: '"the invoice that this line belongs to"',
    },
  };

  test.each([
    ['postgres', 'create schema twice', 'drop schema twice cascade', `language sql as 'select 1'`],
    ['mysql', 'create database twice', 'drop database twice', 'return 1'],
  ] as const)(
    '%s: a table and a function of one name are both found, and the columns are the table’s',
    async (engine, make, drop, body) => {
      const run = (sql: string) =>
        engine === 'mysql' ? three.mariadb.client(sql, { database: 'shop' }) : three.postgres.psql(sql, 'shop');
      await run(`${make}; create table twice.parcel (parcel_weight int);
      create function twice.parcel() returns int ${body}`);
      try {
        const found = await on(engine, { search: 'parcel' });
        expect(found).toMatchObject({
          total: 2,
          matches: { 'twice.parcel': 'name; column parcel_weight; (function) name' },
        });
        const { total, matches } = await on(engine, { search: 'parcel_weight' });
        expect({ total, matches }).toEqual({ total: 1, matches: { 'twice.parcel': 'column parcel_weight' } });
      } finally {
        await run(drop);
      }
    },
  );

  test.each([
    ['salutation', 'letters'],
    ['longitude', 'areas'],
  ])('SQLite: a virtual table is found by its column %s', async (search, table) => {
    const { total, matches } = await on('sqlite', { search });
    expect({ total, matches }).toEqual({ total: 1, matches: { [table]: expect.stringContaining(search) } });
  });

  describe.each(engineNames)('%s', engine => {
    test('a search looks in names, columns, routines and comments of each schema, best first, and says where', async () => {
      const { matches, total } = await on(engine, { search: 'invoice' });
      expect(matches).toEqual(expected[engine]);
      expect(total).toBe(Object.keys(expected[engine]).length);
      const order = Object.keys(matches ?? {});
      expect(order[0]).toMatch(/invoice_prefs$/);
      expect(order.findIndex(name => name.endsWith('inv_hdr'))).toBeLessThan(
        order.findIndex(name => name.endsWith('inv_ln')),
      );
    });

    test.each(['Invoices', 'INVIOCE', 'invoce', 'invoice headers'])('in any spelling: %s', async search => {
      const { matches } = await on(engine, { search });
      expect(Object.keys(matches ?? {}).some(name => name.endsWith('inv_hdr'))).toBe(true);
      if (search === 'invoice headers') expect(Object.keys(matches ?? {})[0]).toMatch(/inv_hdr$/);
    });

    test('an unknown word is reported, and a wrong schema gets the nearest name', async () => {
      const nothing = await on(engine, { search: 'zebra crossing' });
      expect(nothing).toMatchObject({ total: 0, matches: {}, note: expect.stringContaining('nor any like') });
      if (engine === 'postgres') {
        await three.postgres.psql('insert into plain select 7 from generate_series(1, 9); analyze plain', 'shop');
        const { note } = await on(engine, { search: 'zebra crossing' });
        expect(note).toMatch(/ The tables with most rows: public\.plain, crm\.totals\.$/);
        await three.postgres.psql('truncate plain; analyze plain', 'shop');
      }
      for (const search of ['invoice', 'invoce'])
        expect(await on(engine, { search, kind: 'procedure' })).toMatchObject({
          total: 0,
          matches: {},
          note: 'Only what is of another kind has these words, or words like them; without kind it is listed.',
        });
      const wrong = { postgres: 'biling', mysql: 'shpo', sqlite: 'mian' }[engine];
      const right = { postgres: /Did you mean billing\?/, mysql: /Did you mean shop\?/, sqlite: /main/ }[engine];
      for (const more of [{}, { search: 'invoice' }]) {
        const { isError, text } = await on(engine, { schema: wrong, ...more });
        expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringMatching(right) });
      }
      const query = { connection: connectionNames[engine], sql: 'select 1', schema: wrong };
      const { json } = await three.call(token, 'execute_query', query);
      expect(json.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(right) }] });
    });

    test('a missing database gets the nearest name, if others can be reached', async () => {
      if (engine === 'sqlite') return;
      const connection = engine === 'postgres' ? 'Clerk' : connectionNames.mysql;
      const { isError, text } = await list(connection, { database: 'shpo' });
      expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringMatching(/Did you mean shop/) });
      const { json } = await three.call(token, 'execute_query', { connection, sql: 'select 1', database: 'shpo' });
      expect(json.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/Did you mean shop/) }],
      });
    });

    test('rows only on request, kinds on request, in pages with comments if there are few', async () => {
      expect(JSON.stringify(await on(engine))).not.toContain('rows');
      if (engine !== 'sqlite') {
        expect(JSON.stringify(await on(engine, { include_row_counts: true }))).toContain('inv_hdr ~0 rows -- Invoice');
        expect(JSON.stringify((await on(engine, { kind: 'function' })).schemas)).toContain('close_invoice (function)');
      } else {
        const note = 'A table without a count was never analyzed; count(*) counts it.';
        expect(await on(engine, { include_row_counts: true })).toMatchObject({ note });
      }
      const views = await on(engine, { kind: 'view' });
      expect(JSON.stringify(views.schemas)).toContain('open_items (view)');
      expect(JSON.stringify(views.schemas)).not.toContain('inv_hdr');
      const { json } = await three.call(token, 'list_tables', { connection: connectionNames[engine], kind: 'cat' });
      expect(json.result).toMatchObject({ isError: true });
    });

    test('words with a meaning in SQL are only letters', async () => {
      for (const search of [`'; drop table plain; --`, '%', '_', '\\', 'a\u0000b', '%" or 1=1', 'x'.repeat(256)]) {
        const { json } = await three.call(token, 'list_tables', { connection: connectionNames[engine], search });
        expect(JSON.stringify(json)).not.toContain('internal_failure');
      }
      expect(JSON.stringify((await on(engine)).schemas)).toContain('plain');
    });
  });
});
