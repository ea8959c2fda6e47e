/**
 * What definitions did is asked of PostgreSQL's catalogs before their COMMIT: what changes others'
 * statements is taken back and asked about, what adds runs.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { askAndRun } from './ask-and-run.ts';
import { asking, honest, setUp } from './defined-postgres-statements.ts';
import { writingClient } from './write-as-a-client.ts';

describeWithPostgres('what a definition did is asked of the catalogs', suite => {
  let database: Database;
  let write = writingClient(() => database);

  beforeAll(() => suite.server.psql(setUp), 60_000);
  beforeEach(() => {
    database = suite.open({ user: 'app' }, 'app-only');
    write = writingClient(() => database);
  });

  test('what changes others’ statements asks, and nothing stays of it', async () => {
    const through: string[] = [];
    const state = () =>
      suite.server.psql(`select string_agg(concat(oid, relname, reloptions), ' ' order by oid) from pg_class where oid >= 16384;
      select string_agg(concat(attrelid, attname, atttypid, attnotnull, atthasdef), ' ' order by attrelid, attnum) from pg_attribute
      where attrelid >= 16384 and attnum > 0; select count(*) from pg_type; select count(*) from pg_constraint;
      select count(*) from accounts; select obj_description('orders'::regclass)`);
    for (const { sql, says } of asking) {
      const before = await state();
      const end = await write(sql);
      if (!/^denied: /.test(end) || !says.test(end)) through.push(`${sql}: ${end}`);
      if (/(\b.{20,}\.) \1/.test(end)) through.push(`${sql}: says a sentence twice`);
      if ((await state()) !== before) through.push(`${sql}: something stays`);
    }
    expect(through).toEqual([]);
  }, 120_000);

  test('what adds runs unasked, and what this client made is its own', async () => {
    const asked: string[] = [];
    for (const sql of honest) {
      const end = await write(sql);
      if (end !== 'done') asked.push(`${sql}: ${end}`);
    }
    expect(asked).toEqual([]);
  }, 120_000);

  test('a person is told what it did, and after an approval it runs', async () => {
    const sql = 'create domain public.quote_literal as text';
    const no = await askAndRun(database, sql, { decides: async () => false });
    expect(no).toMatchObject({
      end: 'no',
      questions: [{ note: expect.stringContaining('takes over calls of quote_literal') }],
    });
    expect(await suite.server.psql("select count(*) from pg_type where typname = 'quote_literal'")).toBe('0');
    const yes = await askAndRun(database, sql);
    expect([yes.end, yes.questions.length]).toEqual(['done', 1]);
    expect(await suite.server.psql("select count(*) from pg_type where typname = 'quote_literal'")).toBe('1');
    await suite.server.psql('drop domain public.quote_literal');
  });

  test('an approval is for what was shown: something else that it does is asked about', async () => {
    const sql = 'create table hers.of_late (id int)';
    const run = await askAndRun(database, sql, {
      decides: async question => {
        if (question === 1) await suite.server.psql('create table public.of_late (id int)');
        return question === 1;
      },
    });
    expect(run.end).toBe('no');
    const [first, second] = run.questions.map(({ note }) => note ?? '');
    expect(first).not.toContain('takes over');
    expect(second).toContain('takes over the name of_late');
  });

  test('it waits 2 s for a lock, as others wait behind it', async () => {
    const end = suite.server.psql('begin; lock table orders in access exclusive mode; select pg_sleep(5); commit');
    await new Promise(resolve => setTimeout(resolve, 500));
    const begun = performance.now();
    expect(await write('alter table orders add column late int')).toMatch(/^lock_timeout: .* 2 s .*"psql"/);
    expect(performance.now() - begun).toBeLessThan(4_000);
    await end;
  }, 30_000);

  test('a server that keeps no counts has each definition asked about', async () => {
    await suite.server.psql(
      "create role silent superuser login password 'silent-only'; alter role silent set track_counts = off",
    );
    const silent = suite.open({ user: 'silent' }, 'silent-only');
    expect(await writingClient(() => silent)('create table of_silent (id int)')).toMatch(/^denied: /);
  });

  test('what another made within the hour is old', async () => {
    await suite.server.psql('create table theirs (id int); alter table theirs owner to app');
    expect(await write('alter table theirs add check (id > 0)')).toMatch(/^denied: The constraint .* public\.theirs/);
    expect(await write('create table ours (id int)')).toBe('done');
    expect(await write('alter table ours add check (id > 0)')).toBe('done');
    // The name alone isn't enough.
    await suite.server.psql('drop table ours; create table ours (id int); alter table ours owner to app');
    expect(await write('alter table ours add check (id > 0)')).toMatch(/^denied: The constraint/);
  });
});
