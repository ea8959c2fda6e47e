import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Approvals,
  openApprovals,
  type Question,
  type QuestionContent,
} from '../../../daemon/access/questions/approvals.ts';
import { type FirstUses, openFirstUses } from '../../../daemon/access/questions/first-use.ts';
import { deskForTests, type TestDesk } from '../desk/desk-for-tests.ts';
import { principalWith } from '../principals.ts';

const content: QuestionContent = {
  kind: 'first_use',
  client: 'a client',
  means: 'Once.',
  connection: { id: 'shop', name: 'Shop', tags: [], colour: null },
  statement: null,
};
const never = new AbortController().signal;
const principal = principalWith();

let time: TestDesk;
let rememberHours = 8;
let attached = true;
let asked: Question[] = [];
let withdrawn: string[] = [];
let approvals: Approvals;
let uses: FirstUses;
beforeEach(() => {
  time = deskForTests();
  rememberHours = 8;
  attached = true;
  [asked, withdrawn] = [[], []];
  approvals = openApprovals({ desk: time.desk, someoneAnswers: () => attached, bringShell: null });
  approvals.onEvent(({ ask, because }) => {
    if (because === null) asked.push(ask);
    else withdrawn.push(because);
  });
  uses = openFirstUses({ approvals, elapsed: time.elapsed, rememberHours: () => rememberHours });
});

const answer = (said: 'yes' | 'no'): boolean => approvals.decide(asked.at(-1)?.id ?? '', said, 'by a person');

async function sayYes(): Promise<void> {
  const allowed = uses.allow(principal, content, never);
  answer('yes');
  expect(await allowed).toEqual({ kind: 'yes' });
}

test('an approval lasts eight hours, only for that principal and connection', async () => {
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
  await sayYes();
  expect(await uses.allow(principal, content, never)).toEqual({ kind: 'yes' });
  expect(asked).toHaveLength(1);
  expect(uses.isAllowed(principalWith({ id: 'another' }), 'shop')).toBe(false);
  expect(uses.isAllowed(principal, 'staging')).toBe(false);
  time.sleep(8 * 3_600_000 - 1);
  expect(uses.isAllowed(principal, 'shop')).toBe(true);
  time.sleep(1);
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

test.each([-86_400_000, 86_400_000])('a clock that is set by %d ms neither ends nor lengthens it', async by => {
  await sayYes();
  time.set = by;
  expect(uses.isAllowed(principal, 'shop')).toBe(true);
  time.sleep(8 * 3_600_000);
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

test('a shorter memory applies at once', async () => {
  await sayYes();
  rememberHours = 0;
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

test.each(['no', 'timeout', 'nobody'] as const)('%s is not remembered', async kind => {
  attached = kind !== 'nobody';
  const allowed = uses.allow(principal, content, never);
  if (kind === 'no') answer('no');
  else time.pass(300_000);
  expect(await allowed).toEqual({ kind });
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

describe('calls that wait together', () => {
  test('share one question', async () => {
    const allowed = [uses.allow(principal, content, never), uses.allow(principal, content, never)];
    expect(asked).toHaveLength(1);
    answer('yes');
    expect(await Promise.all(allowed)).toEqual([{ kind: 'yes' }, { kind: 'yes' }]);
  });

  test('the question lives as long as one of them', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const allowed = [uses.allow(principal, content, first.signal), uses.allow(principal, content, second.signal)];
    first.abort();
    expect(await allowed[0]).toEqual({ kind: 'cancelled' });
    expect(withdrawn).toEqual([]);
    second.abort();
    expect(await allowed[1]).toEqual({ kind: 'cancelled' });
    expect(withdrawn).toEqual(['cancelled']);
    void uses.allow(principal, content, never);
    expect(asked).toHaveLength(2);
  });

  test('a call cancelled earlier asks nothing', async () => {
    expect(await uses.allow(principal, content, AbortSignal.abort())).toEqual({ kind: 'cancelled' });
    expect(asked).toEqual([]);
  });
});

test('only a principal that presents something new is asked about again', async () => {
  await sayYes();
  uses.forgetPrincipal('another');
  expect(uses.isAllowed(principal, 'shop')).toBe(true);
  uses.forgetPrincipal(principal.id);
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
  const allowed = uses.allow(principal, content, never);
  uses.forgetPrincipal(principal.id);
  expect(await allowed).toEqual({ kind: 'changed' });
});

describe('a connection that changed', () => {
  test('is asked about again', async () => {
    await sayYes();
    uses.forget('staging');
    expect(uses.isAllowed(principal, 'shop')).toBe(true);
    uses.forget('shop');
    expect(uses.isAllowed(principal, 'shop')).toBe(false);
  });

  test('voids the open question: an approval of it doesn’t count', async () => {
    const allowed = uses.allow(principal, content, never);
    uses.forget('shop');
    expect(answer('yes')).toBe(false);
    expect(await allowed).toEqual({ kind: 'changed' });
    expect(withdrawn).toEqual(['cancelled']);
    expect(uses.isAllowed(principal, 'shop')).toBe(false);
  });
});
