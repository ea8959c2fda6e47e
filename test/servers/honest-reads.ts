/** Forty reads that an honest client sends, for each dialect, and the tables that they are about. */

export type HonestDialect = 'postgres' | 'mysql' | 'sqlite';

export const honestTables: readonly string[] = [
  'create table customers (id integer primary key, name varchar(40) not null, city varchar(40), joined date)',
  'create table orders (id integer primary key, customer_id integer not null references customers (id), total numeric(10, 2), placed date)',
  `insert into customers values (1, 'Ada', 'London', '2024-01-05'), (2, 'Bo', 'Oslo', '2024-03-09'), (3, 'Cy', null, '2025-02-01')`,
  `insert into orders values (10, 1, 12.50, '2025-01-01'), (11, 1, 7.25, '2025-01-03'), (12, 2, 99.00, '2025-02-14'), (13, 3, 1.00, '2025-03-01')`,
  'create index orders_placed on orders (placed)',
  'create view big_orders as select id, customer_id, total from orders where total > 10',
];

const everywhere: readonly string[] = [
  'select 1',
  'select count(*) from customers',
  'select * from customers',
  'select * from orders order by placed desc limit 3',
  'select * from orders order by id limit 2 offset 1',
  "select id, name from customers where city = 'London'",
  'select name from customers where city is null',
  "select name from customers where name like 'A%'",
  'select distinct city from customers',
  'select city, count(*) from customers group by city having count(*) >= 1 order by 2 desc',
  'select c.name, o.total from customers c join orders o on o.customer_id = c.id',
  'select c.name, sum(o.total) as spent from customers c left join orders o on o.customer_id = c.id group by c.name',
  'select * from orders where customer_id in (select id from customers where city is not null)',
  'select name from customers c where exists (select 1 from orders o where o.customer_id = c.id)',
  'select avg(total), min(total), max(total) from orders',
  "select case when total > 50 then 'large' else 'small' end as size, count(*) from orders group by 1",
  'with spent as (select customer_id, sum(total) as total from orders group by customer_id) select * from spent order by total desc',
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 5) select i from n',
  'select id, row_number() over (partition by customer_id order by placed) as turn from orders',
  'select id, total, sum(total) over (order by id) as running from orders',
  'select id, lag(total) over (order by placed) from orders',
  'select name from customers union select city from customers',
  'select id from customers except select customer_id from orders where total > 50',
  "select coalesce(city, 'unknown'), upper(name), length(name) from customers",
  'select round(total, 1), abs(-total) from orders',
  'select nullif(city, name) from customers',
  'select * from big_orders',
  "select * from orders where placed between '2025-01-01' and '2025-01-31'",
  'select cast(total as char(10)) from orders',
  'select a.id, b.id from orders a cross join customers b order by 1, 2 limit 5',
  'select total from orders where total = (select max(total) from orders)',
  '-- the last order\nselect max(placed) from orders',
];

const own: Readonly<Record<HonestDialect, readonly string[]>> = {
  postgres: [
    'explain select * from orders where placed > now()',
    'show server_version',
    "select to_char(placed, 'YYYY-MM') as month, sum(total) from orders group by 1 order by 1",
    'select distinct on (customer_id) customer_id, id from orders order by customer_id, placed desc',
    'select c.name, last.total from customers c cross join lateral (select total from orders o where o.customer_id = c.id order by placed desc limit 1) last',
    "select table_name from information_schema.tables where table_schema = 'public'",
    "select name, array_agg(total) filter (where total > 5), jsonb_build_object('n', count(*)) from customers c join orders o on o.customer_id = c.id group by name",
    "select d::date from generate_series('2025-01-01'::timestamp, '2025-01-07', interval '1 day') as d",
  ],
  mysql: [
    "explain select * from orders where placed > '2025-01-02'",
    'show tables',
    'describe orders',
    'show create table customers',
    "select date_format(placed, '%Y-%m') as month, sum(total) from orders group by month order by month",
    'select customer_id, group_concat(id order by id) from orders group by customer_id',
    'select table_name from information_schema.tables where table_schema = database()',
    "select json_object('name', name), concat(name, ' of ', ifnull(city, '?')) from customers",
  ],
  sqlite: [
    "explain query plan select * from orders where placed > '2025-01-02'",
    'select name from sqlite_schema order by name',
    'pragma table_info(orders)',
    'pragma foreign_key_list(orders)',
    "select strftime('%Y-%m', placed) as month, sum(total) from orders group by month",
    'select customer_id, group_concat(id) from orders group by customer_id',
    "select typeof(total), printf('%.2f', total) from orders",
    "select json_object('name', name), name || ' of ' || ifnull(city, '?') from customers",
  ],
};

export function honestReads(dialect: HonestDialect): readonly string[] {
  return [...everywhere, ...own[dialect]];
}
