/**
 * Values from PostgreSQL's statistics, unasked: none that the role may not read, none of rows that
 * a policy hides, none of the password catalogs, and no bounds of a histogram.
 */

import { beforeAll, expect, test } from '@jest/globals';
import { describeWithThreeEngines } from '../journeys/databases/three-engines.ts';

const tables = `
create table pay (id int primary key, state text, band text, iban text); create table note (id int primary key, kind text);
insert into pay select i, case when i % 2 = 0 then 'due' else 'done' end, 'band-secret-' || i % 3, 'iban-secret-' || i % 2 from generate_series(1, 300) i;
insert into note select i, 'kind-secret-' || i % 3 from generate_series(1, 300) i;
create view pay_view as select id, state from pay where id < 10;
alter table note enable row level security; create policy none on note to limited using (id < 0);
create table unique_codes (code text primary key); insert into unique_codes select 'code-secret-' || i from generate_series(1, 300) i;
grant select (id, state) on pay to limited; grant select on note, pay_view, unique_codes to limited; analyze;`;

describeWithThreeEngines('statistics tell nothing that a role may not read', three => {
  let token: string;
  beforeAll(async () => {
    await three.postgres.psql("create role limited login password 'limited-only'", 'shop');
    await three.postgres.psql(tables, 'shop');
    const url = `postgresql://limited@127.0.0.1:${three.postgres.port}/shop`;
    const added = await three.here(
      ['connections', 'add', url, '--name', 'Limited', '--password-stdin'],
      'limited-only',
    );
    expect(added.code).toBe(0);
    token = (await three.mint('--scope', 'read-only')).token;
  }, 60_000);

  const said = async (connection: string, tool: string, args: object): Promise<string> =>
    JSON.stringify((await three.call(token, tool, { connection, ...args })).json);

  test.each(['pay', 'note', 'unique_codes', 'pay_view'])('%s described with values', async table => {
    const text = await said('Limited', 'describe_table', { table, include_values: true });
    expect(text).not.toContain('-secret-');
    expect(text).not.toContain('values_missing');
    if (table === 'pay') expect(text).toContain('"state":["done","due"]');
  });

  test.each([
    "select id from pay where state = 'x' and id in (1, 2)",
    "select id from pay where band = 'x'",
    "select * from note where kind = 'x'",
    "select * from unique_codes where code = 'x'",
    "select * from pay_view where state = 'x' /* band = 'x', iban = 'x', kind = 'x' */",
    "select id from pay where state = 'x' and 'band' = 'x' -- kind = 'x'",
  ])('an empty answer, or none: %s', async sql => {
    expect(await said('Limited', 'execute_query', { sql })).not.toContain('-secret-');
  });

  test('a superuser is shown no secret-looking column either, and no catalog of passwords', async () => {
    expect(await said('Pg', 'describe_table', { table: 'pay', include_values: true })).not.toContain('iban-secret');
    expect(await said('Pg', 'execute_query', { sql: "select 1 from pay where iban = 'x'" })).not.toContain(
      'iban-secret',
    );
    const catalog = await said('Pg', 'describe_table', { table: 'pg_catalog.pg_authid', include_values: true });
    expect(catalog).not.toMatch(/SCRAM-SHA-256\$|"values":\{"rol/);
  });
});
