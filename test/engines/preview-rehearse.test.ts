/**
 * What the three adapters promise about a rehearsal: it uses one session and is always rolled back,
 * however it ends.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { CallContext, Database, Rehearsal, StatementOutcome } from '../../daemon/engines/engine.ts';
import { type Cell, cellsOf, type RowText } from '../../daemon/engines/row-text.ts';
import { needs } from '../needs.ts';
import { call, collect } from './collecting-sink.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { engineUnderTest as mysql } from './mysql/engine.ts';
import { engineUnderTest as postgres } from './postgres/engine.ts';
import { eventually } from './postgres/suite.ts';
import { engineUnderTest as sqlite } from './sqlite/engine.ts';

const context: CallContext = {
  principal: null,
  client: 'suite',
  database: null,
  schema: null,
  timeoutSeconds: 30,
  signal: new AbortController().signal,
};

interface Told {
  readonly outcome: StatementOutcome;
  readonly rows: readonly (readonly Cell[])[];
}

async function tell(rehearsal: Rehearsal, sql: string, most = 1_000): Promise<Told> {
  const rows: (readonly Cell[])[] = [];
  const sink = { columns() {}, row: (row: RowText) => rows.push(cellsOf(row)) < most };
  const outcome = await rehearsal.run({ sql, parameters: [], limits: call.limits, ours: false }, sink);
  return { outcome, rows };
}

for (const found of [sqlite(), postgres(), mysql()]) {
  needs('unavailable' in found ? found.unavailable : null).describe(`a rehearsal: ${found.engine}`, () => {
    const server = found as EngineUnderTest;
    let database: Database;
    beforeAll(async () => {
      await server.start();
      await server.execute(
        'create table tried (id int primary key, n int); insert into tried values (1, 1), (2, 2), (3, 3)',
      );
    }, 60_000);
    afterAll(() => server.stop(), 60_000);
    beforeEach(() => {
      database = server.open();
    });
    afterEach(async () => {
      const { rows } = await collect(database, 'select id, n from tried order by id');
      expect(rows).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
      await database.close();
      await eventually(
        () => server.runningStatements(),
        running => running.length === 0,
      );
    });

    test('each statement sees the earlier ones, and nothing remains', async () => {
      const answer = await database.rehearse(context, async rehearsal => [
        (await tell(rehearsal, 'delete from tried where id > 1')).outcome,
        (await tell(rehearsal, 'update tried set n = 7')).outcome,
        (await tell(rehearsal, 'select id, n from tried')).rows,
      ]);
      expect(answer).toEqual({
        kind: 'done',
        value: [
          expect.objectContaining({ kind: 'done', rowsAffected: 2 }),
          expect.objectContaining({ kind: 'done', rowsAffected: 1 }),
          [[1, 7]],
        ],
      });
    });

    test('a sink that has enough stops no statement', async () => {
      const answer = await database.rehearse(context, async rehearsal => {
        const few = await tell(rehearsal, 'select id from tried order by id', 1);
        return [few.outcome.kind, few.rows, (await tell(rehearsal, 'select count(*) from tried')).rows.map(String)];
      });
      expect(answer).toEqual({ kind: 'done', value: ['done', [[1]], ['3']] });
    });

    test('the work’s own error is thrown, and the database continues', async () => {
      const broken = database.rehearse(context, async rehearsal => {
        await tell(rehearsal, 'delete from tried');
        throw new Error('the work broke');
      });
      await expect(broken).rejects.toThrow('the work broke');
    });

    test('a failed statement is reported, and nothing remains', async () => {
      const answer = await database.rehearse(context, async rehearsal => {
        await tell(rehearsal, 'delete from tried where id = 1');
        return (await tell(rehearsal, 'insert into tried values (2, 2)')).outcome.kind;
      });
      expect(answer).toEqual({ kind: 'done', value: 'query_failed' });
    });

    test('a client that left before the start', async () => {
      const answer = await database.rehearse({ ...context, signal: AbortSignal.abort() }, async () => 'began');
      expect(answer).toEqual({ kind: 'cancelled' });
    });

    test('closing the database ends it', async () => {
      const other = server.open();
      const answer = await other.rehearse(context, async rehearsal => {
        await tell(rehearsal, 'delete from tried');
        await other.close();
        return (await tell(rehearsal, 'select 1')).outcome.kind;
      });
      expect(answer).not.toEqual({ kind: 'done', value: 'done' });
      await eventually(
        async () => (await collect(database, 'select count(*) from tried')).rows.map(String),
        rows => rows.join() === '3',
      );
    });

    test('twenty in a row use no more sessions than one', async () => {
      for (let count = 0; count < 20; count++) {
        const answer = await database.rehearse(context, rehearsal => tell(rehearsal, 'update tried set n = n + 1'));
        expect(answer).toMatchObject({ kind: 'done', value: { outcome: { kind: 'done', rowsAffected: 3 } } });
      }
    });
  });
}
