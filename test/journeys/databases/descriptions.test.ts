/** `describe_table` as a model meets it, on three engines of one built daemon. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { connectionNames, describeWithThreeEngines, type EngineName, engineNames } from './three-engines.ts';

interface Described {
  readonly tables: readonly Readonly<Record<string, unknown>>[];
  readonly not_found?: readonly string[];
}

const postgresSchema = `
create schema billing; create schema crm;
create table public."user" ("order" int primary key, plain int); insert into public."user" values (1, 1), (2, 2);
create type billing.state as enum ('open', 'paid'); create domain billing.money as numeric(12,2) not null default 0 check (value >= 0);
create type billing.pair as (a int, b text); create sequence billing.tickets increment 2;
create table crm.acct (id serial primary key, name text not null unique, kind varchar(10), region text);
comment on table crm.acct is 'Customers';
create table billing.inv_hdr (
  id bigint generated always as identity (start with 100) primary key, acct_id int not null references crm.acct on delete cascade,
  state billing.state default 'open', total billing.money, twice numeric generated always as (2 * 3) stored, "Note it" text,
  constraint positive check (total >= 0));
comment on table billing.inv_hdr is 'Invoice headers'; comment on column billing.inv_hdr.acct_id is 'who
 pays';
create index by_lower on billing.inv_hdr (lower("Note it") desc) where total > 0;
create function billing.touch() returns trigger language plpgsql as 'begin return new; end';
create trigger touched before update on billing.inv_hdr for each row execute function billing.touch();
alter table billing.inv_hdr enable row level security; create policy mine on billing.inv_hdr for select to public using (total > 0);
create view billing.open_items with (security_barrier = true) as select id, total from billing.inv_hdr where state = 'open';
create table billing.days (at date not null, what text) partition by range (at); create index on billing.days (at);
create table billing.days_2024 partition of billing.days for values from ('2024-01-01') to ('2025-01-01');
insert into billing.days values ('2024-02-03', 'a'), ('2024-02-04', 'b');
create schema logs; create schema log_chunks; create table logs.entry (at date, what text);
do $$ begin for i in 1..12 loop execute format('create table log_chunks.chunk_%s () inherits (logs.entry)', i);
  execute format('insert into log_chunks.chunk_%s select now(), g::text from generate_series(1, 50) g; analyze log_chunks.chunk_%s', i, i); end loop; end $$;
create table log_chunks.alone () inherits (logs.entry); create table logs.marked (mark int) inherits (logs.entry); analyze logs.entry, logs.marked, billing.days;
insert into crm.acct (name, kind, region) select 'n' || i, case when i % 2 = 0 then 'gold' else 'new' end, 'r' || i from generate_series(1, 100) i;
do $$ begin for i in 1..14 loop execute format('create table crm.child_%s (acct_id int references crm.acct)', i); end loop; end $$`;

const mariadbSchema = `
create table acct (id int unsigned not null auto_increment primary key, name varchar(40) not null unique, kind varchar(10), region varchar(10)) comment 'Customers';
create table inv_hdr (id int primary key, acct_id int unsigned not null comment 'who pays', state enum('open','paid') default 'open', tags set('a','b'),
  total decimal(12,2) not null default 0 check (total >= 0), twice int as (2 * 3) stored,
  seen timestamp null on update current_timestamp, key by_total (total),
  constraint pays foreign key (acct_id) references acct (id) on delete cascade) comment 'Invoice headers';
create trigger touched before insert on inv_hdr for each row set new.total = 1;
create view open_items as select id, total from inv_hdr; create function touch() returns int return 1;
create table days (at date not null) partition by range (year(at)) (partition p24 values less than (2025), partition rest values less than maxvalue);
create sequence tickets; create database other; create table other.acct_note (a int);
insert into acct (name, kind, region) select concat('n', seq), if(seq % 2 = 0, 'gold', 'new'), concat('r', seq) from seq_1_to_100`;

const sqliteSchema = `
create table acct (id integer primary key, name text not null unique, kind text, region text);
create table inv_hdr (id integer primary key, acct_id int not null references acct on delete cascade,
  total numeric not null default 0 check (total >= 0), twice int as (2 * 3) stored, "Note it" text);
create index by_lower on inv_hdr (lower("Note it")) where total > 0;
create trigger touched after insert on inv_hdr begin select 1; end;
create view open_items as select id, total from inv_hdr;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
insert into acct (name, kind, region) select 'n' || i, case when i % 2 = 0 then 'gold' else 'new' end, 'r' || i from n`;

describeWithThreeEngines('describe_table', three => {
  let token: string;
  const describeOn = async (engine: EngineName, args: Record<string, unknown>) => {
    const { json } = await three.call(token, 'describe_table', { connection: connectionNames[engine], ...args });
    if (json.result === undefined) throw new Error(JSON.stringify(json));
    const { structuredContent, isError, content } = json.result as unknown as {
      structuredContent: Described;
      isError?: boolean;
      content: readonly { readonly text: string }[];
    };
    return { ...structuredContent, isError: isError === true, text: String(content[0]?.text) };
  };
  const one = async (engine: EngineName, table: string, more: Record<string, unknown> = {}) => {
    const { tables, text } = await describeOn(engine, { table, ...more });
    if (tables === undefined) throw new Error(text);
    expect(tables).toHaveLength(1);
    return tables[0] as Record<string, unknown>;
  };
  const invoices = { postgres: 'billing.inv_hdr', mysql: 'inv_hdr', sqlite: 'inv_hdr' } as const;
  const accounts = { postgres: 'crm.acct', mysql: 'acct', sqlite: 'acct' } as const;

  beforeAll(async () => {
    await three.postgres.psql(postgresSchema, 'shop');
    await three.mariadb.client(mariadbSchema, { database: 'shop' });
    three.executeOnFile(sqliteSchema);
    token = (await three.mint('--scope', 'read-only')).token;
  }, 60_000);

  test('a table of PostgreSQL, as lines without empty parts', async () => {
    const { rows: _, size_bytes: __, ...invoice } = await one('postgres', 'billing.inv_hdr');
    expect(invoice).toEqual({
      name: 'billing.inv_hdr',
      comment: 'Invoice headers',
      columns: [
        'id bigint not null generated always as identity',
        'acct_id integer not null -- who pays',
        "state billing.state default 'open'::billing.state in ('open', 'paid')",
        'total billing.money not null default 0 check (VALUE >= 0::numeric)',
        'twice numeric generated stored as (2 * 3)',
        '"Note it" text',
      ],
      primary_key: ['id'],
      foreign_keys: ['acct_id -> crm.acct(id) on delete cascade'],
      indexes: ['by_lower (lower("Note it") DESC) WHERE ((total)::numeric > (0)::numeric)'],
      checks: [expect.stringContaining('>= 0')],
      row_level_security: ['not for this account', expect.stringContaining('mine FOR SELECT TO PUBLIC USING (')],
      triggers: [expect.stringContaining('BEFORE UPDATE ON billing.inv_hdr')],
    });
  });

  test('a reserved word is written as a statement needs it, and a bare one in FROM is reported as no table', async () => {
    const described = await one('postgres', 'user');
    expect(described).toMatchObject({
      name: 'public."user"',
      columns: ['"order" integer not null', 'plain integer'],
      primary_key: ['"order"'],
    });
    const counted = (name: string) => three.query(token, 'postgres', `select count(*) from ${name}`);
    expect((await counted(String(described.name))).structuredContent).toMatchObject({ rows: [['2']] });
    const misread = (await counted('user')).structuredContent;
    expect(misread?.rows).toEqual([['1']]);
    expect(misread?.warnings).toEqual([
      'A bare user in FROM is PostgreSQL\'s function, not the table, which is written public."user".',
    ]);
    expect((await counted('current_date')).structuredContent?.warnings).toBeUndefined();
  });

  test('tables of MariaDB and SQLite', async () => {
    expect(await one('mysql', 'inv_hdr')).toMatchObject({
      name: 'shop.inv_hdr',
      columns: [
        'id int(11) not null',
        'acct_id int(10) unsigned not null -- who pays',
        "state enum('open','paid') default 'open'",
        "tags set('a','b')",
        'total decimal(12,2) not null default 0.00',
        'twice int(11) generated stored as (2 * 3)',
        'seen timestamp on update current_timestamp()',
      ],
      foreign_keys: ['acct_id -> shop.acct(id) on delete cascade'],
      checks: [expect.stringContaining('>= 0')],
      triggers: [expect.stringContaining('BEFORE INSERT')],
    });
    expect(await one('sqlite', 'inv_hdr')).toMatchObject({
      name: 'inv_hdr',
      columns: [
        'id INTEGER not null auto increment',
        'acct_id INT not null',
        'total numeric not null default 0',
        'twice INT generated stored as (2 * 3)',
        '"Note it" TEXT',
      ],
      foreign_keys: ['acct_id -> acct(id) on delete cascade'],
      indexes: ['by_lower (lower("Note it")) where total > 0'],
      checks: ['total >= 0'],
    });
  });

  describe.each(engineNames)('%s', engine => {
    test('several in one call, with the missing ones and their nearest names', async () => {
      const { tables, not_found } = await describeOn(engine, {
        tables: [accounts[engine], invoices[engine], 'inv_hrd'],
      });
      expect(tables.map(({ name }) => String(name).split('.').at(-1))).toEqual(['acct', 'inv_hdr']);
      expect(not_found).toEqual([expect.stringMatching(/"inv_hrd"; did you mean .*inv_hdr/)]);
      const none = await describeOn(engine, { table: 'inv_hrd' });
      expect(none).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^query_failed: .*did you mean .*inv_hdr/),
      });
      expect(await describeOn(engine, {})).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^invalid_argument/),
      });
    });

    test('ten in one call, by any form of name; of more, each omission is reported', async () => {
      const others = Array.from({ length: 9 }, (_, at) => `missing_${at}`);
      const table = accounts[engine];
      const ten = await describeOn(engine, { table, tables: [table, ...others] });
      expect([ten.tables.length, ten.not_found?.length]).toEqual([1, 9]);
      expect(await describeOn(engine, { table, tables: [...others, 'missing_9'] })).toMatchObject({
        isError: true,
        text: 'invalid_argument: Name at most 10 tables in all.',
      });
    });

    test('references to the table are cut and counted', async () => {
      const table = await one(engine, accounts[engine]);
      expect(table.referenced_by).toEqual(expect.arrayContaining([expect.stringMatching(/\(acct_id\)$/)]));
      if (engine !== 'postgres') return;
      expect(table.referenced_by).toHaveLength(10);
      expect(table.referenced_by_count).toBe(15);
    });

    test('the few values of a column, on request', async () => {
      expect(await one(engine, accounts[engine])).not.toHaveProperty('values');
      expect((await one(engine, accounts[engine], { include_values: true })).values).toEqual({ kind: ['gold', 'new'] });
    });

    test('a view with its definition; DDL and rows only on request', async () => {
      const view = await one(engine, engine === 'postgres' ? 'billing.open_items' : 'open_items');
      expect(view).toMatchObject({ kind: 'view', definition: expect.stringMatching(/select/i) });
      expect(await one(engine, invoices[engine])).not.toHaveProperty('ddl');
      const whole = await one(engine, accounts[engine], { include_ddl: true, include_sample: true });
      expect(whole.ddl).toMatch(/create table/i);
      expect(whole.sample).toMatchObject({ rows: [[1, 'n1', 'new', 'r1'], expect.anything(), expect.anything()] });
    });
  });

  test('SQLite: a broken view says why, and doesn’t fail tables in the same request', async () => {
    three.executeOnFile('create table gone (v); create view broken as select v from gone; drop table gone');
    const { tables } = await describeOn('sqlite', { tables: ['acct', 'broken'], include_sample: true });
    expect(tables).toMatchObject([
      { name: 'acct', sample: { columns: ['id', 'name', 'kind', 'region'] } },
      {
        name: 'broken',
        comment: "SQLite can't tell its columns: no such table: main.gone",
        definition: expect.stringMatching(/^create view broken/i),
        sample_missing: expect.stringContaining('no such table: main.gone'),
      },
    ]);
  });

  test('a sample has invisible columns too', async () => {
    await three.mariadb.client(
      "create table veiled (id int primary key, secret int default 7 invisible, note varchar(9)); insert into veiled (id, note) values (1, 'x')",
      { database: 'shop' },
    );
    expect(await one('mysql', 'veiled', { include_sample: true })).toMatchObject({
      columns: ['id int(11) not null', 'secret int(11) default 7 invisible', 'note varchar(9)'],
      sample: { columns: ['id', 'secret', 'note'], rows: [[1, 7, 'x']] },
    });
  });

  test('cut cells of a sample are named, the first ten and how many there are', async () => {
    const columns = (count: number) => Array.from({ length: count }, (_, at) => `long_${at}`);
    for (const count of [1, 12]) {
      const values = columns(count).map(() => 'hex(zeroblob(50000))');
      three.executeOnFile(`create table book_${count} (id, ${columns(count)}); insert into book_${count}
        select 7, ${values}; insert into book_${count} (id) values (8)`);
    }
    const sampleOf = async (table: string) => (await one('sqlite', table, { include_sample: true })).sample;
    const cut = (at: number) => ({ row: 0, column: at + 1, full_bytes: 100_000 });
    expect(await sampleOf('book_1')).toEqual({
      columns: ['id', 'long_0'],
      cut_cells: [cut(0)],
      rows: [
        [7, expect.stringMatching(/^0+…?$/)],
        [8, null],
      ],
    });
    expect(await sampleOf('book_12')).toMatchObject({
      cut_cells: Array.from({ length: 10 }, (_, at) => cut(at)),
      cut_cell_count: 12,
    });
  });

  test('a parenthesis in a name or comment doesn’t start an index’s columns', async () => {
    await three.postgres.psql(
      'create table crm."sales USING (2024)" (region text); create index by_region on crm."sales USING (2024)" (region desc)',
      'shop',
    );
    await three.mariadb.client('create table `sales (2024)` (region varchar(9), key `by (region)` (region))', {
      database: 'shop',
    });
    three.executeOnFile(`create table "sales (2024)" (region); create index by_region on "sales (2024)" (region desc);
      create index by_length /* (in letters) */ on [sales (2024)] (length(region))`);
    const indexes = async (engine: EngineName, table: string) => (await one(engine, table)).indexes;
    expect(await indexes('postgres', 'crm."sales USING (2024)"')).toEqual(['by_region (region DESC)']);
    expect(await indexes('mysql', 'sales (2024)')).toEqual(['`by (region)` (`region`)']);
    expect(await indexes('sqlite', 'sales (2024)')).toEqual(['by_length (length(region))', 'by_region (region desc)']);
  });

  test('a bare name that another schema has is shown with its schema', async () => {
    expect((await describeOn('postgres', { table: 'inv_hdr' })).text).toMatch(/did you mean billing\.inv_hdr\?/);
    expect(await one('postgres', 'inv_hdr', { schema: 'billing' })).toMatchObject({ name: 'billing.inv_hdr' });
    expect(await one('postgres', '"billing"."inv_hdr"')).toMatchObject({ name: 'billing.inv_hdr' });
    expect(await one('postgres', 'shop.billing.inv_hdr')).toMatchObject({ name: 'billing.inv_hdr' });
    expect(await one('mysql', '`other`.`acct_note`')).toMatchObject({ name: 'other.acct_note' });
    expect(await one('sqlite', 'main.acct')).toMatchObject({ name: 'acct' });
  });

  test('routines, types, sequences and parts', async () => {
    const definition = async (name: string, engine: EngineName = 'postgres') => (await one(engine, name)).definition;
    expect(await definition('billing.touch')).toMatch(/^CREATE OR REPLACE FUNCTION billing\.touch\(\)/);
    expect(await definition('billing.state')).toBe("CREATE TYPE billing.state AS ENUM ('open', 'paid');");
    expect(await definition('billing.money')).toMatch(
      /^CREATE DOMAIN billing\.money AS numeric\(12,2\).* NOT NULL .*CHECK/,
    );
    expect(await definition('billing.pair')).toBe('CREATE TYPE billing.pair AS (a integer, b text);');
    expect(await definition('billing.tickets')).toMatch(/^CREATE SEQUENCE billing\.tickets .*INCREMENT BY 2/);
    expect(await definition('touch', 'mysql')).toMatch(/FUNCTION `touch`/);
    expect(await definition('tickets', 'mysql')).toMatch(/CREATE SEQUENCE/);
    expect(await one('postgres', 'billing.days')).toMatchObject({
      partitioned_by: 'RANGE (at)',
      partitions: ["billing.days_2024 FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')"],
    });
    expect((await one('postgres', 'billing.days_2024')).partition_of).toMatch(/^billing\.days FOR VALUES/);
    expect(await one('mysql', 'days')).toMatchObject({ partitions: ['p24: 2025', 'rest: MAXVALUE'] });
  });

  test('of many parts: the first, how many follow, the last and the default one', async () => {
    const months = Array.from({ length: 36 }, (_, at) => new Date(Date.UTC(2024, at, 1)).toISOString().slice(0, 10));
    const parts = months.map((from, at) => {
      const to = months[at + 1] ?? '2027-01-01';
      return `create table many_${from.slice(0, 7).replace('-', '_')} partition of many for values from ('${from}') to ('${to}')`;
    });
    const more = [
      'create table many (at date) partition by range (at)',
      ...parts,
      'create table any_other partition of many default',
    ];
    await three.postgres.psql(more.join(';'), 'shop');
    expect((await one('postgres', 'many')).partitions).toEqual([
      "public.many_2024_01 FOR VALUES FROM ('2024-01-01') TO ('2024-02-01')",
      '… 34 more',
      "public.many_2026_12 FOR VALUES FROM ('2026-12-01') TO ('2027-01-01')",
      'public.any_other DEFAULT',
    ]);
    const years = Array.from({ length: 9 }, (_, at) => `partition p${at} values less than (${2020 + at})`);
    await three.mariadb.client(
      `create table many (at int) partition by range (at) (${years.join(', ')}, partition rest values less than maxvalue)`,
      { database: 'shop' },
    );
    expect((await one('mysql', 'many')).partitions).toEqual(['p0: 2020', '… 7 more', 'p8: 2028', 'rest: MAXVALUE']);
  });

  test('rows are an estimate and say so, including partitions and children; counted ones don’t', async () => {
    const { rows, children, size_bytes } = await one('postgres', 'logs.entry');
    expect([rows, children]).toEqual(['~600', '13, such as log_chunks.alone']);
    expect(Number(size_bytes)).toBeGreaterThan(12 * 8192);
    expect(await one('postgres', 'log_chunks.chunk_3')).toMatchObject({ rows: '~50', inherits: ['logs.entry'] });
    expect(await one('postgres', 'billing.days')).toMatchObject({ rows: '~2' });
    expect(await one('postgres', 'logs.marked')).toMatchObject({ inherits: ['logs.entry'] });
    expect((await one('mysql', 'acct')).rows).toMatch(/^~\d+$/);
    expect((await one('sqlite', 'acct')).rows).toBe(100);
    const { json } = await three.call(token, 'list_tables', {
      connection: connectionNames.postgres,
      include_row_counts: true,
    });
    const { schemas = {} } = (json.result?.structuredContent ?? {}) as { schemas?: Record<string, readonly string[]> };
    expect(schemas.logs).toEqual(['entry (13 children) ~600 rows', 'marked ~0 rows']);
    expect(schemas).not.toHaveProperty('log_chunks');
  });

  test('the DDL makes the same objects again in an empty database', async () => {
    const order = ['state', 'money', 'pair', 'touch', 'tickets', 'inv_hdr', 'open_items', 'days', 'days_2024'];
    const ddlOf = async (name: string, database?: string) => {
      const found = await describeOn('postgres', { table: name, include_ddl: true, ...(database && { database }) });
      const [{ ddl, definition } = {}] = found.tables ?? [];
      return String(ddl ?? definition ?? found.text);
    };
    const names = ['crm.acct', ...order.map(name => `billing.${name}`)];
    const first = new Map<string, string>();
    for (const name of names) first.set(name, await ddlOf(name));
    await three.postgres.psql('create database again');
    const statements = [...first.values()].map(text => (text.endsWith(';') ? text : `${text};`));
    await three.postgres.psql(`create schema billing; create schema crm; ${statements.join('\n')}`, 'again');
    const again = `postgresql://${three.postgres.superuser}@127.0.0.1:${three.postgres.port}/again`;
    const added = await three.here(
      ['connections', 'add', again, '--name', 'Again', '--password-stdin'],
      three.postgres.password,
    );
    expect(added.code).toBe(0);
    for (const name of names) {
      const { json } = await three.call(token, 'describe_table', {
        connection: 'Again',
        table: name,
        include_ddl: true,
      });
      const described = json.result?.structuredContent as unknown as Described | undefined;
      const [{ ddl, definition } = {}] = described?.tables ?? [];
      expect(ddl ?? definition).toBe(first.get(name));
    }
  });

  test('PostgreSQL: values come from the statistics, of numbers and parts of keys too, and of nothing that looks secret', async () => {
    await three.postgres.psql(
      `create table wares (shelf int, place int, state text, level int, api_key text, fresh text, many int, primary key (shelf, place));
       insert into wares select i / 10, i % 10, case when i % 3 = 0 then 'new' else 'old' end, i % 4, 'k' || i % 2, null, i from generate_series(0, 29) i;
       analyze wares; update wares set fresh = 'f' || shelf; create view ware_states as select state from wares`,
      'shop',
    );
    expect(await one('postgres', 'wares', { include_values: true })).toMatchObject({
      values: {
        shelf: ['0', '1', '2'],
        place: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
        state: ['new', 'old'],
        level: ['0', '1', '2', '3'],
        fresh: ['f0', 'f1', 'f2'],
      },
      values_of: 'as of the last ANALYZE; of fresh all rows',
    });
    const { values } = await one('postgres', 'wares', { include_values: true });
    expect(Object.keys(values as object)).toHaveLength(5);
    expect((await one('postgres', 'ware_states', { include_values: true })).values).toEqual({ state: ['new', 'old'] });
  });

  test('PostgreSQL: an answer without rows names the values that the column has', async () => {
    const hintOf = async (sql: string, parameters: readonly string[] = []) => {
      const answer = await three.answer(token, 'execute_query', { connection: 'Pg', sql, parameters });
      return answer.hint;
    };
    const states = "No row: wares.state has 'new', 'old', as of the last ANALYZE.";
    expect(await hintOf("select * from wares where state = 'New'")).toBe(states);
    expect(await hintOf('select w.level from public.wares as w where w.state in ($1)', ['gone'])).toBe(states);
    expect(await hintOf("select * from wares where state = 'new' and shelf > 9")).toBeUndefined();
    expect(await hintOf("select * from wares where api_key = 'x'")).toBeUndefined();
    expect(await hintOf("select 1 from wares where state = 'x' limit 0")).toBe(states);
    const { json } = await three.call(token, 'search_query_history', { connection: 'Pg' });
    expect(JSON.stringify(json.result)).not.toContain('pg_stats');
  });

  test.each(['mysql', 'sqlite'] as const)('%s: an empty answer names what the first rows have', async engine => {
    const sql = `create table goods (id int, state varchar(9), api_key varchar(9)); insert into goods values (1, 'new', 'k'), (2, 'paid', 'k')`;
    if (engine === 'mysql') await three.mariadb.client(sql, { database: 'shop' });
    else three.executeOnFile(sql);
    const hintOf = async (asked: string, parameters: readonly string[] = []) => {
      const answer = await three.answer(token, 'execute_query', {
        connection: connectionNames[engine],
        sql: asked,
        parameters,
      });
      return answer.hint;
    };
    const states = "No row: goods.state has 'new', 'paid' in the first 10000 rows.";
    expect(await hintOf("select * from goods where state = 'open'")).toBe(states);
    expect(await hintOf('select g.id from goods g where g.state in (?) and id > 0', ['gone'])).toBe(states);
    expect(await hintOf("select * from goods where state = 'PAID' and id > 9")).toBe(
      engine === 'mysql' ? undefined : states,
    );
    expect(await hintOf("select * from goods where state = 'new' and id > 9")).toBeUndefined();
    expect(await hintOf("select * from goods where api_key = 'x'")).toBeUndefined();
    expect(await hintOf("select * from (select upper(state) as s from goods) as x where s = 'open'")).toBeUndefined();
  });

  test.each(['postgres', 'mysql', 'sqlite'] as const)(
    '%s: of two tables the way between them, where no key joins them',
    async engine => {
      const ways = ['create table way_a (id int primary key)', 'create table way_c (id int primary key)'];
      ways.push(
        'create table way_b (a_id int, c_id int, foreign key (a_id) references way_a (id), foreign key (c_id) references way_c (id))',
      );
      const sql = ways.join('; ');
      if (engine === 'postgres') await three.postgres.psql(sql, 'shop');
      else if (engine === 'mysql') await three.mariadb.client(sql, { database: 'shop' });
      else three.executeOnFile(sql);
      const place = { postgres: 'public.', mysql: 'shop.', sqlite: '' }[engine];
      const both = (await describeOn(engine, { tables: ['way_a', 'way_c'] })) as unknown as { join_path?: unknown };
      expect(both.join_path).toEqual([
        `${place}way_b.a_id = ${place}way_a.id`,
        `${place}way_b.c_id = ${place}way_c.id`,
      ]);
      expect(await describeOn(engine, { tables: ['way_a', 'way_b'] })).not.toHaveProperty('join_path');
    },
  );

  test('PostgreSQL: of many tables that refer to it, those with most rows come first', async () => {
    await three.postgres.psql(
      'insert into crm.child_14 select 1 from generate_series(1, 500); insert into crm.child_9 values (2); analyze',
      'shop',
    );
    const { referenced_by } = await one('postgres', 'crm.acct');
    expect((referenced_by as readonly string[]).slice(0, 2)).toEqual(['crm.child_14(acct_id)', 'crm.child_9(acct_id)']);
  });
});
