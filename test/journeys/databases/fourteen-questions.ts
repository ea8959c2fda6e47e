/**
 * Fourteen questions about 300 tables that a model has never seen, each with the calls that lead to
 * its answer. A model could take each path: a name in a statement comes from an earlier answer.
 */

import { businessRows, businessTables, createStatements, decoy } from './unknown-schemas.ts';

const homeOf: Readonly<Record<string, string>> = {
  cust_mst: 'crm',
  inv_hdr: 'billing',
  inv_ln: 'billing',
  prod_mst: 'sales',
  shp_ord: 'logistics',
  emp_mst: 'hr',
  tkt: 'support',
};
export const schemas = ['sales', 'billing', 'crm', 'logistics', 'hr', 'support', 'finance', 'ops', 'reporting'];

const flags = Array.from({ length: 24 }, (_, at) => `opt_${at} int default ${at % 3}`);
const months = Array.from({ length: 36 }, (_, at) => new Date(Date.UTC(2024, at, 1)).toISOString().slice(0, 10));
const monthly = months.map((from, at) => {
  const to = months[at + 1] ?? '2027-01-01';
  return `create table ops.msr_${from.slice(0, 7).replace('-', '_')} partition of ops.msr for values from ('${from}') to ('${to}');`;
});

/** PostgreSQL's: seven, four more, 36 partitions and 253 decoys. */
export const shop = [
  ...schemas.map(schema => `create schema ${schema};`),
  ...businessTables.map(table => createStatements('postgres', [table], homeOf[table.name])),
  businessRows.replace(/insert into (\w+)/g, (_, table: string) => `insert into ${homeOf[table]}.${table}`),
  'alter table billing.inv_ln add foreign key (hdr_id) references billing.inv_hdr;',
  `create table crm.prf (cust_id int primary key, ctry char(2), news int, seg varchar(20), ${flags.join(', ')}, note text);`,
  `comment on table crm.prf is 'Profiles of customers: newsletter, segment, options';`,
  `insert into crm.prf (cust_id, ctry, news, seg, note) select n, case when n < 6 then 'DE' else 'FR' end, 1, 'gold',
     repeat('spoke to them; ', 8) from generate_series(1, 9) n;`,
  `create table ops.evt (id int primary key, at timestamp, doc jsonb); comment on table ops.evt is 'Events that partners send, as JSON';`,
  `insert into ops.evt select n, timestamp '2026-09-01' + n * interval '1 h', jsonb_build_object('kind', 'order', 'total', n,
     'lines', (select jsonb_agg(jsonb_build_object('sku', 'A-' || i, 'qty', i, 'price', i * 1.5)) from generate_series(1, 40) i))
     from generate_series(1, 50) n;`,
  `create table ops.msr (at date not null, sensor int not null, val numeric(8,2)) partition by range (at);`,
  `comment on table ops.msr is 'Measurements of sensors';`,
  ...monthly,
  `insert into ops.msr select date '2025-03-01' + n, n % 3, n from generate_series(0, 29) n;`,
  'create materialized view reporting.rev_by_ctry as select ctry, count(*) as n from crm.cust_mst group by ctry;',
  'create table billing.bulk (id int primary key, a text, b numeric(12,2), c timestamp);',
  `insert into billing.bulk select n, 'line ' || n, n * 1.25, timestamp '2026-01-01' + n * interval '1 min' from generate_series(1, 2000) n;`,
  ...Array.from({ length: 253 }, (_, number) =>
    createStatements('postgres', [decoy(number)], schemas[number % schemas.length]),
  ),
  'analyze;',
].join('\n');

export type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];
export interface Question {
  readonly asks: string;
  readonly calls: readonly Call[];
  /** Rows of the last call, if it reads. */
  readonly rows?: readonly (readonly unknown[])[];
}

const found = (search: string, tables: readonly string[], sql: string, more = {}): readonly Call[] => [
  ['list_tables', { search }],
  ['describe_table', { tables, ...more }],
  ['execute_query', { sql }],
];

export const questions: readonly Question[] = [
  { asks: 'which databases there are', calls: [['list_connections', {}]] },
  {
    asks: 'how many customers are in Germany',
    calls: found('customers', ['crm.cust_mst'], `select count(*) from crm.cust_mst where ctry = 'DE'`),
    rows: [['3']],
  },
  {
    asks: 'the two customers who paid most in the third quarter of 2026',
    calls: found(
      'customer invoice',
      ['crm.cust_mst', 'billing.inv_hdr'],
      `select c.nm, sum(i.tot_amt) from billing.inv_hdr i join crm.cust_mst c on c.id = i.cust_id where i.st = 'P'
         and i.inv_dt >= '2026-07-01' and i.inv_dt < '2026-10-01' group by c.nm order by sum(i.tot_amt) desc limit 2`,
    ),
    rows: [
      ['Birch', '900.00'],
      ['Aster', '100.50'],
    ],
  },
  {
    asks: 'how many parcels took longer than five days, by carrier',
    calls: found(
      'parcels',
      ['logistics.shp_ord'],
      'select car_cd, count(*) from logistics.shp_ord where dlv_dt - shp_dt > 5 group by car_cd',
    ),
    rows: [['UPS', '1']],
  },
  {
    asks: 'the highest salary of each department',
    calls: found(
      'salary',
      ['hr.emp_mst'],
      'select dept_cd, max(sal) from hr.emp_mst group by dept_cd order by dept_cd',
    ),
    rows: [
      ['ENG', '90000.00'],
      ['OPS', '50000.00'],
    ],
  },
  {
    asks: 'how many urgent tickets are open',
    calls: found('tickets', ['support.tkt'], 'select count(*) from support.tkt where prio = 1 and cls_ts is null'),
    rows: [['1']],
  },
  {
    asks: 'the total of the last event of a partner',
    calls: found('events partner', ['ops.evt'], `select doc ->> 'total' as sum from ops.evt order by at desc limit 1`, {
      include_sample: true,
    }),
    rows: [['50']],
  },
  {
    asks: 'how many measurements March 2025 has',
    calls: found('sensors', ['ops.msr'], `select count(*) from ops.msr where at >= '2025-03-01' and at < '2025-04-01'`),
    rows: [['30']],
  },
  {
    asks: 'the invoices as a file',
    calls: [
      ['list_tables', { search: 'invoices' }],
      ['export_data', { table: 'billing.bulk', format: 'csv' }],
    ],
  },
  {
    asks: 'what ending the newsletter of all German customers would change',
    calls: [
      ['list_tables', { search: 'newsletter' }],
      ['describe_table', { tables: ['crm.prf'] }],
      ['preview_write', { sql: `update crm.prf set news = 0 where ctry = 'DE'` }],
    ],
  },
  { asks: 'which materialized views there are', calls: [['list_tables', { kind: 'materialized_view' }]] },
  {
    asks: 'who leads whom',
    calls: found(
      'hr manager',
      ['hr.emp_mst'],
      'select e.nm, m.nm as manager from hr.emp_mst e join hr.emp_mst m on m.id = e.mgr_id order by e.id',
    ),
    rows: [
      ['Bob', 'Ada'],
      ['Cy', 'Ada'],
    ],
  },
  {
    asks: 'which products are no longer sold',
    calls: found('sales products', ['sales.prod_mst'], 'select nm from sales.prod_mst where act = 0'),
    rows: [['Stool']],
  },
  { asks: 'what was asked of tickets before', calls: [['search_query_history', { query: 'tkt', limit: 3 }]] },
];
