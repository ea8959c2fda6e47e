/**
 * Threat: a preview says that everything was rolled back but leaves something behind: a file, a row
 * through a second connection, a changed sequence. What it sets off is classified before it runs,
 * at every level.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { previewing } from '../engines/preview-for-tests.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';

describeWithPostgres('on PostgreSQL', suite => {
  let folder = '';
  const file = (): string => join(folder, 'left');
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-left-'));
    await suite.server.psql(setUpPostgres(file()));
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const setUpPostgres = (path: string): string =>
    `
select lo_from_bytea(4242, 'x');
create table outside (n int); create sequence counted;
create extension dblink;
create function exports() returns trigger language plpgsql as $$ begin perform lo_export(4242, '${path}'); return new; end $$;
create function exports_deep() returns int language sql volatile as $$ select lo_export(4242, '${path}') $$;
create function calls_deep() returns trigger language plpgsql as $$ declare n int := exports_deep(); begin return new; end $$;
create function links() returns trigger language plpgsql as $$ begin perform dblink_exec('host=' || current_setting('unix_socket_directories'), 'insert into outside values (1)'); return null; end $$;
create function puts_together() returns trigger language plpgsql as $$ begin execute 'select lo_exp' || 'ort(4242, $q$${path}$q$)'; return null; end $$;
create function copies() returns trigger language plpgsql as $$ begin copy outside to '${path}'; return null; end $$;
create function sets() returns trigger language plpgsql as $$ begin perform setval('counted', 500); return null; end $$;
create function does_nothing() returns trigger language plpgsql as $$ begin return null; end $$;
create function log_it() returns trigger language plpgsql as $$ begin insert into written values (1); return null; end $$;
create function counts() returns trigger language plpgsql as $$ begin update tally set n = n + 1 where id = 1; perform pg_notify('x', 'y'); return new; end $$;
create function clears() returns trigger language plpgsql as $$ begin delete from cache; return null; end $$;
create table a (id int primary key, n int); insert into a values (1, 1); create trigger t before update on a for each row execute function exports();
create table b (id int primary key, n int); insert into b values (1, 1); create trigger t before update on b for each row execute function calls_deep();
create table c (id int primary key, n int); insert into c values (1, 1); create trigger t after update on c for each statement execute function links();
create table d (id int primary key, n int); insert into d values (1, 1); create trigger t after update on d for each row execute function puts_together();
create table e (id int primary key, n int); insert into e values (1, 1); create constraint trigger t after update on e deferrable initially deferred for each row execute function copies();
create table f (id int primary key, n int); insert into f values (1, 1); create trigger t after update on f for each row execute function sets();
create table written (n int); create trigger t after insert on written for each row execute function links();
create table g (id int primary key, n int); insert into g values (1, 1); create trigger t after update on g for each row execute function log_it();
create table h (id int primary key, n int); insert into h values (1, 1); create rule r as on update to h do also select exports_deep();
create table i (id int primary key, n int); insert into i values (1, 1); create trigger t after update on i for each row when (exports_deep() > 0) execute function does_nothing();
create table p (id int primary key); insert into p values (1);
create table kid (id int primary key, p int references p on delete cascade); insert into kid values (1, 1); create trigger t after delete on kid for each row execute function links();
create table parted (id int, n int) partition by list (id); create table parted_1 partition of parted for values in (1); insert into parted values (1, 1);
create trigger t after update on parted_1 for each row execute function links();
create view over_a as select id, n from a;
create table def (id int primary key, n int default exports_deep());
create table off_now (id int primary key, n int); insert into off_now values (1, 1); create trigger t before update on off_now for each row execute function exports(); alter table off_now disable trigger t;
create table tally (id int primary key, n int); insert into tally values (1, 0);
create table cache (n int); insert into cache values (1), (2);
create table honest (id int primary key, n int); insert into honest values (1, 1);
create trigger t before update on honest for each row execute function counts(); create trigger t2 after update on honest for each row execute function clears();
create trigger t3 before update on honest for each row execute function suppress_redundant_updates_trigger();
create rule r as on delete to honest do also insert into cache values (old.id);`;

  test.each([
    ['a trigger that exports a file', 'update a set n = 2 where id = 1', 'lo_export'],
    ['the same through a view', 'update over_a set n = 2 where id = 1', 'lo_export'],
    ['a function that a trigger calls', 'update b set n = 2 where id = 1', 'lo_export'],
    ['a second connection', 'update c set n = 2 where id = 1', 'dblink_exec'],
    ['SQL from strings', 'update d set n = 2 where id = 1', "can't be checked"],
    ['a deferred constraint trigger', 'update e set n = 2 where id = 1', 'COPY'],
    ['a sequence that is set', 'update f set n = 2 where id = 1', 'setval'],
    ['a trigger on a table that a trigger writes to', 'update g set n = 2 where id = 1', 'dblink_exec'],
    ['a rule', 'update h set n = 2 where id = 1', 'lo_export'],
    ['the condition of a trigger', 'update i set n = 2 where id = 1', 'lo_export'],
    ['a trigger on what a cascade deletes', 'delete from p where id = 1', 'dblink_exec'],
    ['a trigger on a partition', 'update parted set n = 2 where id = 1', 'dblink_exec'],
    ['a default', 'insert into def (id) values (1)', 'lo_export'],
    ['a function of the statement', 'update off_now set n = exports_deep() where id = 1', 'lo_export'],
  ])('%s', async (_, sql, why) => {
    const answer = await previewing(() => suite.open())(sql);
    expect(answer).toEqual(expect.stringContaining(why));
    expect(answer).toMatch(/^(unsupported|denied): /);
    expect(existsSync(file())).toBe(false);
    expect(await suite.server.ask('select count(*) from outside')).toBe('0');
    expect(await suite.server.ask('select last_value from counted')).toBe('1');
  });

  test.each([
    'update off_now set n = 2 where id = 1',
    'update honest set n = 2 where id = 1',
    'delete from honest where id = 1',
    'insert into tally values (2, 0)',
  ])('an effect that a rollback undoes is previewed: %s', async sql => {
    expect(await previewing(() => suite.open())(sql)).toMatchObject({
      rows_affected: 1,
      rolled_back: true,
    });
    expect(await suite.server.ask('select count(*) from cache')).toBe('2');
  });
});

const missing = mariadbUnavailable();
let server: MariadbServer;
let database: Database;
beforeAll(async () => {
  if (missing !== null) return;
  server = await lendMariadb();
  await server.client(`drop database if exists effects; create database effects; use effects;
create table isam (id int) engine = MyISAM;
create table p (id int primary key); insert into p values (1);
create table kid (id int primary key, p int, foreign key (p) references p (id) on delete cascade); insert into kid values (1, 1);
create trigger kid_gone after delete on kid for each row insert into isam values (old.id);
create table deep (id int primary key); create trigger deep_in after insert on deep for each row insert into isam values (new.id);
create table a (id int primary key, n int); insert into a values (1, 1);
create trigger a_up after update on a for each row insert into deep values (new.id);
create table calls (id int primary key, n int); insert into calls values (1, 1);
create trigger calls_up before update on calls for each row set new.n = loads();
delimiter //
create function loads() returns int reads sql data begin declare t text; select load_file('/etc/hostname') into t; return 1; end//
create trigger calls_in before insert on calls for each row begin select 1 into outfile '/tmp/sallyport-left'; end//`);
  database = openMysql(endpointOf(server, { database: 'effects', user: 'root' }), portsOf(server));
}, 120_000);
afterAll(async () => {
  await server?.client('drop database if exists effects');
  await database?.close();
  await server?.stop();
}, 60_000);

for (const [name, sql] of [
  ['a trigger on a table that a trigger writes to', 'update a set n = 2 where id = 1'],
  ['a function that reads a file', 'update calls set n = 2 where id = 1'],
  ['a trigger that writes a file', 'insert into calls values (2, 2)'],
  // Only MySQL from 9.6 on runs triggers for cascades.
  ['a trigger on what a cascade deletes', 'delete from p where id = 1'],
] as const)
  needs(missing).test(`on MySQL and MariaDB: ${name}`, async () => {
    const answer = await previewing(() => database)(sql);
    if (name.includes('cascade') && !isMysql()) expect(answer).toMatchObject({ rolled_back: true });
    else expect(answer).toMatch(/^(unsupported|denied): /);
    expect((await server.ask('select count(*) from isam', 'effects')).trim()).toBe('0');
  });
