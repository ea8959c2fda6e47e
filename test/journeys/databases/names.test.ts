/**
 * Names as clients write them, right and wrong, on three engines of one built daemon: the meant
 * table is found, or else suggested.
 */

import { beforeAll, expect, test } from '@jest/globals';
import { modern, send } from '../../clients/http/wire.ts';
import { describeWithThreeEngines } from './three-engines.ts';

describeWithThreeEngines(
  'names',
  three => {
    let token: string;
    const call = async (tool: string, connection: string, more: Record<string, unknown>) => {
      const { json } = await three.call(token, tool, { connection, ...more });
      const { isError = false, content, structuredContent } = json.result ?? {};
      return {
        isError,
        text: (content as { text: string }[])?.[0]?.text ?? JSON.stringify(json),
        ...structuredContent,
      };
    };
    const described = async (connection: string, tables: readonly string[]) => {
      const { tables: found, not_found } = (await call('describe_table', connection, { tables })) as {
        tables?: readonly { readonly name: string }[];
        not_found?: readonly string[];
      };
      return { names: found?.map(({ name }) => name), not_found };
    };
    const said = async (connection: string, sql: string, more: Record<string, unknown> = {}) =>
      (await call('execute_query', connection, { sql, ...more })).text;

    beforeAll(async () => {
      await three.postgres.psql(
        `create schema "Odd Schema"; create table "Odd Schema"."Täble ☃" ("Größe x" int primary key);
        create schema crm; create table crm.cust (id int primary key, name text); create table crm."UPPER" (a int, "createdAt" date);
        create table "dot.ted" (a int); create schema billing; create table billing.inv_hdr (id int, note text)`,
        'shop',
      );
      await three.mariadb.client(
        `create table \`odd täble ü\` (a int); create table orders (id int primary key, st int);
        create database erp; create table erp.inv (id int)`,
        { database: 'shop' },
      );
      await three.postgres.psql(
        `create schema s2; create schema s3; create table item (id int); create table s2.item (other int); create table s3.item (third int); create table "s2.item" (whole int);
        create view v_item as select 1 as public_one; create view s2.v_item as select 2 as second_one;
        create sequence numbers start 11; create sequence s2.numbers start 22;
        create function total() returns int language sql as 'select 1'; create function s2.total() returns int language sql as 'select 2';
        create type mood as enum ('sad'); create type s2.mood as enum ('happy'); create domain "Quoted.Domain" as text;
        create table parcel (kg int constraint parcel_weight check (kg > 0)); create index parcel_by_kg on parcel (kg)`,
        'shop',
      );
      await three.mariadb.client(
        'create table item (id int); create table erp.item (other int); create table `erp.item` (whole int); create table crate (kg int, item_id int, constraint crate_weight check (kg > 0), key crate_by_kg (kg), unique crate_once (item_id))',
        { database: 'shop' },
      );
      three.executeOnFile(
        'create table "order" (a); create table "odd name ☃" (a); create table cust (id integer primary key); create table crate (kg int constraint crate_weight check (kg > 0), item_id int, constraint "crate once" unique (item_id)); create index crate_by_kg on crate (kg)',
      );
      const { postgres, mariadb } = three;
      const add = async (url: string, name: string, password: string, databases = 'all') => {
        const words = ['connections', 'add', url, '--name', name, '--password-stdin', '--databases', databases];
        expect(await three.here(words, password)).toMatchObject({ code: 0 });
      };
      await add(`postgresql://${postgres.superuser}@127.0.0.1:${postgres.port}/shop`, 'All', postgres.password);
      await add(`mariadb://${mariadb.user}@127.0.0.1:${mariadb.port}/shop`, 'Everything', mariadb.password);
      await add(`mariadb://${mariadb.user}@127.0.0.1:${mariadb.port}/shop`, 'One', mariadb.password, 'own');
      await add(`mariadb://${mariadb.user}@127.0.0.1:${mariadb.port}`, 'Nowhere', mariadb.password);
      for (const name of ['Pg', 'Maria'])
        await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
      token = (await three.mint('--scope', 'read-write')).token;
    }, 60_000);

    test.each([
      ['Pg', ['crm.cust'], 'other.crm.cust', /^"other\.crm\.cust": .* database shop only.* Did you mean crm\.cust\?/],
      [
        'All',
        ['crm.cust', 'shop.crm.cust'],
        'othr.public.cust',
        /no table or view "othr\.public\.cust"; did you mean crm\.cust\?/,
      ],
      ['One', ['shop.orders'], 'nodb.orders', /^"nodb\.orders": .* "shop" only.* Did you mean shop\.orders\?/],
      [
        'Everything',
        ['shop.orders', 'erp.inv'],
        'nodb.orders',
        /no table or view "nodb\.orders"; did you mean shop\.orders\?/,
      ],
      ['Nowhere', ['erp.inv'], 'orders', /^"orders": .* Did you mean shop\.orders\?/],
      ['File', ['cust'], 'x.cust', /^"x\.cust": .* Did you mean cust\?/],
      ['File', ['cust'], 'ordr', /no table or view "ordr"; did you mean "order"\?/],
    ] as const)('one bad name doesn’t affect the rest of a description: %s', async (connection, good, bad, told) => {
      const names = good.map(name => name.replace('shop.crm', 'crm'));
      const not_found = [expect.stringMatching(told)];
      expect(await described(connection, [bad, ...good])).toEqual({ names, not_found: not_found });
      expect(await call('describe_table', connection, { table: bad })).toMatchObject({ isError: true });
    });

    test.each([
      ['Pg', { schema: 's2', table: 'orders' }, 'no table or view "orders" in "s2"; list_tables names them.'],
      ['Everything', { database: 'erp', table: 'orders' }, 'no table or view "orders" in "erp"; did you mean'],
      ['Pg', { schema: 's2', table: 'crm.nothing' }, 'no table or view "crm.nothing";'],
    ])('a name that is missing is told with the place that was named: %s %j', async (connection, where, told) => {
      expect(JSON.stringify(await call('describe_table', connection, where)).replaceAll('\\"', '"')).toContain(told);
    });

    test.each([
      ['Pg', 's2.item', 's2.item', 'other integer'],
      ['Pg', 'S2.Item', 's2.item', 'other integer'],
      ['Pg', 'item', 'public.item', 'id integer'],
      ['Pg', 's2.v_item', 's2.v_item', 'second_one integer'],
      ['Pg', 'S2.V_Item', 's2.v_item', 'second_one integer'],
      ['Pg', 's2.numbers', 's2.numbers', 'START WITH 22'],
      ['Pg', 's2.total', 's2.total', 'select 2'],
      ['Pg', 'S2.Total()', 's2.total', 'select 2'],
      ['Pg', 's2.mood', 's2.mood', 'happy'],
      ['Pg', '"Quoted.Domain"', 'public."Quoted.Domain"', 'CREATE DOMAIN'],
      ['Pg', 'Quoted.Domain', 'public."Quoted.Domain"', 'CREATE DOMAIN'],
      ['Pg', '"s2.item"', 'public."s2.item"', 'whole integer'],
      ['Everything', 'erp.item', 'erp.item', 'other int'],
      ['Everything', '`erp.item`', 'shop.`erp.item`', 'whole int'],
      ['File', 'MAIN.Cust', 'cust', 'cust'],
    ] as const)(
      'of two with one name the named schema’s is described: %s, %s',
      async (connection, table, name, told) => {
        const { tables } = (await call('describe_table', connection, { table, include_ddl: true })) as {
          tables?: readonly { readonly name: string }[];
        };
        expect(tables).toMatchObject([{ name }]);
        expect(JSON.stringify(tables)).toContain(told);
      },
    );

    test.each([
      ['Pg', 'nosuch.item'],
      ['Pg', 'Nosuch.Item'],
      ['Pg', 'nosuch.v_item'],
      ['Pg', 's3.numbers'],
      ['Pg', 's3.total'],
      ['Pg', 's3.mood'],
      ['Everything', 'nosuch.item'],
      ['File', 'nosuch.cust'],
    ] as const)('nothing from elsewhere is described for a schema that lacks it: %s, %s', async (connection, table) => {
      expect(await call('describe_table', connection, { table })).toMatchObject({ isError: true });
    });

    test.each([
      ['Pg', 'select * from s3.itm', 's3.item'],
      ['Everything', 'select * from erp.itm', 'erp.item'],
    ] as const)('the named schema’s nearest name comes first: %s, %s', async (connection, sql, nearest) => {
      expect(await said(connection, sql)).toContain(`Did you mean ${nearest} or `);
      const table = sql.slice('select * from '.length);
      expect((await call('describe_table', connection, { table })).text).toContain(`did you mean ${nearest} or `);
    });

    test.each([
      ['Maria', 'crate_weight', 'shop.crate', 'constraint crate_weight'],
      ['Maria', 'crate_once', 'shop.crate', 'constraint crate_once'],
      ['Maria', 'crate_by_kg', 'shop.crate', 'index crate_by_kg'],
      ['File', 'crate_weight', 'crate', 'constraint crate_weight'],
      ['File', 'once', 'crate', 'constraint crate once'],
      ['File', 'crate_by_kg', 'crate', 'index crate_by_kg'],
    ])(
      '%s: a search knows the constraint or index that an error names: %s',
      async (connection, search, name, where) => {
        const { matches } = (await call('list_tables', connection, { search })) as { matches?: Record<string, string> };
        expect(matches).toMatchObject({ [name]: where });
      },
    );

    test.each([
      ['mood', 'public.mood', '(type) name'],
      ['parcel_weight', 'public.parcel', 'constraint parcel_weight'],
      ['parcel_by_kg', 'public.parcel', 'index parcel_by_kg'],
      ['invoices', 'billing.inv_hdr', 'name'],
    ])('PostgreSQL: a search knows what an error names, and an abbreviation: %s', async (search, name, where) => {
      const { matches } = (await call('list_tables', 'Pg', { search })) as { matches?: Record<string, string> };
      expect(matches).toMatchObject({ [name]: where });
    });

    test('a table is exported from the named schema', async () => {
      expect(await call('export_data', 'Pg', { table: 's2.item', format: 'csv' })).toMatchObject({
        first_lines: 'other\r\n',
      });
      expect(await call('export_data', 'Pg', { table: 'nosuch.item', format: 'csv' })).toMatchObject({ isError: true });
    });

    test('a misspelt schema or database doesn’t count as empty, for prompts and resources as for list_tables', async () => {
      const ask = async (method: string, params: Record<string, unknown>) =>
        (await send(three.url, modern(token, method, params))).json.error;
      const refusal = { code: -32602, message: expect.stringMatching(/no schema "biling"\. Did you mean billing\?/) };
      for (const name of ['explain_schema', 'question_to_sql']) {
        const given = {
          connection: 'Pg',
          schema: 'biling',
          ...(name === 'question_to_sql' && { question: 'How many?' }),
        };
        expect(await ask('prompts/get', { name, arguments: given })).toMatchObject(refusal);
      }
      const schema = 'sallyport://connections/Pg/schema?schema=biling';
      expect(await ask('resources/read', { uri: schema })).toMatchObject(refusal);
      for (const where of ['schema=shpo', 'database=shpo']) {
        const uri = `sallyport://connections/Everything/schema?${where}`;
        expect(await ask('resources/read', { uri })).toMatchObject({ message: expect.stringMatching(/mean shop\?/) });
      }
    });

    test.each([
      ['Pg', 'update crm.cst set name = null where id = 1', /Did you mean crm\.cust\?/],
      ['Pg', 'update crm.cust set nmm = null where id = 1', /Did you mean name\?/],
      ['Maria', 'update ordrs set st = 1 where id = 1', /Did you mean shop\.orders\?/],
      ['Maria', 'update orders set stt = 1 where id = 1', /Did you mean st\b/],
    ] as const)('a preview on %s names the nearest: %s', async (connection, sql, nearest) => {
      const { isError, text } = await call('preview_write', connection, { sql });
      expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(nearest) });
    });

    test.each([
      ['Everything', 'select * from inv', 'erp.inv'],
      ['Everything', 'select * from erp.invv', 'erp.inv'],
      ['Everything', 'select * from erpp.inv', 'erp.inv'],
      ['Everything', 'select * from ordrs', 'shop.orders'],
      ['Nowhere', 'select * from orders', 'shop.orders'],
    ] as const)('tables of other databases are named: %s, %s', async (connection, sql, nearest) => {
      expect(await said(connection, sql)).toContain(`Did you mean ${nearest}?`);
    });

    test.each([
      ['Pg', 'select * from crm.uper', 'Did you mean crm."UPPER"?'],
      ['Pg', 'select größe from "Odd Schema"."Täble ☃"', '"Täble ☃" has "Größe x".'],
      ['Pg', 'select createdat from crm."UPPER"', 'Did you mean "createdAt"? "UPPER" has a, "createdAt".'],
      ['Maria', 'select * from `odd täbel ü`', 'Did you mean shop.`odd täble ü`?'],
      ['File', 'select * from "odd nam ☃"', 'Did you mean "odd name ☃"?'],
    ] as const)('a name that needs quotes is suggested in them: %s, %s', async (connection, sql, told) => {
      expect(await said(connection, sql)).toContain(told);
    });

    test('PostgreSQL: a text in double quotes gets an explanation', async () => {
      const told = 'Double quotes hold a name; text stands in single quotes.';
      expect(await said('Pg', 'select * from crm.cust where name = "Ada"')).toContain(told);
      expect(await said('Pg', 'select * from crm.cust where name = Ada')).not.toContain(told);
    });

    test.each([
      ['Pg', 'sqlite_master'],
      ['Maria', 'sqlite_master'],
      ['Maria', 'pg_tables'],
      ['File', 'information_schema.tables'],
      ['File', 'pg_catalog.pg_tables'],
    ] as const)('a question to %s for %s gets the tools that list', async (connection, catalog) => {
      expect(await said(connection, `select * from ${catalog}`)).toContain('list_tables lists the schemas and tables');
    });

    test.each([
      ["select date_trunc('month', now())", /^denied: This connection is read only .*; check its name/],
      [
        'select name, len(name) from (select 1 as name) as one',
        /^denied: This connection is read only .*; check its name/,
      ],
      ["select now() - interval '7 days'", /^query_failed: You have an error in your SQL syntax/],
      ['select * from orders where', /^query_failed: You have an error in your SQL syntax/],
    ])('MariaDB: if it isn’t a query there, nobody is asked to allow writing: %s', async (sql, words) => {
      const told = await said('Everything', sql);
      expect(told).toMatch(words);
      expect(told).not.toContain('--external-clients');
    });

    test('MariaDB: nor is the user asked before a function’s name is checked', async () => {
      const missing = /^denied: .* shop\.len\(\) is not built in, and no code of it is found here; check its name, /;
      expect(await said('Maria', "select len('a')")).toMatch(missing);
    });

    test.each([
      ['Pg', 'select $1 is null', [null], 'Write its type behind it, such as $1::text.'],
      ['Maria', 'explain analyze select 1', [], 'On MariaDB write ANALYZE in the place of EXPLAIN ANALYZE.'],
      ['Maria', 'select ?', [[1, 2]], 'JSON as text: only PostgreSQL takes lists and objects.'],
    ] as const)('the message says what to write instead: %s, %s', async (connection, sql, parameters, told) => {
      expect(await said(connection, sql, { parameters })).toContain(told);
    });

    test('a primary key that needs quotes isn’t also listed as an index', async () => {
      const { tables } = (await call('describe_table', 'Pg', { table: '"Odd Schema"."Täble ☃"' })) as {
        tables?: readonly unknown[];
      };
      expect(tables).toMatchObject([{ primary_key: ['"Größe x"'] }]);
      expect(tables?.[0]).not.toHaveProperty('indexes');
    });
  },
  { exports: 'at home' },
);
