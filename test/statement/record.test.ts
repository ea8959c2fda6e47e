/**
 * What is recorded of a run, and when: an attempt before a possible write, its end before the
 * answer, and nothing if nothing ran.
 */

import { expect, test } from '@jest/globals';
import type { ActivityResult } from '../../daemon/activity.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { toolError } from '../../daemon/refusal.ts';
import { callOf } from '../../daemon/statement/call.ts';
import { outdated } from '../../daemon/statement/failure-refusals.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { type RecordPorts, recordRun, type StatementEnd } from '../../daemon/statement/record.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker } from '../activity/unrecorded.ts';

const call = callOf(
  {
    databases: { of: () => ({}) as Database, forget: async () => {}, close: async () => {} },
    limits: () => defaultQueryLimits,
  },
  {
    resolved: {
      connection: connectionWith({}),
      access: { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false },
    },
    origin: someAsker,
    client: 'test',
    sql: 'SELECT 1',
    signal: new AbortController().signal,
  },
);

/** A log that keeps its entries in order. */
function log(): { readonly ports: RecordPorts; readonly told: string[] } {
  const told: string[] = [];
  const words = ({ outcome }: Pick<ActivityResult, 'outcome'>): string => outcome;
  return {
    told,
    ports: {
      activity: {
        record: entry => void told.push(`row ${words(entry)}`),
        attempt: async intent => {
          told.push('attempt');
          return { number: 1, intent };
        },
        outcome: async (_, result) => void told.push(`settled ${words(result)}`),
        problem: () => null,
      },
      history: { record: ({ outcome, attempt }) => void told.push(`history ${outcome} ${attempt ?? ''}`.trimEnd()) },
      unknownOutcomes: {
        sent: () => isUnknown => void told.push(isUnknown ? 'kept' : 'dropped'),
        look: async () => ({ outcomes: [], told() {} }),
      },
    },
  };
}

const done: StatementEnd = { kind: 'done', rows: 1, durationMilliseconds: 1 };
const ofNow: StatementEnd = { kind: 'refused', refusal: outdated, durationMilliseconds: 1 };

test('a try by an earlier verdict, which ran nothing, leaves no row', async () => {
  const { ports, told } = log();
  expect(await recordRun(ports, call, 'read', false, async () => ofNow)).toBe(ofNow);
  expect(told).toEqual([]);
  await recordRun(ports, call, 'read', false, async () => done);
  expect(told).toEqual(['history success', 'row success']);
});

test('a possible write is an attempt before it runs and settled before its answer', async () => {
  const { ports, told } = log();
  await recordRun(ports, call, 'write', true, async () => {
    told.push('runs');
    return done;
  });
  expect(told).toEqual(['attempt', 'runs', 'history success', 'settled success']);
});

test('a write whose run throws is settled as unknown, and the error is passed on', async () => {
  const { ports, told } = log();
  const running = recordRun(ports, call, 'write', true, async () => {
    throw new Error('planted');
  });
  await expect(running).rejects.toThrow('planted');
  expect(told).toEqual(['attempt', 'history unknown', 'settled unknown']);
});

test('a COMMIT is kept from before it is sent until its end is known', async () => {
  const { ports, told } = log();
  await recordRun(ports, call, 'write', true, async committing => {
    committing?.({ mark: 'm', transaction: '7' });
    return done;
  });
  expect(told).toEqual(['attempt', 'history unknown 1', 'history success 1', 'settled success', 'dropped']);
  told.length = 0;
  const refusal = toolError('outcome_unknown', 'Nobody saw it.');
  await recordRun(ports, call, 'write', true, async committing => {
    committing?.({ mark: 'm', transaction: '7' });
    return { kind: 'refused', refusal, durationMilliseconds: 1 };
  });
  expect(told).toEqual(['attempt', 'history unknown 1', 'history unknown 1', 'settled unknown', 'kept']);
});
