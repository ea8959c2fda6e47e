/**
 * The DDL from `describe_table`, run unchanged in an empty database, makes tables with the same
 * dump as the first.
 */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { executeOn, SqliteFile } from '../../sqlite-file.ts';
import { connectionNames, describeWithThreeEngines, type EngineName } from './three-engines.ts';

const mariadbObjects = `
create sequence tickets start with 100 increment by 5;
create table customer (
  id int unsigned not null auto_increment, code varchar(12) character set ascii collate ascii_bin not null,
  \`odd name\` varchar(40) default 'it''s; --', kind enum('a','b''c') not null default 'a', flags set('x','y'),
  doubled int generated always as (id * 2) virtual, stored_len int as (char_length(code)) stored,
  born date, made timestamp(3) not null default current_timestamp(3) on update current_timestamp(3),
  place point, note text comment 'a \\'note\\'', primary key (id), unique key by_code (code),
  key by_prefix (note(20), born desc), fulltext key words (note), constraint adult check (born < '2020-01-01')
) engine=InnoDB comment='People; who buy' row_format=dynamic;
create table invoice (
  id bigint not null primary key, customer_id int unsigned, amount decimal(12,2) zerofill, body json,
  constraint of_customer foreign key (customer_id) references customer (id) on delete set null on update cascade
);
create table visit (id int not null, at date not null, primary key (id, at))
  partition by range columns (at) (partition p24 values less than ('2025-01-01'), partition rest values less than maxvalue);
create table hashed (id int) partition by hash (id) partitions 3;
create view paying as select c.id, c.code, sum(i.amount) as paid from customer c join invoice i on i.customer_id = c.id group by c.id;
create function touch(a int) returns int deterministic return a + 1;
create procedure sweep() comment 'cleans' begin delete from visit where at < '2000-01-01'; end;
`;
const mariadbNames = ['tickets', 'customer', 'invoice', 'visit', 'hashed', 'paying', 'touch', 'sweep'];

const sqliteObjects = `
create table customer (
  id integer primary key autoincrement, -- its number
  code text not null collate nocase unique check (length(code) > 2), "odd "" name" text default 'it''s; --',
  doubled int generated always as (id * 2) virtual, stored_len int as (length(code)) stored
);
create table invoice (
  id integer primary key, customer_id int references customer (id) on delete set null on update cascade deferrable initially deferred,
  amount real, check (amount >= 0)
) strict;
create table pairs (a text, b int, primary key (a, b)) without rowid;
create unique index by_lower on customer (lower(code) desc) where code <> '';
create index by_amount on invoice (customer_id, amount);
create trigger stamp after update of amount on invoice when new.amount > 1 begin
  update customer set code = code || ';' where id = new.customer_id; -- and; more
end;
create view paying (who, paid) as select customer_id, sum(amount) from invoice group by 1;
create view codes as select id, code from customer -- for forms; no more
;
create trigger into_codes instead of insert on codes begin insert into customer (code) values (new.code); end;
create virtual table words using fts5(body, tokenize = 'porter')`;
const sqliteNames = ['customer', 'invoice', 'pairs', 'paying', 'codes', 'words'];

describeWithThreeEngines('DDL, run again', three => {
  let token: string;
  beforeAll(async () => {
    await three.here(['connections', 'set', 'Maria', '--databases', 'all']);
    token = (await three.mint()).token;
  });

  async function ddlOf(engine: EngineName, table: string): Promise<string> {
    const { json } = await three.call(token, 'describe_table', {
      ...{ connection: connectionNames[engine], table, include_ddl: true },
    });
    const [{ ddl, definition } = {}] = (json.result?.structuredContent?.tables ?? []) as {
      ddl?: string;
      definition?: string;
    }[];
    return String(ddl ?? definition ?? json.result?.content?.[0]?.text);
  }

  test('MariaDB', async () => {
    // The client needs another delimiter for a statement that contains several.
    await three.mariadb.client(`delimiter //\n${mariadbObjects.replace(/;\n(?=create|$)/g, '//\n')}`, {
      database: 'shop',
    });
    const again = [];
    for (const name of mariadbNames) again.push(await ddlOf('mysql', name));
    await three.mariadb.client('create database again character set utf8mb4');
    const whole = again.map(text => `${text.replace(/;\s*$/, '').replaceAll('`shop`.', '')}//`).join('\n');
    await three.mariadb.client(`delimiter //\n${whole}\n`, { database: 'again' });
    const dump = (database: string): string => {
      const { port, user, password } = three.mariadb;
      return execFileSync(
        'mariadb-dump',
        [
          ...['--no-data', '--routines', '--skip-comments', '--skip-triggers', `--port=${port}`, '--host=127.0.0.1'],
          ...[`--user=${user}`, database],
        ],
        { encoding: 'utf8', env: { ...process.env, MYSQL_PWD: password } },
      );
    };
    const first = dump('shop');
    for (const name of mariadbNames) expect(first).toContain(`\`${name}\``);
    expect(dump('again').replaceAll('`again`', '`shop`')).toBe(first);
  }, 60_000);

  test('SQLite', async () => {
    three.executeOnFile(`drop table first; ${sqliteObjects}`);
    const again = [];
    for (const name of sqliteNames) again.push(await ddlOf('sqlite', name));
    const file = join(three.home.folder, 'again.db');
    executeOn(file, again.map(text => text.replace(/;?\s*$/, ';')).join('\n'));
    const schemaOf = (path: string) => {
      const database = new SqliteFile(path, { readOnly: true });
      const rows = database.prepare('select type, name, tbl_name, sql from sqlite_schema order by type, name').all();
      database.close();
      return rows;
    };
    const first = schemaOf(three.sqliteFile);
    expect(first.length).toBeGreaterThan(14);
    expect(schemaOf(file)).toEqual(first);
  });
});
