/**
 * What another role does on the database of `defined-postgres-statements`, in the same way every
 * time: reads and writes whose answers nobody's addition may change. Each column is named by its
 * table: `*`, NATURAL JOIN and bare names in joins are left to docs/walls.md.
 */

import type pg from 'pg';

const columns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['id', 'email', 'pw'],
  orders: ['id', 'status', 'note', 'gross_base', 'created_at', 'meta'],
  outbox: ['id'],
  untouched: ['id', 'v'],
  short_notes: ['short'],
  events: ['id', 'placed'],
  published: ['id'],
  totals: ['orders'],
};

const ofColumns = Object.entries(columns).flatMap(([table, names]) =>
  names.flatMap(name => [
    `select t.${name} from ${table} t order by 1 limit 5`,
    `select count(t.${name}), min(t.${name}::text), max(t.${name}::text) from ${table} t`,
    `select count(*) from ${table} t where t.${name} is null`,
    `select t.${name}::text, count(*) from ${table} t group by t.${name} order by 1 limit 3`,
    `select count(distinct t.${name}::text), count(*) filter (where t.${name} is not null) from ${table} t`,
    `select ${name}::text from ${table} where ${name} is not null order by ${name} desc, 1 limit 2`,
    `select coalesce(t.${name}::text, '-') || '!' from public.${table} t order by 1 limit 2`,
  ]),
);

const ofTexts =
  `lower upper initcap md5 quote_literal quote_ident length char_length octet_length btrim ltrim rtrim reverse ascii slug to_tsvector hashtext`
    .split(' ')
    .flatMap(name => [
      `select ${name}(a.email) from accounts a order by a.id limit 1`,
      `select ${name}(o.status) from orders o order by o.id limit 1`,
    ]);

const single = [
  'select power(2, 3), abs(-1), round(2.5), floor(2.5), ceil(2.5), sqrt(4), mod(5, 3), sign(-2)',
  "select starts_with(a.email, 'Bob'), left(a.email, 3), right(a.email, 3) from accounts a order by a.id limit 1",
  "select substr(a.email, 2), replace(a.email, 'B', 'b'), split_part(a.email, '@', 1) from accounts a where a.id = 2",
  "select strpos(a.email, '@'), lpad(a.pw, 9), repeat(a.pw, 2), translate(a.pw, 'o', 'a') from accounts a where a.id = 2",
  "select position('@' in a.email), overlay(a.pw placing 'x' from 1 for 1) from accounts a where a.id = 3",
  "select concat(a.id, a.pw), concat_ws('-', a.id, a.pw), format('%s', a.pw) from accounts a where a.id = 2",
  "select regexp_replace(a.email, 'B', 'b'), a.email ~ 'Bob', a.email like 'Bob%' from accounts a where a.id = 2",
  "select coalesce(o.note, '-'), nullif(o.status, 'new'), greatest(o.id, 3), least(o.id, 3) from orders o where o.id = 4",
  "select date_trunc('day', o.created_at), extract(year from o.created_at), to_char(o.created_at, 'YYYY') from orders o where o.id = 4",
  "select to_date('2026-01-02', 'YYYY-MM-DD'), to_number('5', '9'), to_timestamp(0)::date, age(date '2026-01-02', date '2026-01-01')",
  "select unnest(array['a', 'b']) order by 1",
  'select generate_series(1, 3) order by 1',
  'select array_agg(a.id order by a.id), array_length(array[1, 2], 1) from accounts a where a.id < 4',
  "select string_agg(a.pw, ',' order by a.id), sum(a.id), avg(a.id), bool_and(a.id > 0) from accounts a where a.id < 4",
  "select json_agg(a.id order by a.id), json_build_object('a', 1), jsonb_build_array(1, 2) from accounts a where a.id < 3",
  "select o.meta -> 'a', o.meta ->> 'a', o.meta @> '{}', jsonb_typeof(o.meta), jsonb_set(o.meta, '{a}', '1') from orders o where o.id = 1",
  "select '5'::int, '2026-01-01'::date, '1'::bigint, 'a'::text, '{}'::jsonb, 'a'::varchar(3), '1.5'::numeric, 't'::boolean",
  "select cast('5' as int4), cast(5 as text), cast('2026-01-01' as timestamp), int4 '7', text 'x', date '2026-01-01'",
  "select 'accounts'::regclass::text, 'orders'::regclass::text, to_regclass('totals')::text, 'positive'::regtype::text",
  "select 5::positive, 'counter'::regclass::text, pg_typeof(a.id)::text from accounts a where a.id = 1",
  'select gross(o), o.gross from orders o where o.id < 3 order by o.id',
  'select count(o) from orders o where o.gross > 0',
  'select a.email, count(o.id) from accounts a join orders o on o.id = a.id group by a.email order by 1 limit 5',
  'select a.id from accounts a left join untouched u on u.id = a.id where u.id is null order by 1 limit 3',
  'select a.id from accounts a where exists (select from orders o where o.id = a.id) order by 1 limit 3',
  'select a.id from accounts a where a.id in (select e.id from events e) order by 1 limit 3',
  'select x.id, row_number() over (order by x.id) from accounts x order by 1 limit 3',
  'with w as (select a.id from accounts a where a.id < 3) select w.id from w order by 1',
  'select a.id from accounts a union select o.id from orders o order by 1 limit 3',
  'select a.email from public.accounts a where a.id = 5',
  'select o.status from public.orders o where o.id = 5',
  "select 'a' < 'B', 'a' collate \"C\" < 'B', upper('straße')",
  "select to_tsvector('simple', 'The Fox')::text, to_tsquery('simple', 'fox')::text, to_tsvector('simple', 'a fox') @@ to_tsquery('simple', 'fox')",
  'select o.status from orders o where o.note is null order by o.id desc limit 2',
  "select a.id from accounts a where a.email = 'Bob7@X.com'",
  "select a.id from accounts a where a.email < 'Bob2' order by a.email limit 3",
  'select o.created_at from orders o where o.created_at < now() order by o.id limit 1',
  'select count(*) from events e where e.placed is not null',
  "select current_setting('search_path'), current_schema",
  'select t.id from public.untouched t order by 1',
  'select lower(t.short), upper(t.short) from short_notes t order by 1',
  'select max(o.id) - min(o.id) from orders o',
  'select count(*) from accounts a cross join outbox x',
  'select e.id from events_1 e order by 1',
  'select o.id from orders o where o.meta is not null order by o.meta, o.id limit 2',
  'select distinct o.status from orders o',
  'select o.id % 5 as bucket, count(*) from orders o group by 1 order by 1',
  "select case when o.id > 3 then 'a' else 'b' end from orders o order by o.id limit 4",
  'select (select count(*) from accounts), (select t.orders from totals t)',
  'select a.ctid is not null, a.tableoid::regclass::text from accounts a where a.id = 1',
];

const writes = [
  "insert into accounts (id, email, pw) values (1001, 'New@X.com', 'x')",
  'insert into accounts (id) select g from generate_series(1002, 1010) g',
  "insert into accounts values (1020, 'a', 'b')",
  "insert into accounts (id, email) values (1, 'a') on conflict (id) do update set email = excluded.email",
  "insert into accounts (id, email) values (2, 'a') on conflict do nothing",
  "update accounts set pw = 'y' where id = 3 returning id, pw",
  'update accounts set email = null where id < 3',
  'update accounts set email = upper(email) where id = 9 returning email',
  'delete from accounts where id = 7 returning id',
  'insert into orders (note) values (null) returning id, status',
  "insert into orders (note) values ('call me') returning id",
  "insert into orders (note) values ('5') returning note",
  'insert into orders (note) select null from generate_series(1, 30)',
  "insert into orders (status, note, meta) values ('new', null, '5') returning id",
  "insert into orders (status, note, meta) values ('paid', 'x', '[1]') returning id",
  'insert into orders default values returning status, note, gross_base',
  "insert into orders (id, note) values (9001, 'far')",
  "insert into orders (id, note) values (2147483647, 'last')",
  "insert into orders (id, note) values (-5, 'below')",
  'insert into orders (gross_base) values (null), (0), (-1), (1000000000)',
  "insert into orders (created_at) values (null), ('infinity'), ('0001-01-01')",
  "update orders set status = 'paid' where id = 4 returning id",
  'update orders set note = null where id < 5',
  "update orders set note = 'same' where id < 20",
  'update orders set meta = \'{"a": 1}\' where id = 6 returning meta',
  "update orders set meta = '5' where id = 7 returning meta",
  'update orders set gross_base = gross_base + 1 where id = 8 returning gross_base',
  'update orders set id = id + 100000 where id = 9 returning id',
  'delete from orders where id = 11',
  'delete from orders where id between 20 and 30',
  'insert into outbox values (2), (3)',
  'insert into outbox (id) values (null), (2), (2)',
  'delete from outbox',
  'insert into untouched (id, v) values (1, 1), (1, 1), (null, null), (2, -5)',
  'update untouched set v = 7',
  "insert into short_notes (short) values ('abc'), (''), (null), ('5'), ('abc')",
  "update short_notes set short = 'x'",
  "insert into events (id, placed) values (1, '2026-01-05'), (1, '2026-01-05'), (-1, '2026-01-31')",
  "insert into events values (2, '2026-01-06')",
  "update events set placed = '2026-01-07' where id = 1",
  'delete from events where id = 1',
  'insert into published (id) values (1), (2)',
  'update published set id = 5 where id = 1',
  'delete from published where id = 2',
  // No rollback gives a number back: which one comes isn't compared.
  "select nextval('counter') > 0",
  "select nextval('orders_id_seq') > 500",
  'truncate outbox',
  'lock table accounts in share mode',
  'select a.id from accounts a where a.id = 12 for update',
  'insert into orders (status) select o.status from orders o where o.id < 4',
];

export const workload: readonly string[] = [...ofColumns, ...ofTexts, ...single, ...writes];

/** @returns what each statement answers; nothing of it stays, but the numbers of sequences. */
export async function answersOf(client: pg.Client): Promise<readonly string[]> {
  const answers: string[] = [];
  await client.query('begin');
  for (const sql of workload) {
    await client.query('savepoint one');
    try {
      const { rows, rowCount } = await client.query({ text: sql, rowMode: 'array' });
      answers.push(JSON.stringify([rowCount, rows]));
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string };
      answers.push(`${code}: ${message}`);
      await client.query('rollback to one');
    }
  }
  await client.query('rollback');
  return answers;
}
