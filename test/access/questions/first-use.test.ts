import { beforeEach, describe, expect, test } from '@jest/globals';
import type { QuestionContent, Verdict } from '../../../daemon/access/questions/approvals.ts';
import { type FirstUses, openFirstUses } from '../../../daemon/access/questions/first-use.ts';
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

let now = 0;
let rememberHours = 8;
let asked: { readonly signal: AbortSignal; readonly answer: (verdict: Verdict) => void }[] = [];
let uses: FirstUses;
beforeEach(() => {
  now = Date.parse('2026-11-20T12:00:00Z');
  rememberHours = 8;
  asked = [];
  uses = openFirstUses({
    now: () => now,
    rememberHours: () => rememberHours,
    approvals: {
      ask: (_principal, _content, signal) =>
        new Promise(resolve => {
          asked.push({ signal, answer: resolve });
          signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
        }),
    },
  });
});

async function sayYes(): Promise<void> {
  const allowed = uses.allow(principal, content, never);
  asked.at(-1)?.answer({ kind: 'yes' });
  expect(await allowed).toEqual({ kind: 'yes' });
}

test('an approval lasts eight hours, only for that principal and connection', async () => {
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
  await sayYes();
  expect(await uses.allow(principal, content, never)).toEqual({ kind: 'yes' });
  expect(asked).toHaveLength(1);
  expect(uses.isAllowed(principalWith({ id: 'another' }), 'shop')).toBe(false);
  expect(uses.isAllowed(principal, 'staging')).toBe(false);
  now += 8 * 3_600_000 - 1;
  expect(uses.isAllowed(principal, 'shop')).toBe(true);
  now += 1;
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

test('a clock that is set back voids it', async () => {
  await sayYes();
  now -= 1;
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

test('a shorter memory applies at once', async () => {
  await sayYes();
  rememberHours = 0;
  expect(uses.isAllowed(principal, 'shop')).toBe(false);
});

test.each(['no', 'timeout', 'nobody'] as const)('%s is not remembered', async kind => {
  const allowed = uses.allow(principal, content, never);
  asked[0]?.answer({ kind });
  expect(await allowed).toEqual({ kind });
  void uses.allow(principal, content, never);
  expect(asked).toHaveLength(2);
});

describe('calls that wait together', () => {
  test('share one question', async () => {
    const allowed = [uses.allow(principal, content, never), uses.allow(principal, content, never)];
    expect(asked).toHaveLength(1);
    asked[0]?.answer({ kind: 'no' });
    expect(await Promise.all(allowed)).toEqual([{ kind: 'no' }, { kind: 'no' }]);
  });

  test('the question lives as long as one of them', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const allowed = [uses.allow(principal, content, first.signal), uses.allow(principal, content, second.signal)];
    first.abort();
    expect(await allowed[0]).toEqual({ kind: 'cancelled' });
    expect(asked[0]?.signal.aborted).toBe(false);
    second.abort();
    expect(await allowed[1]).toEqual({ kind: 'cancelled' });
    expect(asked[0]?.signal.aborted).toBe(true);
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
    asked[0]?.answer({ kind: 'yes' });
    expect(await allowed).toEqual({ kind: 'changed' });
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(uses.isAllowed(principal, 'shop')).toBe(false);
  });
});
