/**
 * Rights that somebody planted, each by another way: to the role itself, to a group of it, to
 * PUBLIC. A proof that misses one says that three walls hold what two do; a REVOKE that ends
 * nothing says that it is mended.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import type { Right } from '../../daemon/engines/rights.ts';
import { call } from '../engines/collecting-sink.ts';
import * as mysql from '../engines/mysql/endpoint.ts';
import * as postgres from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';

type Planted = readonly [what: string, sql: string, ...told: readonly Right['code'][]];

/** By a session of its own: on MariaDB one that is there keeps an active role. */
async function rightsIn(open: () => Database): Promise<readonly Right[]> {
  const database = open();
  const answer = await database.rights(call);
  await database.close();
  if (answer.kind !== 'done' || answer.value === null) throw new Error(JSON.stringify(answer));
  return answer.value;
}

/** Everything that ends by a statement ends by those that are told, in one round. */
async function endsAsTold(
  open: () => Database,
  codes: readonly string[],
  run: (sql: string) => unknown,
): Promise<void> {
  const told = await rightsIn(open);
  expect(told.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
  const ends = told.map(({ revoke }) => revoke);
  expect(ends).not.toContain(null);
  await run(ends.map(end => `${end};`).join('\n'));
  expect(await rightsIn(open)).toEqual([]);
}

/** What the catalog says of app.wipe after an extension's script that has its GRANTs. */
const asDelivered = `insert into pg_init_privs (objoid, classoid, objsubid, privtype, initprivs)
  select p.oid, 'pg_proc'::regclass, 0, 'e', p.proacl from pg_proc p where p.proname = 'wipe'`;

const onPostgres: readonly Planted[] = [
  ['a change of rows for PUBLIC', 'grant update on app.goods to public', 'change_rows'],
  ['one for a group', 'grant insert on app.goods to team; grant team to weak', 'change_rows'],
  ['one for the group of a group', 'grant truncate on app.goods to firm; grant team to weak', 'change_rows'],
  ['one for both', 'grant delete on app.goods to weak, public, team; grant team to weak', 'change_rows'],
  [
    'one that a SET ROLE gives',
    'alter role weak noinherit; grant delete on app.goods to shy; grant shy to weak',
    'change_rows',
  ],
  ['one of a column', 'grant update (name) on app.goods to weak', 'change_rows'],
  ["a group's own tables", 'alter table app.goods owner to team; grant team to weak', 'owns'],
  ["a group's own schema", 'alter schema app owner to team; grant team to weak', 'owns'],
  ["a group's files", 'grant pg_read_server_files to team; grant team to weak', 'server_files'],
  ['a superuser as group', 'grant boss to weak', 'everything'],
  ["a group's attribute", 'alter role shy createrole; grant shy to weak', 'accounts'],
  ['other attributes', 'alter role weak createdb bypassrls', 'server_settings', 'row_policies'],
  ['another look at hashes', 'grant select on pg_shadow to weak', 'passwords'],
  ['the column alone', 'grant select (rolpassword) on pg_authid to public', 'passwords'],
  ["others' statements", 'grant pg_monitor to weak', 'other_sessions', 'other_sessions'],
  ['a file function for PUBLIC', 'grant execute on function pg_ls_dir(text) to public', 'file_functions'],
  [
    'the log of the server',
    'grant execute on function pg_rotate_logfile() to team; grant team to weak',
    'server_settings',
  ],
  [
    'a procedure with other rights',
    'create procedure app.wipe() language sql security definer as $$ delete from app.goods $$',
    'definer_functions',
  ],
  [
    'a procedure whose extension gives it to all',
    `create procedure app.wipe() language sql security definer as $$ delete from app.goods $$;
     revoke all on procedure app.wipe() from public; grant execute on procedure app.wipe() to public; ${asDelivered}`,
    'definer_functions',
  ],
  [
    'a function that claims to be stable',
    'create function app.calm() returns int stable language sql security definer as $$ select 1 $$',
    'definer_functions',
  ],
  [
    "one that only the role's path finds",
    'create function app.near(text, int) returns int language sql security definer as $$ select 1 $$; alter role weak set search_path = app',
    'definer_functions',
  ],
  ['triggers', 'grant trigger on app.goods to weak', 'creates'],
  ['a sequence', 'grant update on sequence app.counted to public', 'creates'],
  ['schemas', 'grant create on database planted to team; grant team to weak', 'creates'],
  ['a schema', 'grant create on schema app to weak, public', 'creates'],
  [
    'another server',
    'create foreign data wrapper w; create server s foreign data wrapper w; grant usage on foreign server s to weak',
    'network_functions',
  ],
  ['a setting of the server', 'grant set on parameter log_statement to public', 'server_settings'],
  [
    'what comes back with RESET ROLE',
    'grant delete on app.goods to weak; grant shy to weak; alter role weak set role = shy',
    'change_rows',
  ],
  ['a superuser behind another role', 'alter role weak superuser; alter role weak set role = shy', 'everything'],
  [
    'rows that another role passed on',
    `grant update on app.goods to firm with grant option; set role firm; grant update on app.goods to shy with grant option;
     set role shy; grant update on app.goods to weak, public; reset role`,
    'change_rows',
  ],
  [
    'rows that the role itself passed on',
    'grant update on app.goods to weak with grant option; set role weak; grant update on app.goods to public; reset role',
    'change_rows',
  ],
  [
    'rows from two',
    `grant delete on app.goods to weak; grant delete on app.goods to firm with grant option;
     set role firm; grant delete on app.goods to weak; reset role`,
    'change_rows',
  ],
  [
    'a setting that another role passed on',
    `grant set on parameter log_statement to firm with grant option; set role firm;
     grant set on parameter log_statement to weak; reset role`,
    'server_settings',
  ],
  [
    'a membership that another role gave',
    `alter role firm createrole; grant shy to firm with admin option; grant insert on app.goods to shy; set role firm; grant shy to weak; reset role`,
    'change_rows',
  ],
  [
    'one from two, passed on',
    `grant shy to firm with admin option; grant shy to weak with admin option; grant insert on app.goods to shy;
     set role firm; grant shy to weak; set role weak; grant shy to team; reset role`,
    'change_rows',
  ],
];

const owned: readonly (readonly [string, string])[] = [
  [
    'FUNCTION app.near(integer)',
    'create function app.near(int) returns int language sql as $$ select 1 $$; alter function app.near owner to weak',
  ],
  ['TYPE app.mood', "create type app.mood as enum ('well'); alter type app.mood owner to weak"],
  ['LARGE OBJECTS', 'select lo_create(4711); alter large object 4711 owner to team; grant team to weak'],
  ['app.goods', 'alter table app.goods owner to weak'],
  ['SCHEMA app', 'alter schema app owner to team; grant team to weak'],
];

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : null).describe('PostgreSQL', () => {
  let server: PostgresServer;
  const run = (sql: string) => server.psql(sql, 'planted');
  beforeAll(async () => {
    server = await lendPostgres();
  }, 60_000);
  afterAll(() => server?.stop());

  const world = `drop database if exists planted (force); drop role if exists weak, shy, team, firm, boss;`;
  async function plantedWorld(): Promise<void> {
    for (const each of world.split(';').filter(Boolean)) await server.psql(each);
    await server.psql(`create role boss superuser; create role firm; create role team in role firm; create role shy;
      create role weak login password 'not-a-secret'`);
    await server.psql('create database planted');
    await run(`create schema app; grant usage on schema app to public; create table app.goods (id int primary key, name text);
      grant select on app.goods to weak; create sequence app.counted`);
  }
  const opened = (): Database =>
    openPostgres(postgres.endpointOf(server, { database: 'planted', user: 'weak' }), postgres.portsOf('not-a-secret'));

  test.each(onPostgres)('%s', async (_what, sql, ...codes) => {
    await plantedWorld();
    const version = Number(await server.psql("select current_setting('server_version_num')"));
    if (version < 150_000) {
      if (sql.includes('parameter')) return;
      await run('revoke create on schema public from public');
    }
    await run(sql);
    await endsAsTold(opened, codes, run);
    // A parameter's would outlive the database, and keep the role.
    await run('drop owned by firm');
  });

  test.each(owned)('%s is owned', async (name, sql) => {
    await plantedWorld();
    await run(sql);
    const told = await rightsIn(opened);
    expect(told.find(({ code }) => code === 'owns')?.on).toEqual([name]);
  });

  test('a temporary table of a program with the same role is not told as owned', async () => {
    await plantedWorld();
    const { host, port } = server;
    const program = new pg.Client({ host, port, user: 'weak', password: 'not-a-secret', database: 'planted' });
    await program.connect();
    await program.query('create temporary table passing (id int)');
    expect((await rightsIn(opened)).find(({ code }) => code === 'owns')).toBeUndefined();
    await program.end();
  });
});

const onMysql: readonly Planted[] = [
  ['a change of rows', 'GRANT UPDATE (`v`) ON planted.goods TO weak', 'change_rows'],
  ['files, by a role', 'GRANT FILE ON *.* TO team; GRANT team TO weak; SET DEFAULT ROLE team FOR weak', 'server_files'],
  [
    'rows, by the role of a role',
    'GRANT DELETE ON planted.* TO firm; GRANT firm TO team; GRANT team TO weak; SET DEFAULT ROLE team FOR weak',
    'change_rows',
  ],
  [
    'everything, by a role',
    'GRANT ALL PRIVILEGES ON *.* TO team; GRANT team TO weak; SET DEFAULT ROLE team FOR weak',
    'everything',
  ],
  ['locks', 'GRANT LOCK TABLES ON planted.* TO weak', 'other_sessions'],
  ['the log of changes', 'GRANT REPLICATION SLAVE ON *.* TO weak', 'replication'],
  ['a procedure with other rights', 'GRANT EXECUTE ON PROCEDURE planted.wipe TO weak', 'definer_functions'],
  ['a function, to change and to run', 'GRANT ALL ON FUNCTION planted.calm TO weak', 'creates', 'definer_functions'],
  [
    'a procedure, by a role',
    'GRANT EXECUTE ON PROCEDURE planted.wipe TO team; GRANT team TO weak; SET DEFAULT ROLE team FOR weak',
    'definer_functions',
  ],
];
/** Each server has some privileges of its own, and MariaDB shows nothing of a role that rests. */
const ofOneServer: readonly Planted[] = isMysql()
  ? [
      ['a role that rests', 'GRANT FILE ON *.* TO team; GRANT team TO weak', 'server_files'],
      ['code as anybody', 'GRANT SET_ANY_DEFINER ON *.* TO weak', 'accounts'],
      ['a privilege that nobody knew', 'GRANT ENCRYPTION_KEY_ADMIN ON *.* TO weak', 'server_settings'],
    ]
  : [
      ['a role that rests', 'GRANT FILE ON *.* TO team; GRANT team TO weak', 'other_roles'],
      ['code as anybody', 'GRANT SET USER ON *.* TO weak', 'accounts'],
      ['a privilege that nobody knew', 'GRANT READ_ONLY ADMIN ON *.* TO weak', 'server_settings'],
      ['rows, for PUBLIC', 'GRANT INSERT ON planted.* TO PUBLIC', 'change_rows'],
      ['a package', 'SET sql_mode = ORACLE; GRANT EXECUTE ON PACKAGE planted.kit TO weak', 'definer_functions'],
      [
        'the body of a package',
        'SET sql_mode = ORACLE; GRANT EXECUTE ON PACKAGE BODY planted.kit TO weak',
        'definer_functions',
      ],
    ];

needs(mariadbUnavailable()).describe('MySQL, MariaDB', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(`CREATE DATABASE planted; CREATE TABLE planted.goods (id INT PRIMARY KEY, v INT);
      CREATE PROCEDURE planted.wipe() DELETE FROM planted.goods;
      CREATE FUNCTION planted.calm() RETURNS INT DETERMINISTIC RETURN 1`);
    if (!isMysql())
      await server.client(`DELIMITER //
        SET sql_mode = ORACLE//
        CREATE PACKAGE planted.kit AS PROCEDURE wipe; END//
        CREATE PACKAGE BODY planted.kit AS PROCEDURE wipe AS BEGIN DELETE FROM planted.goods; END; END//`);
  }, 60_000);
  afterAll(() => server?.stop());

  test.each([...onMysql, ...ofOneServer])('%s', async (_what, sql, ...codes) => {
    await server.client(`DROP USER IF EXISTS weak; DROP ROLE IF EXISTS team, firm; CREATE ROLE team; CREATE ROLE firm;
      CREATE USER weak IDENTIFIED BY 'not-a-secret'; GRANT SELECT, SHOW VIEW ON planted.* TO weak`);
    await server.client(isMysql() ? sql.replace(/DEFAULT ROLE (\w+) FOR/, 'DEFAULT ROLE $1 TO') : sql);
    const endpoint = mysql.endpointOf(server, { database: 'planted', user: 'weak' });
    const ports = mysql.portsOf({ password: 'not-a-secret' });
    await endsAsTold(
      () => openMysql(endpoint, ports),
      codes,
      end => server.client(end),
    );
  });
});
