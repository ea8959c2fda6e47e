/**
 * What the guard of PostgreSQL doesn't prevent, as docs/walls.md and SECURITY.md say: each happens
 * here, and a lesser role prevents it.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, collect } from '../engines/collecting-sink.ts';
import { needs } from '../needs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { until } from '../waiting/until.ts';
import { postgresWorld } from '../walls/postgres-world.ts';
import { changedParts, type World } from '../walls/world.ts';
import { ask, isOurs } from './guard-postgres/ask.ts';

const found = findPostgres();
const missing = 'unavailable' in found ? found.unavailable : null;
const patienceMilliseconds = 120_000;

const objects = `
  create schema old; grant usage on schema old to public;
  create function old.from_strings() returns text language plpgsql as $$ declare x text; begin execute 'select max(rolpassword) from ' || 'pg_authid' into x; return x; end $$;
  create function old.in_c(text, text) returns text language c as '$libdir/dblink', 'dblink_exec';
  create function old.clears() returns trigger language plpgsql as 'begin delete from created_at; return new; end';
  create table old.watched(id int);
  create trigger clears after insert on old.watched for each row execute function old.clears();
  create view old.changing as select 1 as x;
`;

needs(missing).describe('what the guard of PostgreSQL leaves to the role', () => {
  let world: World;
  beforeAll(async () => {
    if ('unavailable' in found) return;
    world = postgresWorld(found, objects);
    await world.start();
  }, patienceMilliseconds);
  afterAll(() => world?.stop(), patienceMilliseconds);

  const ends = async (level: 'readOnly' | 'readWrite', sql: string): Promise<string> =>
    (await ask(world, 'superuser', level, [{ sql }]))[0]?.end ?? '';

  test('SQL from strings, and code in C, are writes, whatever they do', async () => {
    for (const sql of [
      'select old.from_strings()',
      "select old.in_c('host=127.0.0.1 port=5432 dbname=adv user=advowner', 'delete from u')",
    ]) {
      expect(isOurs(await ends('readOnly', sql))).toBe(true);
      expect([sql, await ends('readWrite', world.place(sql))]).toEqual([sql, 'success']);
    }
  });

  test('an existing trigger deletes with the insert that sets it off', async () => {
    await world.reset();
    await ends('readWrite', 'insert into created_at values (1)');
    const before = await world.state('superuser');
    expect(await ends('readWrite', 'insert into old.watched values (1)')).toBe('success');
    const { rows } = await collect(world.database('superuser'), 'select count(*)::int from created_at');
    expect(rows).toEqual([[0]]);
    expect(changedParts(before, await world.state('superuser'))).toEqual(['rows']);
  });

  test('a foreign table shows the file that its owner named', async () => {
    expect(await ends('readOnly', 'select * from passwd_ft')).toBe('success');
  });

  test("a superuser sees the text of other sessions' statements", async () => {
    const other = "select pg_sleep(5), 'password ''shown-s3cret'''";
    const controller = new AbortController();
    const running = collect(world.database('superuser'), other, { signal: controller.signal });
    const asked = "select query from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()";
    await until(async () => {
      const { rows } = await collect(world.database('superuser'), asked);
      return JSON.stringify(rows).includes('shown-s3cret');
    }, 'the statement of the other session is seen');
    expect(await ends('readOnly', asked)).toBe('success');
    controller.abort();
    await running;
  });

  test('if something changes between the check and the run, the run uses the changed state', async () => {
    await world.reset();
    const sql = 'select * from old.changing';
    const classified = await world.database('superuser').follow(judgingInThread(), call, sql);
    expect(classified).toMatchObject({ kind: 'classified', classification: { class: 'read' } });
    const changed =
      "create or replace view old.changing as select count(pg_terminate_backend(pid))::int as x from pg_stat_activity where application_name = 'victim'";
    await collect(world.database('superuser'), changed, { session: 'write' });
    const before = await world.state('superuser');
    await collect(world.database('superuser'), sql);
    expect(changedParts(before, await world.state('superuser'))).toEqual(['other sessions']);
    expect(isOurs(await ends('readOnly', sql))).toBe(true);
  });
});
