/**
 * A person's questions about schemas that the model has never seen, each by the best path: at most
 * four calls, answers of at most 2,500 tokens in all, and in the last statement only names from
 * earlier answers.
 */

import { beforeAll, expect, test } from '@jest/globals';
import { encode } from 'gpt-tokenizer';
import { connectionNames, describeWithThreeEngines, type EngineName } from './three-engines.ts';
import { businessRows, businessTables, createStatements, decoy } from './unknown-schemas.ts';

interface Task {
  readonly engine: EngineName;
  readonly asks: string;
  readonly calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  /** Rows of the last call. */
  readonly rows: readonly (readonly unknown[])[];
}

const schemas = ['sales', 'billing', 'crm', 'logistics', 'hr', 'support', 'finance', 'ops', 'reporting'] as const;
const homeOf: Readonly<Record<string, (typeof schemas)[number]>> = {
  ...{ cust_mst: 'crm', inv_hdr: 'billing', inv_ln: 'billing', prod_mst: 'sales', shp_ord: 'logistics' },
  ...{ emp_mst: 'hr', tkt: 'support' },
};

function postgresSchema(): string {
  const decoys = Array.from({ length: 193 }, (_, number) => decoy(number));
  return [
    ...schemas.map(schema => `create schema ${schema};`),
    ...businessTables.map(table => createStatements('postgres', [table], homeOf[table.name])),
    ...decoys.map((table, number) => createStatements('postgres', [table], schemas[number % schemas.length])),
    businessRows.replace(/insert into (\w+)/g, (_, table: string) => `insert into ${homeOf[table]}.${table}`),
    'alter table billing.inv_ln add foreign key (hdr_id) references billing.inv_hdr;',
    'analyze;',
  ].join('\n');
}

const bare = (dialect: 'mysql' | 'sqlite', decoys: number): string =>
  [
    createStatements(dialect, businessTables),
    createStatements(
      dialect,
      Array.from({ length: decoys }, (_, number) => decoy(number)),
    ),
    businessRows,
  ].join('\n');

const freelancers = `
  create table frl_mst (id int primary key, nm text);
  comment on table frl_mst is 'Freelancers, one row each';
  create table frl_pay (id int primary key, frl_id int, amt_eur numeric(12,2));
  comment on table frl_pay is 'Sums paid to freelancers; frl_id is frl_mst.id';
  insert into frl_mst values (1, 'Ida'), (2, 'Jon');
  insert into frl_pay values (1, 1, 100), (2, 1, 200.5), (3, 2, 20);
`;

const tasks: readonly Task[] = [
  {
    engine: 'postgres',
    asks: 'the top five customers by revenue in the third quarter of 2026',
    calls: [
      ['list_tables', { search: 'customer revenue' }],
      ['describe_table', { tables: ['crm.cust_mst', 'billing.inv_hdr'] }],
      [
        'execute_query',
        {
          sql: `select c.nm, sum(i.tot_amt) as revenue from billing.inv_hdr i join crm.cust_mst c on c.id = i.cust_id
            where i.st = 'P' and i.inv_dt >= date '2026-07-01' and i.inv_dt < date '2026-10-01'
            group by c.nm order by revenue desc limit 5`,
        },
      ],
    ],
    rows: [
      ...[
        ['Birch', '900.00'],
        ['Aster', '100.50'],
        ['Dogwood', '70.00'],
        ['Elm', '60.00'],
        ['Fir', '10.00'],
      ],
    ],
  },
  {
    engine: 'postgres',
    asks: 'how many parcels took longer than five days, by carrier',
    calls: [
      ['list_tables', { search: 'parcels delivered' }],
      ['describe_table', { table: 'logistics.shp_ord' }],
      [
        'execute_query',
        { sql: 'select car_cd, count(*) from logistics.shp_ord where dlv_dt - shp_dt > 5 group by car_cd' },
      ],
    ],
    rows: [['UPS', '1']],
  },
  {
    engine: 'postgres',
    asks: 'the highest salary of each department',
    calls: [
      ['list_tables', { search: 'salary department' }],
      ['describe_table', { table: 'hr.emp_mst' }],
      ['execute_query', { sql: 'select dept_cd, max(sal) from hr.emp_mst group by dept_cd order by dept_cd' }],
    ],
    rows: [
      ['ENG', '90000.00'],
      ['OPS', '50000.00'],
    ],
  },
  {
    engine: 'postgres',
    asks: 'which customers have urgent support tickets that are still open',
    calls: [
      ['list_tables', { search: 'customer ticket' }],
      ['describe_table', { tables: ['support.tkt', 'crm.cust_mst'] }],
      [
        'execute_query',
        {
          sql: `select c.nm, t.opn_ts from support.tkt t join crm.cust_mst c on c.id = t.cust_id
            where t.prio = 1 and t.cls_ts is null`,
        },
      ],
    ],
    rows: [['Birch', '2026-09-03 10:00:00']],
  },
  {
    engine: 'postgres',
    asks: 'how many invoices there are, by somebody who guesses at a table and misses its schema',
    calls: [
      ['execute_query', { sql: 'select count(*) from inv_hdr' }],
      ['execute_query', { sql: 'select count(*) from billing.inv_hdr' }],
    ],
    rows: [['8']],
  },
  {
    engine: 'postgres',
    asks: 'what was paid to freelancers, which another database of the server holds, without foreign keys',
    calls: [
      ['list_tables', { search: 'freelancers' }],
      ['list_tables', { search: 'freelancers', database: 'people' }],
      ['describe_table', { tables: ['frl_pay', 'frl_mst'], database: 'people' }],
      [
        'execute_query',
        {
          sql: 'select m.nm, sum(p.amt_eur) from frl_pay p join frl_mst m on m.id = p.frl_id group by m.nm order by m.nm',
          database: 'people',
        },
      ],
    ],
    rows: [
      ['Ida', '300.50'],
      ['Jon', '20.00'],
    ],
  },
  {
    engine: 'mysql',
    asks: 'paid revenue by country',
    calls: [
      ['list_tables', { search: 'customer country revenue' }],
      ['describe_table', { tables: ['cust_mst', 'inv_hdr'] }],
      [
        'execute_query',
        {
          sql: `select c.ctry, sum(i.tot_amt) from inv_hdr i join cust_mst c on c.id = i.cust_id
            where i.st = 'P' group by c.ctry order by c.ctry`,
        },
      ],
    ],
    rows: [
      ['DE', '5110.50'],
      ['FR', '960.00'],
      ['US', '70.00'],
    ],
  },
  {
    engine: 'mysql',
    asks: 'products that were never sold',
    calls: [
      ['list_tables', { search: 'products invoice lines' }],
      ['describe_table', { tables: ['shop.prod_mst', 'shop.inv_ln'] }],
      [
        'execute_query',
        { sql: 'select nm from prod_mst p where not exists (select 1 from inv_ln l where l.prod_id = p.id)' },
      ],
    ],
    rows: [['Stool']],
  },
  {
    engine: 'mysql',
    asks: 'what was invoiced before 2020, which is in another database of the server',
    calls: [
      ['list_tables', { search: 'invoices before 2020' }],
      ['describe_table', { table: 'archive.inv_old' }],
      ['execute_query', { sql: 'select sum(amt_eur) from archive.inv_old' }],
    ],
    rows: [['42.50']],
  },
  {
    engine: 'sqlite',
    asks: 'who has not paid, where comments stand in the definitions alone',
    calls: [
      ['list_tables', { search: 'customers invoices' }],
      ['describe_table', { tables: ['cust_mst', 'inv_hdr'] }],
      [
        'execute_query',
        { sql: "select c.nm, i.tot_amt from inv_hdr i join cust_mst c on c.id = i.cust_id where i.st = 'O'" },
      ],
    ],
    rows: [['Cedar', 50]],
  },
  {
    engine: 'sqlite',
    asks: 'who leads whom, by a table whose name is misspelt at first',
    calls: [
      ['list_tables', { search: 'employes manager' }],
      ['describe_table', { table: 'emp_mts' }],
      ['describe_table', { table: 'emp_mst' }],
      [
        'execute_query',
        { sql: 'select e.nm, m.nm as boss from emp_mst e join emp_mst m on m.id = e.mgr_id order by e.id' },
      ],
    ],
    rows: [
      ['Bob', 'Ada'],
      ['Cy', 'Ada'],
    ],
  },
];

/** Words of SQL, which no catalog has, and words of the tasks. */
const ownWords = new Set(
  `select sum max count from join on where and not exists is null group by order desc limit as date revenue boss archive`.split(
    ' ',
  ),
);

/** Names in a statement, except aliases of one letter. */
const namesIn = (sql: string): readonly string[] =>
  [...sql.replace(/'[^']*'/g, '').matchAll(/[a-z_]{2,}/g)].map(([name]) => name).filter(name => !ownWords.has(name));

describeWithThreeEngines('whole tasks on unknown schemas', three => {
  let token: string;
  beforeAll(async () => {
    await three.postgres.psql(postgresSchema(), 'shop');
    await three.postgres.psql('create database people');
    await three.postgres.psql(freelancers, 'people');
    await three.here(['connections', 'set', 'Pg', '--databases', 'all']);
    await three.mariadb.client(bare('mysql', 293), { database: 'shop' });
    await three.mariadb.client(`create database archive; create table archive.inv_old (id int, amt_eur decimal(10,2))
      comment 'Invoices from before 2020'; insert into archive.inv_old values (1, 42.5)`);
    three.executeOnFile(bare('sqlite', 93));
    await three.here(['connections', 'set', 'Maria', '--databases', 'all']);
    token = (await three.mint()).token;
  }, 120_000);

  test.each(tasks)('$engine: $asks', async ({ engine, calls, rows }) => {
    expect(calls.length).toBeLessThanOrEqual(4);
    const told: string[] = [];
    let tokens = 0;
    for (const [index, [tool, args]] of calls.entries()) {
      const { json } = await three.call(token, tool, { connection: connectionNames[engine], ...args });
      const text = json.result?.content?.[0]?.text ?? '';
      const structure = json.result?.structuredContent;
      tokens += Math.max(encode(text).length, encode(JSON.stringify(structure ?? '')).length);
      if (index === calls.length - 1) {
        expect(structure?.rows).toEqual(rows);
        for (const name of [...namesIn(String(args.sql)), String(args.database ?? '')])
          expect(told.join('\n')).toContain(name);
      }
      told.push(text);
    }
    expect(tokens).toBeGreaterThan(30);
    expect(tokens).toBeLessThanOrEqual(2_500);
  });
});
