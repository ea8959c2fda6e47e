/**
 * Resources, prompts and completion as real clients get them, with each SDK, era and transport, on
 * the three engines.
 */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { connectionNames, describeWithThreeEngines, engineNames } from '../databases/three-engines.ts';
import { type ConnectedClient, everyClient } from './every-client.ts';

const tables = `create table customers (id int primary key, name varchar(40) not null);
create table orders (id int primary key, customer_id int references customers (id), total decimal(10, 2));`;
const root = 'sallyport://connections';
const templates = {
  schema: `${root}/{connection}/schema{?schema,database}`,
  tables: `${root}/{connection}/tables{?schema,database}`,
  table: `${root}/{connection}/tables/{table}{?schema,database}`,
  ddl: `${root}/{connection}/tables/{table}/ddl{?schema,database}`,
  history: `${root}/{connection}/history{?limit,search}`,
};

describeWithThreeEngines('resources, prompts and completion', three => {
  let token: string;
  beforeAll(async () => {
    await three.postgres.psql(tables, 'shop');
    await three.mariadb.client(tables, { database: 'shop' });
    three.executeOnFile(tables);
    const hidden = ['connections', 'add', three.sqliteFile, '--name', 'Secretive', '--external-clients', 'blocked'];
    expect(await three.run(hidden)).toMatchObject({ code: 0 });
    expect(await three.run(['settings', 'set', 'limits.requestsPerMinute', '0'])).toMatchObject({ code: 0 });
    ({ token } = await three.mint('--scope', 'read-only'));
  }, 60_000);

  describe.each(Object.keys(everyClient))('%s', kind => {
    const heard: string[] = [];
    async function withClient(work: (client: ConnectedClient) => Promise<void>): Promise<void> {
      const client = await everyClient[kind]?.({ home: three.home, url: three.url, token });
      if (client === undefined) throw new Error(kind);
      try {
        await work(client);
      } finally {
        await client.close();
      }
    }

    test('lists and reads everything of each engine', async () => {
      await withClient(async client => {
        const listed = await client.resources();
        heard.push(JSON.stringify(listed));
        expect(listed).toHaveLength(1 + 3 * engineNames.length);
        expect(await client.templates()).toEqual(Object.values(templates));
        for (const { uri } of listed) heard.push(await client.read(uri));
        for (const engine of engineNames) {
          const at = `${root}/${connectionNames[engine]}/tables`;
          expect(JSON.parse(await client.read(at))).toMatchObject({ total: expect.any(Number) });
          const described = await client.read(`${at}/orders`);
          expect(described).toContain('customer_id');
          expect(described).toMatch(/-> .*customers/);
          expect(await client.read(`${at}/orders/ddl`)).toMatch(/create table .*orders/i);
          expect(await client.read(`${root}/${connectionNames[engine]}/schema`)).toContain('customers');
        }
        await expect(client.read(`${root}/Secretive/tables`)).rejects.toThrow(/Secretive/);
      });
    });

    test('gets each prompt with the schema in it, and completes each argument', async () => {
      await withClient(async client => {
        expect(await client.prompts()).toEqual(['explain_schema', 'explain_table', 'question_to_sql']);
        for (const engine of engineNames) {
          const connection = connectionNames[engine];
          for (const name of await client.prompts()) {
            const extra = { explain_table: { table: 'orders' }, question_to_sql: { question: 'How many?' } }[name];
            expect(await client.prompt(name, { connection, ...extra })).toContain('customer_id');
          }
          expect(await client.complete(templates.table, 'connection', connection.slice(0, 2))).toContain(connection);
          const [first] = await client.complete(templates.table, 'table', 'cust', { connection });
          expect(first).toMatch(/^(\w+\.)?customers$/);
        }
        heard.push(JSON.stringify(await client.complete(templates.table, 'connection', '')));
        heard.push(JSON.stringify(await client.complete(templates.table, 'connection', 'Secr')));
        expect(await client.complete(templates.table, 'table', '', { connection: 'Secretive' })).toEqual([]);
      });
      expect(heard.join('')).not.toContain('Secretive');
    });
  });

  test('completes nothing of a connection that asks the user first, and asks nobody for it', async () => {
    const asked = ['connections', 'add', three.sqliteFile, '--name', 'Asked', '--ai-policy', 'ask'];
    expect(await three.run(asked)).toMatchObject({ code: 0 });
    const client = await everyClient['SDK v2 pinned, HTTP']?.({ home: three.home, url: three.url, token });
    expect(await client?.complete(templates.table, 'connection', 'As')).toContain('Asked');
    expect(await client?.complete(templates.table, 'table', 'cust', { connection: 'Asked' })).toEqual([]);
    await client?.close();
    expect(JSON.parse((await three.run(['allow', '--json'])).stdout)).toEqual([]);
  });
});
