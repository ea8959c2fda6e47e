/**
 * Writes that end in a foreign table of PostgreSQL, whose rows Sallyport can't count. They are
 * refused, unless the server's own count shows that the rows are few.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { previewing } from '../engines/preview-for-tests.ts';
import { writingClient } from './write-as-a-client.ts';

const setUp = (port: number) => `
create extension postgres_fdw;
create role far login password 'not-a-secret';
create table rt as select i as id, 0 as v from generate_series(1, 500) as i; grant all on rt to far;
create server lb foreign data wrapper postgres_fdw options (host '127.0.0.1', port '${port}', dbname 'postgres');
create user mapping for current_user server lb options (user 'far', password 'not-a-secret');
create foreign table ftb (id int, v int) server lb options (table_name 'rt');
create foreign table fresh (id int, v int) server lb options (table_name 'rt');
create foreign table watched (id int, v int) server lb options (table_name 'rt');
create table hst (id int primary key, v int); insert into hst values (1, 1), (2, 2);
create function empties() returns trigger language plpgsql as $$ begin delete from ftb where id > 0; return null; end $$;
create trigger empties after update on hst for each row execute function empties();
create table hst_some (id int primary key, v int); insert into hst_some values (1, 1), (2, 2);
create function empties_some() returns trigger language plpgsql as $$ begin delete from ftb where v = 0; return null; end $$;
create trigger empties_some after update on hst_some for each statement execute function empties_some();
create table hst_text (id int primary key, v int); insert into hst_text values (1, 1), (2, 2);
create function empties_by_text() returns trigger language plpgsql as $$ begin execute 'del' || 'ete from f' || 'tb where id > 0'; return null; end $$;
create trigger empties_by_text after update on hst_text for each row execute function empties_by_text();
create table hst_cut (id int primary key, v int); insert into hst_cut values (1, 1), (2, 2);
create function cuts() returns trigger language plpgsql as $$ begin truncate ftb; return null; end $$;
create trigger cuts after update on hst_cut for each row execute function cuts();
create table hr (id int primary key, v int); insert into hr values (1, 1), (2, 2);
create rule also as on update to hr do also delete from ftb where id > 0;
create view v_ftb as select id, v from ftb;
create view v_ruled as select id from hst;
create rule instead as on delete to v_ruled do instead delete from ftb where id > 0;
create trigger empties_watched after insert or update or delete on watched for each row execute function empties();
create function ffx() returns int language sql as 'delete from ftb where id > 0; select 1';
create function ffx_narrow() returns int language sql as 'delete from ftb where v = 0; select 1';
create function ffx_plpgsql() returns int language plpgsql as $$ begin delete from ftb where id > 0; return 1; end $$;
create function ffx_text() returns int language plpgsql as $$ begin execute 'delete from f' || 'tb where id > 0'; return 1; end $$;
create function ffx_outer() returns int language sql as 'update hst_some set v = v where id = -1; delete from ftb where id = 0; select ffx_narrow()';
create function plain(i int) returns int language sql as 'select i + 1';
`;

const attacks: readonly string[] = [
  // The text shows it.
  'delete from ftb where id > 0',
  'delete from ftb where v = 0',
  'delete from ftb where v in (0, 1, 2)',
  'update ftb set v = 1 where v = 0',
  'delete from v_ftb where v = 0',
  'with d as (delete from ftb where v = 0 returning *) select count(*) from d',
  'with d as (delete from ftb where v = 0 returning *) delete from ftb where id = -1',
  'with d as (delete from ftb where v = 0 returning *) insert into fresh values (-1, -1)',
  'with d as (delete from ftb where v = 0 returning *) update hst_cut set v = 1 where id = -1',
  'explain analyze delete from ftb where v = 0',
  // Triggers and rules set it off.
  'update hst set v = 6 where id = 1',
  'update hst_some set v = 6 where id = -1',
  'update hst_text set v = 6 where id = 1',
  'update hst_cut set v = 6 where id = 1',
  'update hr set v = 6 where id = 1',
  'delete from v_ruled where id = 1',
  'insert into watched values (-1, 0)',
  'update watched set v = 0 where id = 1',
  'delete from watched where id = 1',
  // A called function does it.
  'select ffx()',
  'select ffx_narrow()',
  'select ffx_plpgsql()',
  'select ffx_text()',
  'select ffx_outer()',
  'delete from ftb where id = ffx()',
  'delete from ftb where id = 3 and ffx_narrow() = 1',
  'delete from ftb where id = 3 and ffx_text() = 1',
  'insert into ftb select ffx_narrow(), 1',
  'insert into hst_cut values (9, ffx_narrow())',
];

const honest: readonly string[] = [
  'delete from ftb where id = 1',
  'delete from ftb where id in (2, 3, 4)',
  'update ftb set v = 5 where id = 5',
  'update v_ftb set v = 6 where id = 6',
  'delete from ftb where id = -1',
  'insert into ftb values (501, 0), (502, 0)',
  'insert into ftb select i, 0 from generate_series(503, 2000) as i',
  'insert into ftb select plain(i), 0 from generate_series(503, 504) as i',
  'insert into hst_cut select id, v from ftb where id between 10 and 20',
  'update hst_cut set v = 1 where id = -1',
];

describeWithPostgres('a write that ends in a foreign table', suite => {
  let database: Database;
  let write = writingClient(() => database);
  const preview = previewing(() => database);
  const state = () => suite.server.ask('select count(*), sum(id), sum(v) from rt');

  beforeAll(() => suite.server.psql(setUp(suite.server.port)), 60_000);
  beforeEach(() => {
    database = suite.open();
    write = writingClient(() => database);
  });

  test('attacks are refused, and change nothing', async () => {
    const through: string[] = [];
    for (const sql of attacks) {
      const before = await state();
      const end = await write(sql);
      if (!/^(denied|unsupported): /.test(end) || (await state()) !== before) through.push(`${sql}: ${end}`);
    }
    expect(through).toEqual([]);
  }, 120_000);

  test('a preview of such a write is refused', async () => {
    const before = await state();
    for (const sql of ['update hst set v = 7 where id = 1', 'update hst_text set v = 7 where id = 1'])
      expect([sql, JSON.stringify(await preview(sql))]).toEqual([
        sql,
        expect.stringMatching(/unsupported.*(foreign table|SQL from a string)/),
      ]);
    expect(await state()).toBe(before);
  });

  test('honest writes run without asking', async () => {
    const asked: string[] = [];
    for (const sql of honest) {
      const end = await write(sql);
      if (end !== 'done') asked.push(`${sql}: ${end}`);
    }
    expect(asked).toEqual([]);
  }, 120_000);

  test('in slices: the limit per hour holds', async () => {
    write = writingClient(() => database, { writeRowLimit: 5 });
    const slice = (from: number) => write(`delete from ftb where id in (${from}, ${from + 1}, ${from + 2})`);
    expect(await slice(20)).toBe('done');
    expect(await slice(30)).toMatch(/^denied: .*"public.ftb" \(3 rows deleted\).*3 rows were changed already/);
  });
});
