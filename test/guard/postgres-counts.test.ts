/**
 * Counting each table's rows with `query_to_xml` and `format` is a read if no user code runs behind
 * a table or view.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import type { ClassifyPostgres } from '../../daemon/guard/postgres/classify-postgres.ts';
import { needs } from '../needs.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { classifiedOnCatalog } from './on-catalog.ts';

const binaries = findPostgres();
const { describe: suite } = needs('unavailable' in binaries ? binaries.unavailable : null);

const counts = `select table_name, (xpath('/row/c/text()',
    query_to_xml(format('select count(*) as c from %I.%I', table_schema, table_name), false, true, '')))[1]::text::int
  from information_schema.tables where table_schema = 'public' order by 1`;

suite('a count of every table', () => {
  let server: PostgresServer;
  let classify: ClassifyPostgres;

  beforeAll(async () => {
    if ('unavailable' in binaries) return;
    [server, classify] = await Promise.all([lendPostgres(), lazyClassifiers().postgres()]);
    await server.psql(`create table t (id int primary key, name text check (name <> ''));
      insert into t values (1, 'a'), (2, 'b');
      create index on t (lower(name));
      create view v as select id, upper(name) as name from t where id > 1;
      create function acts() returns bool language plpgsql as 'begin insert into t values (3, null); return true; end';`);
  }, 120_000);
  afterAll(() => server?.stop());

  test('reads, and says how many', async () => {
    expect((await classifiedOnCatalog(classify, server, counts)).class).toBe('read');
    expect(await server.psql(counts)).toBe('t|2\nv|1');
  });

  test.each([
    ['a view that acts', 'create view x as select acts() as a', 'drop view x', /^write Behind public\.acts: /],
    [
      'one that kills',
      'create view x as select pg_terminate_backend(0) as a',
      'drop view x',
      /^forbidden Behind public\.x: /,
    ],
    [
      'a policy that acts',
      'create table x (id int); alter table x enable row level security; create policy p on x using (acts())',
      'drop table x',
      /^write Behind public\.acts: /,
    ],
    [
      'another format',
      `create function format(text, name, name) returns text language sql as 'select ''select * from pg_authid'''`,
      'drop function format(text, name, name)',
      /^forbidden A user's function takes the place of format/,
    ],
  ])('%s makes it no read', async (_, make, unmake, expected) => {
    await server.psql(make);
    const { class: found, reason } = await classifiedOnCatalog(classify, server, counts);
    expect(`${found} ${reason}`).toMatch(expected);
    await server.psql(unmake);
    expect((await classifiedOnCatalog(classify, server, counts)).class).toBe('read');
  });
});
