import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Approvals,
  openApprovals,
  type QuestionContent,
  type QuestionEvent,
} from '../../../daemon/access/questions/approvals.ts';
import { deskForTests, type TestDesk } from '../desk/desk-for-tests.ts';
import { principalWith } from '../principals.ts';

const content: QuestionContent = {
  kind: 'statement',
  client: 'a client',
  means: 'Once.',
  connection: { id: 'shop', name: 'Shop', tags: [], colour: null },
  statement: { text: 'drop table t', class: 'destructive', reason: 'DROP removes.', reasonParts: [], tables: ['t'] },
};

let attached = true;
let time: TestDesk;
let approvals: Approvals;
let events: QuestionEvent[] = [];
const never = new AbortController().signal;

beforeEach(() => {
  attached = true;
  events = [];
  time = deskForTests({}, number => `question${number}`);
  approvals = openWith(null);
  approvals.onEvent(event => events.push(event));
});

function openWith(bringShell: (() => Promise<void>) | null): Approvals {
  return openApprovals({ desk: time.desk, someoneAnswers: () => attached, bringShell });
}

describe('with nobody attached', () => {
  beforeEach(() => {
    attached = false;
  });

  test('a shell is opened if possible, and asked', async () => {
    const brought = openWith(async () => {
      attached = true;
    });
    const verdict = brought.ask(principalWith(), content, never);
    await new Promise(setImmediate);
    expect(brought.decide('question1', 'yes', 'by a person')).toBe(true);
    expect(await verdict).toEqual({ kind: 'yes' });
  });

  test('the answer is no if no shell comes, and none is opened for what may not be asked', async () => {
    let times = 0;
    const brought = openWith(async () => {
      times += 1;
    });
    expect(await brought.ask(principalWith(), content, never)).toEqual({ kind: 'nobody' });
    const form = { asker: { id: 'a', group: null, lineage: [] }, key: null, about: 'shop', facts: {} };
    const inClient = time.desk.of('form').ask(form);
    time.desk.of('form').move(inClient?.ask.id ?? '', 'no');
    expect(await brought.ask(principalWith(), content, never)).toMatchObject({ kind: 'quiet' });
    expect(times).toBe(1);
  });

  test('a request that ends meanwhile stops waiting', async () => {
    const gone = new AbortController();
    const verdict = openWith(() => new Promise(() => {})).ask(principalWith(), content, gone.signal);
    gone.abort();
    expect(await verdict).toEqual({ kind: 'cancelled' });
  });
});

describe('one question', () => {
  test.each(['yes', 'no'] as const)('is answered with %s once, and reported', async answer => {
    const verdict = approvals.ask(principalWith(), content, never);
    expect(approvals.pending()).toMatchObject([
      { id: 'question1', facts: { client: 'a client', tokenName: 'a token' } },
    ]);
    expect(approvals.decide('question1', answer, 'by a person')).toBe(true);
    expect(approvals.decide('question1', 'yes', 'by a person')).toBe(false);
    expect(await verdict).toEqual({ kind: answer });
    expect(events.map(({ what }) => what)).toEqual(['asked', 'ended']);
    expect(events[1]).toMatchObject({ because: answer, by: 'by a person' });
    expect(approvals.pending()).toEqual([]);
    expect(time.timers.size).toBe(0);
  });

  test('lives five minutes', async () => {
    const verdict = approvals.ask(principalWith(), content, never);
    time.pass(300_000);
    expect(await verdict).toEqual({ kind: 'timeout' });
  });

  test('a late answer doesn’t count, even if the timer slept', async () => {
    const verdict = approvals.ask(principalWith(), content, never);
    time.sleep(300_000);
    expect(approvals.decide('question1', 'yes', 'by a person')).toBe(false);
    expect(await verdict).toEqual({ kind: 'timeout' });
    expect(events[1]).toMatchObject({ because: 'timeout', by: null });
  });

  test('ends with its request', async () => {
    const request = new AbortController();
    const verdict = approvals.ask(principalWith(), content, request.signal);
    request.abort();
    expect(await verdict).toEqual({ kind: 'cancelled' });
    expect(approvals.pending()).toEqual([]);
    expect(await approvals.ask(principalWith(), content, request.signal)).toEqual({ kind: 'cancelled' });
  });

  test('is refused at once if nobody can be asked', async () => {
    attached = false;
    expect(await approvals.ask(principalWith(), content, never)).toEqual({ kind: 'nobody' });
    expect(events).toEqual([]);
  });
});

describe('many questions', () => {
  test('at most three are open per principal, and another principal has its own three', async () => {
    for (let count = 0; count < 3; count++) void approvals.ask(principalWith(), content, never);
    expect(await approvals.ask(principalWith(), content, never)).toEqual({ kind: 'too_many_open' });
    void approvals.ask(principalWith({ id: 'another' }), content, never);
    expect(approvals.pending()).toHaveLength(4);
  });

  test('after a denial nothing is asked about that connection for a minute, whoever asks', async () => {
    const first = approvals.ask(principalWith(), content, never);
    approvals.decide('question1', 'no', 'by a person');
    await first;
    expect(await approvals.ask(principalWith({ id: 'another' }), content, never)).toEqual({
      kind: 'quiet',
      secondsLeft: 60,
    });
    const elsewhere = { ...content, connection: { id: 'staging', name: 'Staging', tags: [], colour: null } };
    void approvals.ask(principalWith(), elsewhere, never);
    expect(approvals.pending()).toHaveLength(1);
    time.pass(60_000);
    void approvals.ask(principalWith(), content, never);
    expect(approvals.pending()).toHaveLength(2);
  });
});

test('a bridge with changing names opens at most as many questions as eight bridges do, and doesn’t block others', async () => {
  const ask = (number: number) =>
    approvals.ask(principalWith({ id: `bridge:${number}`, isBridge: true }), content, new AbortController().signal);
  for (let number = 0; number < 24; number++) void ask(number);
  expect(await ask(24)).toEqual({ kind: 'too_many_open' });
  void approvals.ask(principalWith(), content, never);
  expect(approvals.pending()).toHaveLength(25);
  approvals.decide('question1', 'yes', 'by a person');
  void ask(25);
  expect(approvals.pending()).toHaveLength(25);
});
