/**
 * Schemas that nobody has seen before, as models meet them: many tables, short names, comments that
 * explain them, and decoys.
 */

interface TableOf {
  readonly name: string;
  /** `name type [modifiers] -- comment` */
  readonly columns: readonly string[];
  readonly comment: string;
}

type Dialect = 'postgres' | 'mysql' | 'sqlite';

/** The tables of the tasks, with names as found in practice: abbreviated, numbered, or plain. */
const business: readonly TableOf[] = [
  {
    name: 'cust_mst',
    comment: 'Customers: companies and people who buy',
    columns: [
      'id int primary key',
      'nm varchar(80) not null -- display name',
      'ctry char(2) -- ISO country',
      'crt_dt date',
    ],
  },
  {
    name: 'inv_hdr',
    comment: 'Invoice headers, one for each invoice sent',
    columns: [
      ...[
        'id int primary key',
        'cust_id int not null -- customer, cust_mst.id',
        'inv_dt date not null -- invoice date',
      ],
      ...[
        'tot_amt numeric(12,2) not null -- total with tax, in EUR',
        'st char(1) not null -- state: P paid, O open, X cancelled',
      ],
    ],
  },
  {
    name: 'inv_ln',
    comment: 'Invoice lines',
    columns: [
      'id int primary key',
      'hdr_id int not null -- invoice, inv_hdr.id',
      'prod_id int',
      'qty int',
      'amt numeric(12,2)',
    ],
  },
  {
    name: 'prod_mst',
    comment: 'Products we sell',
    columns: [
      'id int primary key',
      'nm varchar(80) -- display name',
      'cat_cd varchar(8) -- category code',
      'act int -- 1 while sold',
    ],
  },
  {
    name: 'shp_ord',
    comment: 'Shipments: parcels handed to a carrier',
    columns: [
      'id int primary key',
      'hdr_id int -- invoice, inv_hdr.id',
      'car_cd varchar(8) -- carrier',
      'shp_dt date',
      'dlv_dt date -- delivered',
    ],
  },
  {
    name: 'emp_mst',
    comment: 'Employees',
    columns: [
      'id int primary key',
      'nm varchar(80)',
      'mgr_id int -- manager, emp_mst.id',
      'dept_cd varchar(8) -- department',
      'sal numeric(10,2) -- yearly salary in EUR',
    ],
  },
  {
    name: 'tkt',
    comment: 'Support tickets opened by customers',
    columns: [
      'id int primary key',
      'cust_id int',
      'opn_ts timestamp -- opened',
      'cls_ts timestamp null -- closed, null while open',
      'prio int -- 1 is urgent',
    ],
  },
];

export const businessRows = `
insert into cust_mst (id, nm, ctry) values (1,'Aster','DE'),(2,'Birch','FR'),(3,'Cedar','DE'),(4,'Dogwood','US'),(5,'Elm','FR'),(6,'Fir','DE');
insert into inv_hdr (id, cust_id, inv_dt, tot_amt, st) values (1,1,'2026-07-02',100.50,'P'),(2,2,'2026-08-12',900,'P'),(3,3,'2026-09-30',50,'O'),
  (4,4,'2026-09-01',70,'P'),(5,5,'2026-07-15',60,'P'),(6,6,'2026-07-20',10,'P'),(7,1,'2026-10-01',5000,'P'),(8,2,'2026-08-13',400,'X');
insert into inv_ln (id, hdr_id, prod_id, qty, amt) values (1,1,1,2,60),(2,1,2,1,40.50),(3,2,1,9,900);
insert into prod_mst (id, nm, cat_cd, act) values (1,'Lamp','LGT',1),(2,'Chair','FRN',1),(3,'Stool','FRN',0);
insert into shp_ord (id, hdr_id, car_cd, shp_dt, dlv_dt) values (1,1,'DHL','2026-07-03','2026-07-05'),(2,2,'UPS','2026-08-13','2026-08-20'),(3,3,'DHL','2026-10-01',null);
insert into emp_mst (id, nm, mgr_id, dept_cd, sal) values (1,'Ada',null,'ENG',90000),(2,'Bob',1,'ENG',60000),(3,'Cy',1,'OPS',50000);
insert into tkt (id, cust_id, opn_ts, cls_ts, prio) values (1,1,'2026-09-01 10:00:00','2026-09-02 10:00:00',1),(2,2,'2026-09-03 10:00:00',null,1),(3,2,'2026-09-04 10:00:00',null,3);
`;

const topics = [
  'ledger',
  'audit',
  'queue',
  'batch',
  'config',
  'archive',
  'metric',
  'session',
  'stock',
  'supplier',
  'budget',
  'visit',
];
const parts = ['hdr', 'ln', 'log', 'map', 'tmp', 'hist', 'idx', 'lnk', 'stg', 'agg'];

/** Tables outside the tasks, some with names like theirs. */
export function decoy(number: number): TableOf {
  const topic = topics[number % topics.length] ?? '';
  const part = parts[Math.floor(number / topics.length) % parts.length] ?? '';
  return {
    name: `${topic.slice(0, 3)}_${part}_${number}`,
    comment: `Internal ${topic} ${part} number ${number}`,
    columns: [
      'id int primary key',
      `${topic.slice(0, 3)}_ref int -- of the ${topic}`,
      'upd_ts timestamp null',
      'val numeric(12,2)',
    ],
  };
}

export const businessTables = business;

/** @param rename tables may have any name: only the comment says what one is. */
export function createStatements(dialect: Dialect, tables: readonly TableOf[], schema = ''): string {
  const prefix = schema === '' ? '' : `${schema}.`;
  return tables.map(table => createStatement(dialect, table, prefix)).join('\n');
}

function createStatement(dialect: Dialect, { name, columns, comment }: TableOf, prefix: string): string {
  const read = columns.map(column => column.split(' -- ') as [string, string?]);
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  if (dialect === 'mysql') {
    const lines = read.map(
      ([definition, about]) => definition + (about === undefined ? '' : ` comment ${quoted(about)}`),
    );
    return `create table ${prefix}${name} (${lines.join(', ')}) comment ${quoted(comment)};`;
  }
  if (dialect === 'sqlite') {
    const lines = read.map(([definition, about], index) => {
      const comma = index === read.length - 1 ? '' : ',';
      return `  ${definition}${comma}${about === undefined ? '' : ` -- ${about}`}`;
    });
    return `create table ${prefix}${name} ( -- ${comment}\n${lines.join('\n')}\n);`;
  }
  const comments = read.flatMap(([definition, about]) =>
    about === undefined ? [] : [`comment on column ${prefix}${name}.${definition.split(' ')[0]} is ${quoted(about)};`],
  );
  const lines = read.map(([definition]) => definition).join(', ');
  return `create table ${prefix}${name} (${lines}); comment on table ${prefix}${name} is ${quoted(comment)}; ${comments.join(' ')}`;
}
