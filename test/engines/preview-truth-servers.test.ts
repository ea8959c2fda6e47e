/**
 * A preview tells what the statement then does, on servers too: each is previewed, run for real,
 * compared, and undone.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../../daemon/engines/engine.ts';
import type { Engine } from '../../shared/engine.ts';
import { needs } from '../needs.ts';
import type { Cell } from './collecting-sink.ts';
import { collect } from './collecting-sink.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { engineUnderTest as mariadb } from './mysql/engine.ts';
import { engineUnderTest as postgres } from './postgres/engine.ts';
import { previewing } from './preview-for-tests.ts';

const dialects: Readonly<Record<'mysql' | 'postgres', { readonly setUp: string; readonly restore: string }>> = {
  mysql: {
    setUp: `create table t (id int primary key, a int, b varchar(40) unique);
      insert into t values (1,1,'b1'),(2,2,'b2'),(3,3,'b3'),(4,0,'b4'),(5,1,'b5'),(6,2,'b6'),(7,3,'b7'),(8,0,'b8');
      create table u (x int, y int); insert into u select id, a from t;
      create trigger before_t before update on t for each row set new.b = if(new.a = 3, concat(left(new.b, 30), '!'), new.b);
      create table kept as select * from t`,
    restore: 'delete from t; insert into t select * from kept',
  },
  postgres: {
    setUp: `create table t (id int primary key, a int, b text unique);
      insert into t values (1,1,'b1'),(2,2,'b2'),(3,3,'b3'),(4,0,'b4'),(5,1,'b5'),(6,2,'b6'),(7,3,'b7'),(8,0,'b8');
      create table u (x int, y int); insert into u select id, a from t;
      create function mark() returns trigger language plpgsql as $$ begin update t set b = b || '!' where id = new.id; return null; end $$;
      create trigger after_t after update on t for each row when (new.a = 3 and new.b not like '%!') execute function mark();
      create table kept as select * from t`,
    restore: 'delete from t; insert into t select * from kept',
  },
};

function statements(engine: 'mysql' | 'postgres') {
  const value = fc.constantFrom('a + 1', '3', 'id', 'id + 20', '0 - id', '(select max(x) from u)');
  const conditions = ['a = 1', 'a in (2, 3)', 'id > (select min(y) from u)', "b like 'b%'", 'id = 99', 'a is not null'];
  const condition = fc.constantFrom(...conditions, engine === 'mysql' ? 'rand() < 0.5' : 'random() < 0.5');
  const tail = fc.constantFrom('', ';', ' -- x', ' /* y */', ' ; -- z', '\n');
  const order = fc.constantFrom(
    ...(engine === 'mysql' ? ['', ' order by id desc limit 2', ' order by rand() limit 3'] : ['']),
  );
  const update = fc
    .tuple(fc.constantFrom('a', 'id'), value, condition, order, tail)
    .map(([column, set, where, by, end]) => `update t set ${column} = ${set} where ${where}${by}${end}`);
  const remove = fc.tuple(condition, order, tail).map(([where, by, end]) => `delete from t where ${where}${by}${end}`);
  const insert = fc
    .tuple(
      fc.constantFrom("values (30, 2, 'x30'), (31, 3, 'x31')", 'select id + 30, a, null from t', "values (1, 1, 'n')"),
      tail,
    )
    .map(([source, end]) => `insert into t ${source}${end}`);
  const upsert = fc.tuple(fc.constantFrom('a', 'b'), tail).map(([column, end]) => {
    const conflict = engine === 'mysql' ? 'on duplicate key update' : 'on conflict (id) do update set';
    return `insert into t values (1, 9, 'n'), (50, 9, 'p') ${conflict} ${column} = ${column === 'a' ? '7' : "'q'"}${end}`;
  });
  return fc.oneof(update, remove, insert, upsert);
}

for (const [engine, found] of [
  ['mysql', mariadb()],
  ['postgres', postgres()],
] as const) {
  needs('unavailable' in found ? found.unavailable : null).describe(`previews and what then happens: ${engine}`, () => {
    const server = found as EngineUnderTest & { readonly engine: Engine };
    let database: Database;
    const preview = previewing(() => database);
    const rows = async (): Promise<Map<Cell, readonly Cell[]>> =>
      new Map((await collect(database, 'select * from t')).rows.map(row => [row[0] ?? null, row]));

    beforeAll(async () => {
      await server.start();
      await server.execute(dialects[engine].setUp);
      database = server.open();
    }, 60_000);
    afterAll(async () => {
      await database.close();
      await server.stop();
    }, 60_000);

    test('a hundred statements', async () => {
      const before = await rows();
      expect(before.size).toBe(8);
      await fc.assert(
        fc.asyncProperty(statements(engine), async sql => {
          const told = await preview(sql);
          expect(await rows()).toEqual(before);
          const real = await collect(database, sql, { session: 'write' });
          const after = await rows();
          await server.execute(dialects[engine].restore);
          const isRandom = sql.includes('rand');
          if (typeof told === 'string') {
            if (!isRandom) expect([sql, told, real.outcome.kind]).toEqual([sql, told, 'query_failed']);
            return;
          }
          for (const row of told.before?.rows.cells() ?? [])
            expect([sql, row]).toEqual([sql, before.get(row[0] ?? null)]);
          if (isRandom || real.outcome.kind !== 'done') return;
          expect([sql, told.rows_affected]).toEqual([sql, real.outcome.rowsAffected]);
          for (const row of told.after?.rows.cells() ?? [])
            expect([sql, row]).toEqual([sql, after.get(row[0] ?? null)]);
          if (!sql.startsWith('delete')) return;
          for (const row of told.before?.rows.cells() ?? [])
            expect([sql, after.has(row[0] ?? null)]).toEqual([sql, false]);
        }),
        { numRuns: 100 },
      );
    }, 180_000);
  });
}
