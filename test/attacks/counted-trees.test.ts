/**
 * Tables of 5,000 partitions, on real servers: a tree is judged, counted and asked about as one
 * table, in an answer as long as that of a small tree.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { catalogLookup } from '../../daemon/guard/postgres/catalog-lookup.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { askAndRun } from './ask-and-run.ts';
import { writingClient } from './write-as-a-client.ts';

const partitions = 5_000;
const patience = 600_000;
const no = { decides: async () => false };

describeWithPostgres('a tree of partitions on PostgreSQL is one table', suite => {
  const database = 'trees';
  const columns = 'id int not null, v int default 1 check (v > 0), at timestamptz default now()';
  const withClient = async <Result>(use: (client: pg.Client) => Promise<Result>) => {
    const { host, port, superuser: user, password } = suite.server;
    const client = new pg.Client({ host, port, user, password, database });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };
  beforeAll(async () => {
    await suite.server.psql(`create database ${database}`);
    await withClient(async client => {
      for (const [name, size] of [['small', 3] as const, ['middle', 1_500] as const, ['large', partitions] as const]) {
        await client.query(`create table ${name} (${columns}) partition by range (id)`);
        // Each takes locks until its transaction ends.
        for (let from = 0; from < size; from += 500)
          await client.query(`do $$ begin for i in ${from}..${Math.min(from + 500, size) - 1} loop
            execute format('create table ${name}_%s partition of ${name} for values from (%s) to (%s)', i, i * 10, i * 10 + 10);
          end loop; end $$`);
        await client.query(`insert into ${name} (id) select generate_series(0, 29)`);
      }
    });
  }, patience);

  test(
    'the judge is told as much as of a small one, and what differs in a partition',
    async () => {
      const told = (name: string) =>
        withClient(async client => {
          const relations = [{ schema: null, name, path: null, role: 'changed', stored: false }];
          const empty = { functions: [], types: [], operators: [], attributes: [] };
          const { rows } = await client.query({
            text: catalogLookup,
            values: [
              JSON.stringify({ relations, ...empty, everyRelation: false, hasFunctionAsTable: false, settings: false }),
            ],
          });
          const catalog: { readonly relations: readonly { readonly expressions: readonly string[] }[] } = JSON.parse(
            rows[0].catalog,
          );
          return catalog.relations.map(({ expressions }) => expressions);
        });
      expect(await told('large')).toEqual(await told('small'));
      expect(await told('large')).toHaveLength(2);
      await withClient(async client => {
        await client.query('create function moved() returns int language sql as $$ select 2 $$');
        await client.query('alter table large_4321 alter v set default moved()');
      });
      expect((await told('large')).flat()).toContain('moved()');
    },
    patience,
  );

  test(
    'it is read, written, counted and asked about',
    async () => {
      const opened: Database = suite.open({ database });
      const write = writingClient(() => opened);
      expect(await write('select count(*) from large where id = 5')).toBe('done');
      expect(await write('insert into large (id) values (31), (41)')).toBe('done');
      expect(await write('update large set v = 2 where id < 20')).toBe('done');
      expect(await write('delete from large')).toMatch(/^denied: /);
      const lines = async (sql: string) => (await askAndRun(opened, sql, no)).questions.map(question => question.lines);
      expect(await lines('drop table large')).toEqual([[expect.stringMatching(/^drops public\.large \(~?32 rows\)$/)]]);
      expect(await lines('delete from large where id < 25')).toEqual([['deletes 25 rows of public.large']]);
      await opened.close();
    },
    patience,
  );

  test(
    'a definition asks for what it would on one table, and for what it does to one part alone',
    async () => {
      await withClient(async client => {
        await client.query('create function computed(middle_1499) returns int language sql as $$ select 1 $$');
        await client.query('alter table middle_77 alter v set default 7');
      });
      const opened: Database = suite.open({ database });
      const write = writingClient(() => opened);
      const wrong: string[] = [];
      const ends = async (sql: string, end: RegExp) => {
        const came = await write(sql);
        if (!end.test(came)) wrong.push(`${sql}: ${came}`);
      };
      await ends('alter table large add column told int', /^done$/);
      await ends("alter table middle add column state text not null default 'new', add told timestamptz", /^done$/);
      await ends('create index on middle (v)', /^done$/);
      await ends('alter table middle alter state type varchar', /^done$/);
      await ends('alter table middle add column computed int', /^denied: .*public\.middle_1499 takes over what public/);
      await ends("alter table middle add column bomb text default current_setting('port')", /^denied: .*may fail/);
      await ends('alter table middle add check (v < 100)', /^denied: The constraint .* public\.middle/);
      await ends('alter table middle alter v set default 1', /^denied: .*public\.middle_77 where they leave/);
      await ends('create unique index on middle (id)', /^denied: A unique index restricts/);
      await withClient(client => client.query('create publication parts for table middle_99'));
      await ends('alter table middle add column late int', /^denied: public\.middle_99 is published by parts/);
      expect(wrong).toEqual([]);
      await opened.close();
    },
    patience,
  );
});

needs(mariadbUnavailable()).describe('a tree of partitions on MySQL and MariaDB is one table', () => {
  const database = 'trees';
  let server: MariadbServer;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.ask(`create database ${database}`);
    await server.ask(
      `create table large (id int primary key, v int) partition by hash (id) partitions ${partitions}`,
      database,
    );
    await server.ask('insert into large (id, v) values (1, 1), (2, 2), (3, 3)', database);
  }, patience);
  afterAll(async () => {
    await server.ask(`drop database ${database}`);
    await server.stop();
  }, patience);

  test(
    'it is read, written, counted and asked about',
    async () => {
      const opened = openMysql(endpointOf(server, { database, user: 'root' }), portsOf(server));
      const write = writingClient(() => opened);
      expect(await write('select count(*) from large where id = 1')).toBe('done');
      expect(await write('insert into large (id, v) values (31, 1), (41, 2)')).toBe('done');
      expect(await write('update large set v = 2 where id = 1')).toBe('done');
      const run = await askAndRun(opened, 'drop table large', no);
      expect(run.questions.map(question => question.lines)).toEqual([
        [expect.stringMatching(/^drops trees\.large \(~?[\d,]+ rows\)$/)],
      ]);
      await opened.close();
    },
    patience,
  );
});
