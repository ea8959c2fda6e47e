/**
 * A schema of 300 tables as companies have them: five habits of naming side by side, few comments,
 * and beside each table those of its family. Words that people would type, with the table that each
 * means: written down before a search was run on them.
 */

/** `schema.table: columns -- comment` */
const meant = `
fin.inv_hdr: id int primary key, cust_id int references crm.cust, inv_dt date, tot numeric(12,2), st varchar(10)
fin.inv_ln: id int primary key, inv_id int references fin.inv_hdr, art_id int, qty int, net numeric(12,2)
fin.fx_rate: ccy char(3) primary key, rate numeric(12,6), as_of date -- Exchange rates against EUR
fin.bdgt: id int primary key, dept_id int references hr.dept, yr int, amt numeric(12,2)
fin.ust_satz: cd char(2) primary key, satz numeric(4,2) -- VAT rates by tax code
fin.acct_bal: acct_no int primary key, bal numeric(14,2), upd_at timestamp
crm.cust: id int primary key, nm varchar(80), ctry char(2), seg varchar(12), crt_dt date
crm.cntct: id int primary key, cust_id int references crm.cust, email varchar(80), phone varchar(30)
crm.ctrct: id int primary key, cust_id int references crm.cust, beg date, "end" date
crm.opp: id int primary key, cust_id int references crm.cust, stage varchar(12), val numeric(12,2)
hr.dept: id int primary key, nm varchar(40)
hr.emp: id int primary key, nm varchar(80), dept_id int references hr.dept, boss_id int references hr.emp, birth_dt date
hr.emp_sal: emp_id int references hr.emp, frm date, sal numeric(10,2), primary key (emp_id, frm)
hr.absence: id int primary key, emp_id int references hr.emp, frm date, til date, kind varchar(12) -- Leave: holidays and sickness
hr.timesheet: id int primary key, emp_id int references hr.emp, proj_id int, wk date, hrs numeric(5,2)
pm.proj: id int primary key, nm varchar(60), lead_id int references hr.emp, st varchar(10)
fleet.veh: id int primary key, plate varchar(12), make varchar(20), emp_id int references hr.emp, km int
fleet.veh_insp: id int primary key, veh_id int references fleet.veh, dt date, ok boolean
prod.mchn: id int primary key, nm varchar(40), hall varchar(4)
prod.qc_res: id int primary key, mach_id int references prod.mchn, check_dt date, passed boolean
public.tbl_supplier: id int primary key, name varchar(80), city varchar(40)
public.tbl_purchase_order: id int primary key, supplier_id int references tbl_supplier, ordered_on date, total numeric(12,2)
public.tbl_warehouse_bin: id int primary key, bin_code varchar(10), warehouse_name varchar(40)
shop."priceList": id int primary key, "articleNo" int, price numeric(10,2), "validFrom" date
shop."paymentMethod": id int primary key, label varchar(40)
shop."orderReturn": id int primary key, "orderId" int, reason varchar(40), "refundAmount" numeric(10,2)
shop.promo_disc: id int primary key, code varchar(12), pct int
lager.bestand: artikel_nr int, lagerort varchar(10), menge int, primary key (artikel_nr, lagerort) -- Stock on hand by location
lager.lieferung: id int primary key, kunde_nr int, versand_am date, status varchar(12)
einkauf.lieferant: nr int primary key, name varchar(80), ort varchar(40)
verkauf.kunde: nr int primary key, name varchar(80), ort varchar(40)
verkauf.rechnung: nr int primary key, kunde_nr int references verkauf.kunde, betrag numeric(12,2), bezahlt boolean
personal.mitarbeiter: nr int primary key, name varchar(80), abteilung varchar(40)
sup.tkt: id int primary key, cust_id int references crm.cust, opened timestamp, closed timestamp, prio int -- Support tickets
sys.auth_log: id int primary key, usr varchar(40), at timestamp, ok boolean
mkt.nl_sub: email varchar(80) primary key, since date
mkt.cmpgn: id int primary key, title varchar(60), starts date -- Marketing campaigns
log.shp: id int primary key, inv_id int references fin.inv_hdr, carrier varchar(12), sent date, arrived date
`;

const rows = `
insert into crm.cust values (1,'Aster','DE','gold','2025-01-02'),(2,'Birch','FR','new','2025-02-03'),(3,'Cedar','DE','new','2026-03-04');
insert into hr.dept values (1,'Sales'),(2,'Plant');
insert into hr.emp values (1,'Ada',1,null,'1980-05-06'),(2,'Bob',1,1,'1990-07-08'),(3,'Cy',2,1,'1985-01-09');
insert into hr.emp_sal values (1,'2026-01-01',90000),(2,'2026-01-01',60000),(3,'2026-01-01',50000);
insert into hr.absence values (1,2,'2026-07-01','2026-07-14','holiday'),(2,3,'2026-02-01','2026-02-03','sick');
insert into fin.inv_hdr values (1,1,'2026-07-02',100.50,'paid'),(2,2,'2026-08-12',900,'paid'),(3,3,'2026-09-30',50,'open'),(4,1,'2026-10-01',70,'open');
insert into fin.inv_ln values (1,1,7,2,100.50),(2,2,8,1,900);
insert into fin.bdgt values (1,1,2026,5000),(2,2,2026,7000);
insert into fleet.veh values (1,'B-AB 12','VW',2,42000),(2,'B-CD 34','Ford',3,1000);
insert into fleet.veh_insp values (1,1,'2026-01-05',true),(2,2,'2026-01-06',false);
insert into public.tbl_supplier values (1,'Oak','Kiel'),(2,'Pine','Ulm');
insert into public.tbl_purchase_order values (1,1,'2026-05-01',300),(2,1,'2026-06-01',200),(3,2,'2026-06-02',50);
insert into lager.bestand values (7,'A1',5),(8,'A2',0);
insert into verkauf.kunde values (1,'Erle','Bonn'),(2,'Ulme','Jena');
insert into verkauf.rechnung values (1,1,10.00,true),(2,2,20.00,false),(3,2,30.00,false);
insert into sup.tkt values (1,1,'2026-09-01 10:00','2026-09-02 10:00',1),(2,2,'2026-09-03 10:00',null,1),(3,2,'2026-09-04 10:00',null,3);
insert into log.shp values (1,1,'DHL','2026-07-03','2026-07-05'),(2,2,'UPS','2026-08-13','2026-08-20'),(3,3,'DHL','2026-10-01',null);
insert into shop."orderReturn" values (1,5,'broken',9.50),(2,6,'broken',3.00),(3,7,'late',1.00);
insert into prod.mchn values (1,'Press','H1'),(2,'Lathe','H2');
insert into crm.cntct values (1,1,'a@example.com','+49 1'),(2,3,'c@example.com',null);
`;

/** What is typed, and the table that is meant. */
export const plainWords: readonly (readonly [asked: string, table: string])[] = [
  ['invoices', 'fin.inv_hdr'],
  ['customers', 'crm.cust'],
  ['employees', 'hr.emp'],
  ['salaries', 'hr.emp_sal'],
  ['departments', 'hr.dept'],
  ['vehicles', 'fleet.veh'],
  ['vehicle inspections', 'fleet.veh_insp'],
  ['suppliers', 'tbl_supplier'],
  ['purchase orders', 'tbl_purchase_order'],
  ['warehouses', 'tbl_warehouse_bin'],
  ['holidays', 'hr.absence'],
  ['birthdays', 'hr.emp'],
  ['hours worked', 'hr.timesheet'],
  ['projects', 'pm.proj'],
  ['machines', 'prod.mchn'],
  ['quality checks', 'prod.qc_res'],
  ['contracts', 'crm.ctrct'],
  ['phone numbers', 'crm.cntct'],
  ['sales opportunities', 'crm.opp'],
  ['exchange rates', 'fin.fx_rate'],
  ['budgets', 'fin.bdgt'],
  ['tax', 'fin.ust_satz'],
  ['account balance', 'fin.acct_bal'],
  ['price list', 'shop."priceList"'],
  ['payment methods', 'shop."paymentMethod"'],
  ['refunds', 'shop."orderReturn"'],
  ['discounts', 'shop.promo_disc'],
  ['stock', 'lager.bestand'],
  ['Rechnungen', 'verkauf.rechnung'],
  ['Lieferanten', 'einkauf.lieferant'],
  ['tickets', 'sup.tkt'],
  ['failed logins', 'sys.auth_log'],
  ['newsletter subscribers', 'mkt.nl_sub'],
  ['shipments', 'log.shp'],
];

const stems = 'inv cust emp veh mach proj acct contr artikel auftrag order price item user doc job'.split(' ');
const ends = 'hist tmp map stat lnk cfg note attr grp arch imp err'.split(' ');
const columnNames = 'ref_no val flag txt src pos num tag lvl idx'.split(' ');

/** Knuth's generator: the same tables on each machine. */
function chooser(seed: number): <T>(among: readonly T[]) => T {
  let state = seed;
  return among => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return among[Math.floor((state / 2 ** 32) * among.length)] as never;
  };
}

const count = 300;

/** The statements that make it, on PostgreSQL. */
export function plainWordsSchema(): string {
  const made = meant.trim().split('\n').map(tableIn);
  const schemas = [...new Set(made.map(({ schema }) => schema))];
  const choose = chooser(7);
  const habits: readonly ((stem: string, end: string) => string)[] = [
    (stem, end) => `${stem}_${end}`,
    (stem, end) => `tbl_${stem}_${end}`,
    (stem, end) => `"${stem}${end.charAt(0).toUpperCase()}${end.slice(1)}"`,
    (stem, end) => `t_${end}_${stem}`,
  ];
  const others = new Map<string, string>();
  while (others.size < count - made.length) {
    const schema = choose(schemas);
    const name = choose(habits)(choose(stems), choose(ends));
    const columns = [choose(columnNames), 'upd_at'].map(
      column => `${column} ${column === 'upd_at' ? 'timestamp' : 'int'}`,
    );
    others.set(`${schema}.${name}`, `create table ${schema}.${name} (id int primary key, ${columns.join(', ')});`);
  }
  const keys = made.map(({ create }) => create);
  // A table follows those that it refers to.
  const ordered = keys.toSorted((a, b) => depthOf(a) - depthOf(b));
  return [
    ...schemas.filter(schema => schema !== 'public').map(schema => `create schema ${schema};`),
    ...ordered,
    ...others.values(),
    rows,
    'analyze;',
  ].join('\n');

  function depthOf(create: string): number {
    const referred = [...create.matchAll(/references ([\w.]+)/g)].map(([, table = '']) => table);
    const parents = keys.filter(key => key !== create && referred.some(table => nameIn(key).endsWith(table)));
    return parents.length === 0 ? 0 : 1 + Math.max(...parents.map(depthOf));
  }
}

function nameIn(create: string): string {
  return /create table (\S+)/.exec(create)?.[1] ?? '';
}

function tableIn(line: string): { readonly schema: string; readonly create: string } {
  const [, schema = '', name = '', columns = '', comment] = /^(\w+)\.("?\w+"?): (.*?)(?: -- (.*))?$/.exec(line) ?? [];
  const about = comment === undefined ? '' : ` comment on table ${schema}.${name} is '${comment}';`;
  return { schema, create: `create table ${schema}.${name} (${columns});${about}` };
}
