/**
 * What definitions did is asked of PostgreSQL's catalogs before their COMMIT: what changes others'
 * statements is taken back and asked about, what adds runs.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
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
});
