/**
 * Writes of a client that wants a table gone, and honest writes, from the tool to a real
 * PostgreSQL: the first are refused, the second run without asking.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { collect } from '../engines/collecting-sink.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { attacks, honest, setUp, stateQuestion } from './counted-postgres-statements.ts';
import { writingClient } from './write-as-a-client.ts';

describeWithPostgres('on PostgreSQL the changed rows decide about a write', suite => {
  let database: Database;
  let write = writingClient(() => database);
  const state = () => suite.server.ask(stateQuestion);

  beforeAll(() => suite.server.psql(setUp), 60_000);
  beforeEach(() => {
    database = suite.open();
    write = writingClient(() => database);
  });

  test('attacks are refused, and change nothing', async () => {
    const through: string[] = [];
    const before = await state();
    for (const sql of attacks) {
      write = writingClient(() => database);
      const end = await write(sql);
      if (!/^(denied|unsupported): /.test(end) || (await state()) !== before) through.push(`${sql}: ${end}`);
    }
    expect(through).toEqual([]);
  }, 120_000);

  test('honest writes run without asking', async () => {
    const asked: string[] = [];
    for (const sql of honest) {
      write = writingClient(() => database);
      const end = await write(sql);
      if (end !== 'done') asked.push(`${sql}: ${end}`);
    }
    expect(asked).toEqual([]);
  }, 120_000);

  test('what a role can’t see is refused, or decided by what it sees', async () => {
    database = suite.open({ user: 'narrow' }, 'narrow-only');
    expect(await write("update tenant set who = 'narrow' where id < 3")).toBe('done');
    expect(await write('delete from tenant where id > 0')).toMatch(
      /^denied: .*emptied "public.tenant" \(3 rows deleted\)/,
    );
    expect(await write('update blind set n = 2 where id = 1')).toBe('done');
    expect(await write('update blind set n = 2 where id > 0')).toMatch(
      /^denied: .*this role may not read "public.blind"/,
    );
    expect(await suite.server.psql('select sum(n) from blind')).toBe('4');
  });

  test('rows that a policy hides are counted too', async () => {
    await suite.server.psql(`create table fenced (id int primary key, n int); insert into fenced select g, 0 from generate_series(1, 2000) g;
      alter table fenced enable row level security; create policy few on fenced using (id in (1, 2, 2000)); grant select on fenced to narrow;
      create function reaches() returns int language sql security definer as 'update public.fenced set n = 1 where id < 1501; select 1'`);
    database = suite.open({ user: 'narrow' }, 'narrow-only');
    expect(await write('select reaches()')).toMatch(/^denied: .*"public.fenced" \(1,500 rows updated\)/);
    expect(await suite.server.psql('select sum(n) from fenced')).toBe('0');
  });

  test('rows that are added have a limit, save in a table that this client made', async () => {
    await suite.server.psql(`create table filled (id int); create table filled_parts (id int) partition by range (id);
      create table filled_1 partition of filled_parts for values from (0) to (1000000); create table heard (id int);
      create function hear() returns trigger language plpgsql as 'begin insert into heard select g from generate_series(1, 60000) g; return null; end';
      create table speaking (id int); create trigger hear after insert on speaking for each statement execute function hear()`);
    const many = (table: string, rows: number) => `insert into ${table} select g from generate_series(1, ${rows}) g`;
    expect(await write(many('filled', 40_000))).toBe('done');
    expect(await write(many('filled', 20_000))).toMatch(
      /^denied: .*added too many rows to "public.filled" \(20,000 rows\).*and 40,000 rows were added already/,
    );
    expect(await write(many('filled_parts', 60_000))).toMatch(/^denied: .*too many rows to "public.filled_parts"/);
    expect(await write('insert into speaking values (1)')).toMatch(/^denied: .*too many rows to "public.heard"/);
    expect(await write('create table own (id int)')).toBe('done');
    expect(await write(many('own', 60_000))).toBe('done');
    expect(await write(many('filled', 5_000))).toBe('done');
  }, 60_000);

  test('a superuser’s read fills no disk', async () => {
    const shown = async (sql: string) => {
      const { rows } = await collect(database, sql, { session: 'read', most: 1 });
      return rows[0]?.[0];
    };
    const limit = "select current_setting('temp_file_limit')";
    expect(await shown(limit)).toBe('4GB');
    await suite.server.psql("alter role postgres set temp_file_limit = '1GB'");
    database = suite.open();
    expect(await shown(limit)).toBe('1GB');
    await suite.server.psql('alter role postgres reset temp_file_limit');
  });

  test('a server without statistics has its writes refused', async () => {
    await suite.server.psql(
      "create role quiet superuser login password 'quiet-only'; alter role quiet set track_counts = off",
    );
    database = suite.open({ user: 'quiet' }, 'quiet-only');
    expect(await write('update big set n = 1 where id = 2000')).toMatch(/^denied: .*track_counts is off/);
  });

  test('a refusal names the numbers, what remains of it, and what to do instead', async () => {
    expect(await write("with a as (delete from c2 where id > 0) insert into sink (what) values ('x')")).toBe(
      'denied: Nothing was changed: it would have emptied "public.c2" (2 rows deleted). Values taken from sequences ("public.sink_id_seq") stay used up: a rollback does not give them back. preview_write tells what it would change. confirm_destructive_operation runs it once the user approves.',
    );
  });

  test('a dropped table has no name to show', async () => {
    expect(await write('insert into axe values (1)')).toMatch(
      /because it truncated, dropped or changed a table as a whole\./,
    );
    expect(await write('insert into blade values (1)')).toMatch(
      /because it truncated, dropped or changed "public\.cut" as a whole\./,
    );
  });

  test('a preview is advised only if one is possible', async () => {
    const within = [
      'with d as (delete from c2 where id > 0 returning *) select * from d',
      'select wipe()',
      'call wiping()',
    ];
    for (const sql of within) {
      const end = await write(sql);
      expect(end).toMatch(
        /^denied: Nothing was changed: it would have emptied .*confirm_destructive_operation runs it/,
      );
      expect(end).not.toContain('preview_write');
    }
    expect(await write('delete from c2 where id > 0')).toContain('preview_write tells what it would change.');
  });

  test('counts of earlier statements in the same session don’t count again', async () => {
    for (let round = 0; round < 8; round++)
      expect(await write(`update big set n = ${round} where id between 4001 and 4120`)).toBe('done');
    expect(await write('update big set n = 0 where id between 4001 and 4120')).toMatch(
      /^denied: .*960 rows were changed already/,
    );
    expect(await write('update one set n = 0 where id = 1')).toBe('done');
  });

  test('in slices: the limit per hour holds', async () => {
    const ends: string[] = [];
    for (let from = 2_001; from <= 3_400; from += 400)
      ends.push(await write(`delete from big where id between ${from} and ${from + 399}`));
    expect(ends.map(end => end.split(':')[0])).toEqual(['done', 'done', 'denied', 'denied']);
    expect(ends[2]).toContain('a token may change 1,000 rows of a table in an hour, and 800 rows were changed already');
    expect(await suite.server.psql('select count(*) from big where id between 2801 and 3400')).toBe('600');
  });
});
