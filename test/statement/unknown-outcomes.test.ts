/** Writes whose COMMIT nobody saw end: when their server is asked, and who is told what. */

import { beforeEach, expect, test } from '@jest/globals';
import type { Answer, CommitFate, Database } from '../../daemon/engines/engine.ts';
import { callOf } from '../../daemon/statement/call.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { type SentCommit, type UnknownOutcomes, unknownOutcomes } from '../../daemon/statement/unknown-outcomes.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker } from '../activity/unrecorded.ts';

const connection = connectionWith({});
const intent = { category: 'query', action: 'execute_query', client: 'mine', connection } as const;
const commit = { attempt: { number: 7, intent }, account: 'p', trace: { mark: 'm' } };
const day = 86_400_000;

let now = 0;
let answer: Answer<CommitFate>;
let asked = 0;
let done: string[] = [];
let outcomes: UnknownOutcomes;

beforeEach(() => {
  now = 1_000;
  asked = 0;
  done = [];
  outcomes = open();
});

function open(left: readonly (SentCommit & { readonly settled: () => void })[] = []): UnknownOutcomes {
  return unknownOutcomes({
    left,
    keep: ({ attempt }) => {
      done.push(`kept ${attempt.number}`);
      return () => void done.push(`settled ${attempt.number}`);
    },
    activity: { outcome: async ({ number }, { outcome }) => void done.push(`log ${number} ${outcome}`) },
    history: { settle: async (number, outcome) => void done.push(`history ${number} ${outcome}`) },
    now: () => now,
  });
}

async function look(client = 'mine', account = 'p', changed: Partial<typeof connection> = {}) {
  const fateOf = async () => {
    asked += 1;
    return answer;
  };
  const call = callOf(
    {
      databases: { of: () => ({ fateOf }) as unknown as Database, forget: async () => {}, close: async () => {} },
      limits: () => defaultQueryLimits,
    },
    {
      resolved: {
        connection: { ...connection, ...changed },
        access: { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false },
      },
      origin: { ...someAsker, account },
      client,
      sql: 'SELECT 1',
      signal: new AbortController().signal,
    },
  );
  const later = await outcomes.look(call);
  later.told();
  return later.outcomes.map(({ fate }) => fate);
}

test('one whose end was seen is forgotten, and its server is not asked', async () => {
  outcomes.sent(commit)(false);
  expect(done).toEqual(['kept 7', 'settled 7']);
  expect(await look()).toEqual([]);
  expect(asked).toBe(0);
});

test('one that is under way is not asked about', async () => {
  outcomes.sent(commit);
  expect(await look()).toEqual([]);
  expect(asked).toBe(0);
});

test.each([
  ['done', 'success', 'success'],
  ['not_done', 'error', 'rolled_back'],
] as const)('%s: log and history get it once, and its own client is told once', async (fate, logged, kept) => {
  outcomes.sent(commit)(true);
  answer = { kind: 'done', value: fate };
  expect(await look('mine', 'p', { id: 'another' })).toEqual([]);
  expect(asked).toBe(0);
  expect(await look('other')).toEqual([]);
  expect(await look('mine', 'another account')).toEqual([]);
  expect(await look()).toEqual([fate]);
  expect(await look()).toEqual([]);
  expect(asked).toBe(1);
  expect(done).toEqual(['kept 7', 'settled 7', `log 7 ${logged}`, `history 7 ${kept}`]);
});

test('open is told each time, until the server has ended it', async () => {
  outcomes.sent(commit)(true);
  answer = { kind: 'done', value: 'open' };
  expect(await look()).toEqual(['open']);
  expect(await look()).toEqual(['open']);
  expect(done).toEqual(['kept 7']);
  answer = { kind: 'done', value: 'not_done' };
  expect(await look()).toEqual(['not_done']);
});

test('a server that can’t be reached is asked again, for a week', async () => {
  outcomes.sent(commit)(true);
  answer = { kind: 'not_connected', message: 'Nobody listens.' };
  expect([await look(), await look()]).toEqual([[], []]);
  expect(asked).toBe(2);
  now += 7 * day + 1;
  expect(await look()).toEqual([]);
  expect(asked).toBe(2);
  expect(done).toEqual(['kept 7', 'settled 7']);
});

test('a server that gives no answer is asked about one of several, and then about all', async () => {
  for (const number of [7, 8, 9]) outcomes.sent({ ...commit, attempt: { number, intent } })(true);
  answer = { kind: 'no_answer', stage: 'statement', seconds: 3 };
  expect([await look(), asked]).toEqual([[], 1]);
  answer = { kind: 'query_failed', message: 'It knows no such function.', code: '42883' };
  expect([await look(), asked]).toEqual([[], 4]);
  answer = { kind: 'done', value: 'done' };
  expect([await look(), asked]).toEqual([['done', 'done', 'done'], 7]);
});

test('one that the server can’t tell is not asked about again', async () => {
  outcomes.sent(commit)(true);
  answer = { kind: 'done', value: 'untold' };
  expect([await look(), await look()]).toEqual([[], []]);
  expect(asked).toBe(1);
  expect(done).toEqual(['kept 7', 'settled 7']);
});

test('what an earlier run left is asked about; two calls at once record it once', async () => {
  outcomes = open([{ ...commit, sentAt: now, settled: () => void done.push('settled') }]);
  answer = { kind: 'done', value: 'done' };
  expect((await Promise.all([look('other'), look('another')])).flat()).toEqual([]);
  expect(done).toEqual(['settled', 'log 7 success', 'history 7 success']);
  expect(await look()).toEqual(['done']);
});
