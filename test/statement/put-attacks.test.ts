/** A hole in the guard is seen: a statement that it takes for less than is published. */

import { expect, test } from '@jest/globals';
import type { Classified } from '../../daemon/engines/classified.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { named } from '../../daemon/guard/attacks/attack.ts';
import { attacksOf } from '../../daemon/guard/attacks/attacks.ts';
import { putAttacks } from '../../daemon/statement/put-attacks.ts';
import { call } from '../engines/collecting-sink.ts';
import { judgingInThread } from './classifier-in-thread.ts';

const names = { table: 't', other: 'u', column: 'v', key: 'id', text: 'name' };

async function put(hole: string | null, signal = call.signal) {
  const classifier = judgingInThread();
  const database = {
    async follow(_classifier: unknown, _context: unknown, sql: string): Promise<Classified> {
      const asked = sql === hole ? 'SELECT 1' : sql;
      const judged = await classifier.ask(call, 'sqliteClass', asked);
      if (judged.kind !== 'done') throw new Error(judged.kind);
      return { kind: 'classified', classification: judged.value };
    },
  } as Pick<Database, 'follow'> as Database;
  return putAttacks({ database, classifier, context: { ...call, signal }, groups: attacksOf.sqlite, names });
}

test('without a hole nothing passes, and with one just that passes', async () => {
  expect((await put(null)).flatMap(({ passed }) => passed)).toEqual([]);
  for (const { tried, statements } of await put(null)) expect(statements.length).toBe(tried);
  const hole = named('DELETE FROM {other}', names) ?? '';
  expect((await put(hole)).flatMap(({ passed }) => passed)).toEqual([{ sql: hole, class: 'read' }]);
});

test('what comes too late is told as untried', async () => {
  const late = await put(null, AbortSignal.abort());
  expect(late.map(({ tried }) => tried)).toEqual(late.map(() => 0));
  expect(late.reduce((sum, { untried }) => sum + untried, 0)).toBe(53);
});

test('a name that the database lacks leaves its statement out', () => {
  expect(named('CLUSTER {table} USING {index}', names)).toBeNull();
  expect(named('SELECT {sequence}', { sequence: '"s"' })).toBe('SELECT "s"');
});
