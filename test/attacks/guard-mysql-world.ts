/**
 * A MySQL or MariaDB server with stored code that does what no client may, three accounts, planted
 * secrets, and a look at everything that a statement could change. It is a private MariaDB, or the
 * server that SALLYPORT_TEST_MYSQL names (`mysql://root@127.0.0.1:PORT`, one that may be wrecked)
 * with SALLYPORT_TEST_MYSQL_FILES=`/here:/as/the/server/sees/it`.
 */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection as Beside, createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { endpointOf } from '../engines/mysql/endpoint.ts';
import { type MariadbServer, startMariadb } from '../servers/mariadb.ts';
import { fixture } from '../walls/statements.ts';
import { namedLikeKeywords } from './guard-mysql-names.ts';

export const accounts = ['root', 'owner', 'app'] as const;
/** `blind` may use views, routines and tables with triggers, but not see their code. */
export type Account = (typeof accounts)[number] | 'blind';

export const secretWord = 'planted-password-77';
const fileWord = 'planted-file-content-78';
/** In a statement of another session that has ended. */
const literalWord = 'planted-literal-79';
const given = process.env.SALLYPORT_TEST_MYSQL;

/** More code, beyond the list of attacks. Separated like the fixtures. */
const more = `
create table wide(id int primary key auto_increment, a int, b varchar(20), j json)
//
insert into wide(a,b,j) values(1,'x','{"k":1}'),(2,'y','{"k":2}'),(3,'z','{"k":3}')
//
create table orders(id int primary key auto_increment, customer varchar(20), total decimal(10,2), at datetime)
//
insert into orders(customer,total,at) values('ann',10,'2026-01-01'),('bob',20,'2026-02-01'),('ann',30,'2026-03-01')
//
create table audited(id int primary key, v int)
//
insert into audited values(1,1),(2,2)
//
create table audit(id int primary key auto_increment, what varchar(50))
//
create trigger audited_au after update on audited for each row insert into audit(what) values(concat('changed ', new.id))
//
create table tripwire(id int)
//
create trigger tripwire_ai after insert on tripwire for each row delete from mem
//
create view by_customer as select customer, sum(total) total from orders group by customer
//
create view v_pw2 as select * from v_pw
//
create view v_w2 as select * from v_w
//
create view v_db as select host, db, user, select_priv from mysql.db
//
create view v_db2 as select * from v_db
//
create function order_total(i int) returns decimal(10,2) return (select sum(total) from orders where id <= i)
//
create function order_label(i int) returns varchar(50) begin declare r varchar(50); select customer into r from orders where id = i; if r is null then set r = 'none'; end if; return concat(r, case when i > 1 then ' later' else ' first' end); end
//
create function calls_label(i int) returns varchar(50) modifies sql data return order_label(i)
//
create function f_hash() returns text reads sql data return (select max(authentication_string) from mysql.user)
//
create function area() returns int reads sql data begin set global max_connections=62; return 1; end
//
create function vec_text() returns int reads sql data begin set global max_connections=63; return 1; end
//
create procedure get_report(in who varchar(20)) begin select customer, sum(total) from orders where customer = who group by customer; end
//
create procedure p_drop() begin drop table if exists doomed; end
//
create procedure p_purge() begin delete from mem; end
//
create procedure p_string(in q text) begin set @q = q; prepare s1 from @q; execute s1; end
//
create procedure p_nested() begin call p_drop(); end
//
create procedure p_grant() begin grant all on *.* to app@'%'; end
//
create table doomed(id int)
//
insert into mem values(1),(2)
//
create procedure p_handler() begin declare exit handler for sqlexception begin rollback; end; start transaction; update wide set a = a + 1 where id = 1; commit; end
//
create view v_area as select adv.area() x
//
create view v_digest as select * from performance_schema.events_statements_history_long
//
create view v_samples as select digest, digest_text as query_sample_text from performance_schema.events_statements_summary_by_digest
//
create function f_sample() returns text reads sql data return (select max(query_sample_text) from performance_schema.events_statements_summary_by_digest)
`;

/** MariaDB keeps none. */
const samples =
  'create or replace view v_samples as select * from performance_schema.events_statements_summary_by_digest';

const ours = "('information_schema', 'performance_schema', 'mysql', 'sys')";

export interface GuardWorld {
  readonly isMariadb: boolean;
  /** `adv` is each account's own database. */
  database(account: Account): Database;
  user(account: Account): string;
  /** Replaces `@OUT@` and `@FILE@` by what the server sees. */
  place(sql: string): string;
  /** What a client may see nowhere. */
  readonly secrets: readonly string[];
  /** Makes one if this server has the engine for it. */
  hasRemoteTable(): Promise<boolean>;
  /** Gives root sessions of this sql_mode, and takes them away again. */
  inMode(mode: string, use: (database: Database) => Promise<void>): Promise<void>;
  reset(): Promise<void>;
  /** Everything, or only what an ordinary write may not change: without rows and new objects. */
  state(): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

export async function startGuardWorld(): Promise<GuardWorld> {
  const server: MariadbServer | null =
    given === undefined
      ? await startMariadb(['--log-bin=bin', '--secure-file-priv=', `--report-password=${secretWord}`])
      : null;
  const url = new URL(given ?? 'mysql://root@127.0.0.1');
  const root = server ?? {
    host: url.hostname,
    port: Number(url.port),
    user: 'root' as const,
    password: decodeURIComponent(url.password),
  };
  const files = process.env.SALLYPORT_TEST_MYSQL_FILES;
  const [here = '', there = ''] = files?.split(':') ?? [];
  const folder = files === undefined ? mkdtempSync(join(tmpdir(), 'sallyport-guard-')) : here;
  const seen = files === undefined ? folder : there;
  const out = join(folder, 'out');
  chmodSync(folder, 0o777);
  writeFileSync(join(folder, 'secret.txt'), `${fileWord}\n`);
  chmodSync(join(folder, 'secret.txt'), 0o644);
  const place = (sql: string): string =>
    sql
      .replaceAll('@OUT@', join(seen, 'out'))
      .replaceAll('@FILE@', join(seen, 'secret.txt'))
      .replaceAll('/etc/hostname', join(seen, 'secret.txt'));

  const beside: Beside = await createConnection({
    host: root.host,
    port: root.port,
    user: root.user,
    password: root.password,
  });
  beside.on('error', () => {});
  const [[version]] = await beside.query<RowDataPacket[]>('SELECT VERSION() AS version');
  const isMariadb = /mariadb/i.test(String(version?.version));
  await beside.query('SET GLOBAL log_bin_trust_function_creators = 1').catch(() => {});
  const opened = new Map<Account, Database>();
  const passwordOf = (account: Account): string => (account === 'root' ? root.password : account);

  async function each(statements: readonly string[], mayFail: boolean): Promise<void> {
    for (const sql of statements) {
      try {
        await beside.query(place(sql));
      } catch (error) {
        if (!mayFail) throw new Error(`${sql}: ${String(error)}`);
      }
    }
  }

  async function reset(): Promise<void> {
    for (const database of opened.values()) await database.close();
    opened.clear();
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out);
    chmodSync(out, 0o777);
    const [others] = await beside.query<RowDataPacket[]>(
      `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN ${ours}`,
    );
    await each(
      others.map(({ name }) => `DROP DATABASE \`${name}\``),
      false,
    );
    await each(
      fixture('mysql')
        .split(/^--.*$/m)
        .map(sql => sql.trim())
        .filter(Boolean),
      !isMariadb,
    );
    await each(
      fixture('mysql-code')
        .split(/^\/\/$/m)
        .map(sql => sql.trim())
        .filter(Boolean),
      !isMariadb,
    );
    await each(
      `${more}//${namedLikeKeywords}\n//\n${isMariadb ? '' : samples}`
        .split(/^\/\/$/m)
        .map(sql => sql.trim())
        .filter(Boolean),
      false,
    );
    await each(
      [
        "DROP USER IF EXISTS owner@'%', app@'%', app@'127.0.0.1', keeper@'%', blind@'%'",
        "CREATE USER owner@'%' IDENTIFIED BY 'owner'",
        "GRANT ALL ON adv.* TO owner@'%'",
        "CREATE USER app@'%' IDENTIFIED BY 'app'",
        "GRANT SELECT, INSERT, UPDATE, DELETE, EXECUTE, TRIGGER, SHOW VIEW ON adv.* TO app@'%'",
        // Another test covers what an account may not read.
        ...(isMariadb
          ? ["GRANT SELECT ON mysql.proc TO owner@'%'", "GRANT SELECT ON mysql.proc TO app@'%'"]
          : ["GRANT SHOW_ROUTINE ON *.* TO owner@'%', app@'%'"]),
        "CREATE USER blind@'%' IDENTIFIED BY 'blind'",
        "GRANT SELECT, INSERT, UPDATE, DELETE, EXECUTE ON adv.* TO blind@'%'",
        `CREATE USER keeper@'%' IDENTIFIED BY '${secretWord}'`,
        'SET GLOBAL max_connections = 151',
        'FLUSH PRIVILEGES',
      ],
      false,
    );
    await each(['SET GLOBAL general_log = 0'], true);
    await each([`SELECT COUNT(*) FROM adv.t WHERE name = '${literalWord}'`], false);
  }

  async function text(sql: string): Promise<string> {
    return JSON.stringify((await beside.query(sql))[0]);
  }
  const list = (columns: string, from: string, where = '1'): Promise<string> =>
    text(`SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${columns}`);

  async function state(): Promise<Record<string, string>> {
    const [tables] = await beside.query<RowDataPacket[]>(
      `SELECT CONCAT('\`', TABLE_SCHEMA, '\`.\`', TABLE_NAME, '\`') AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ${ours} AND TABLE_TYPE IN ('BASE TABLE', 'SEQUENCE') ORDER BY 1`,
    );
    const visible = `TABLE_SCHEMA NOT IN ${ours}`;
    return {
      rows: await text(`CHECKSUM TABLE ${tables.map(({ name }) => name).join(', ')}`),
      tables: await list('TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE', 'information_schema.TABLES', visible),
      columns: await list('TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE', 'information_schema.COLUMNS', visible),
      views: await list('TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION', 'information_schema.VIEWS', visible),
      routines: await list(
        'ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_DEFINITION',
        'information_schema.ROUTINES',
        `ROUTINE_SCHEMA NOT IN ${ours}`,
      ),
      triggers: await list(
        'TRIGGER_SCHEMA, TRIGGER_NAME, ACTION_STATEMENT',
        'information_schema.TRIGGERS',
        `TRIGGER_SCHEMA NOT IN ${ours}`,
      ),
      events: await list('EVENT_SCHEMA, EVENT_NAME, EVENT_DEFINITION', 'information_schema.EVENTS'),
      schemas: await list(
        'SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME',
        'information_schema.SCHEMATA',
        `SCHEMA_NAME NOT IN ${ours}`,
      ),
      accounts: await text('SELECT * FROM mysql.user ORDER BY User, Host'),
      grants:
        (await text('SELECT * FROM mysql.db ORDER BY User, Host, Db')) +
        (await text('SELECT * FROM mysql.tables_priv')),
      code:
        (await text('SELECT * FROM mysql.func')) +
        (await text('SELECT * FROM mysql.plugin')) +
        (await text('SELECT * FROM mysql.servers')),
      variables: await text(
        "SHOW GLOBAL VARIABLES WHERE Variable_name NOT LIKE 'gtid%' AND Variable_name NOT LIKE 'innodb_buffer%'",
      ),
      locks: await text(
        "SELECT IS_USED_LOCK('x'), (SELECT COUNT(*) FROM performance_schema.metadata_locks WHERE OBJECT_TYPE = 'USER LEVEL LOCK')",
      ),
      files: readdirSync(out, { recursive: true })
        .map(name => `${name}:${statSync(join(out, String(name))).size}`)
        .sort()
        .join(),
    };
  }

  const close = async (): Promise<void> => {
    for (const database of opened.values()) await database.close();
    beside.destroy();
    await server?.stop();
    if (files === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await reset();
  } catch (error) {
    await close();
    throw error;
  }
  const [hashes] = await beside.query<RowDataPacket[]>(
    "SELECT authentication_string AS hash FROM mysql.user WHERE User IN ('root', 'owner', 'app', 'keeper') AND LENGTH(authentication_string) > 20",
  );
  const open = (account: Account): Database => {
    const endpoint = endpointOf(
      { host: root.host as '127.0.0.1', port: root.port, user: account as 'root' },
      { database: 'adv', databases: 'all' },
    );
    return openMysql(endpoint, { password: async () => passwordOf(account), now: () => performance.now() });
  };
  const tail = hashes.map(({ hash }) => String(hash).slice(-20));
  return {
    isMariadb,
    place,
    secrets: [secretWord, fileWord, literalWord, ...tail],
    user: account => (account === 'root' ? root.user : account),
    database(account) {
      const found = opened.get(account) ?? open(account);
      opened.set(account, found);
      return found;
    },
    async inMode(mode, use) {
      await beside.query(`SET GLOBAL sql_mode = ${mode}`);
      const made = open('root');
      try {
        await use(made);
      } finally {
        await made.close();
        await beside.query('SET GLOBAL sql_mode = DEFAULT');
      }
    },
    async hasRemoteTable() {
      if (!isMariadb) return false;
      await reset();
      await beside.query("INSTALL SONAME 'ha_federatedx'").catch(() => {});
      try {
        await beside.query("GRANT SELECT ON adv.* TO keeper@'%'");
        await beside.query(
          `CREATE TABLE adv.remote (id INT) ENGINE=FEDERATED CONNECTION='mysql://keeper:${secretWord}@127.0.0.1:${root.port}/adv/audited'`,
        );
        return true;
      } catch {
        return false;
      }
    },
    reset,
    state,
    stop: close,
  };
}

export interface Tried {
  readonly sql: string;
  readonly expect: 'read' | 'write' | 'never without a yes';
}

export const tried: readonly Tried[] = JSON.parse(
  readFileSync(new URL('../sql/attacks-mysql.json', import.meta.url), 'utf8'),
);
