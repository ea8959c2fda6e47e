/**
 * The classifier room, on real threads: deadlines, turns, what happens to a thread, and what is
 * remembered.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenClassifier, startClassifier } from '../../daemon/classifier/classifier.ts';
import { type ClassifierLimits, classifierLimits } from '../../daemon/classifier/classifier-limits.ts';
import type { Answer } from '../../daemon/engines/engine.ts';

/** Short, so the tests are short; they don't measure a thread's start. */
const limits: ClassifierLimits = {
  ...classifierLimits,
  firstMilliseconds: 150,
  secondMilliseconds: 400,
  millisecondsPerProcessorMillisecond: 100,
};

let classifier: OpenClassifier;
let reported: Error[];
beforeEach(() => {
  reported = [];
  classifier = open();
});
afterEach(() => classifier.close());

function open(change: Partial<ClassifierLimits> = {}, file = new URL('./worker.mjs', import.meta.url), resident = 0) {
  return startClassifier({
    elapsed: () => performance.now(),
    resident: () => resident,
    report: error => void reported.push(error),
    limits: { ...limits, ...change },
    file,
  });
}

type Ask = (
  context: { readonly principal: string | null; readonly signal: AbortSignal; readonly timeoutSeconds: number },
  name: string,
  ...given: readonly unknown[]
) => Promise<Answer<unknown>>;

const never = new AbortController().signal;
const ask = (principal: string, name: string, ...given: readonly unknown[]) =>
  (classifier.ask as unknown as Ask)({ principal, signal: never, timeoutSeconds: 60 }, name, ...given);
const done = (value: string) => ({ kind: 'done', value });

describe('a statement that takes too long', () => {
  test.each(['loop', 'backtrack'])('by %s is tried twice, then refused; the next runs on a new thread', async name => {
    const began = performance.now();
    expect(await ask('one', name)).toEqual({
      kind: 'unsupported',
      message: 'The statement could not be classified in time, so it was not run. Write it shorter or more plainly.',
    });
    expect(performance.now() - began).toBeGreaterThan(550);
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
  });

  test('and is in time on its second try, is classified', async () => {
    expect(await ask('one', 'slow', '250')).toEqual(done('250, the 1. of this thread'));
  });

  test('because others have the processor is waited for, but not for ever', async () => {
    expect(await ask('one', 'starved', '600')).toEqual(done('600, the 1. of this thread'));
    // It cost the principal next to nothing.
    expect(await ask('one', 'starved', '601')).toEqual(done('601, the 2. of this thread'));
    await classifier.close();
    classifier = open({ millisecondsPerProcessorMillisecond: 2 });
    expect(await ask('one', 'starved', '5000')).toEqual({ kind: 'busy', why: { who: 'machine' } });
  });

  test('blocks nobody else: another principal’s is classified before its second try ends', async () => {
    await ask('other', 'echo', 'known');
    const order: string[] = [];
    const hostile = ask('one', 'loop').then(() => order.push('hostile'));
    const more = ask('one', 'loop', 'again').then(() => order.push('hostile'));
    await ask('other', 'echo', 'a').then(() => order.push('other'));
    await Promise.all([hostile, more]);
    expect(order).toEqual(['other', 'hostile', 'hostile']);
  });

  test('has its principal’s statements kept apart: they take no thread from others', async () => {
    await ask('one', 'loop');
    expect(await ask('other', 'echo', '0')).toMatchObject({ kind: 'done' });
    const hostile = [ask('one', 'loop', 'again'), ask('one', 'loop', 'and again')];
    for (const number of [1, 2, 3, 4, 5]) {
      // The same thread each time: none ended in between, and none was waited for.
      expect(await ask('other', 'echo', `${number}`)).toEqual(done(`${number}, the ${number + 1}. of this thread`));
      await new Promise(resolve => setTimeout(resolve, limits.firstMilliseconds / 2));
    }
    await Promise.all(hostile);
  });

  test('costs a share of its principal only', async () => {
    await classifier.close();
    classifier = open({ burstMilliseconds: 100, shareMillisecondsPerSecond: 1, waitMilliseconds: 2_500 });
    await ask('one', 'loop');
    expect(await ask('one', 'echo', 'a')).toEqual({ kind: 'busy', why: { who: 'own_statements' } });
    expect(await ask('other', 'echo', 'a')).toMatchObject({ kind: 'done' });
  });
});

describe('a thread', () => {
  test('that takes too much memory ends, and its statement is refused', async () => {
    await classifier.close();
    classifier = open({ heapMegabytes: 16, firstMilliseconds: 20_000 });
    expect(await ask('one', 'fill')).toEqual({
      kind: 'unsupported',
      message:
        'The statement could not be classified, so it was not run: that takes too much memory. Write it shorter or more plainly.',
    });
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
  });

  test('that ends by itself causes a refusal', async () => {
    expect(await ask('one', 'exit')).toMatchObject({ kind: 'unsupported' });
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
  });

  test('that met a bug tells the caller, and is replaced, since Node keeps a failed import', async () => {
    await expect(ask('one', 'throws')).rejects.toThrow('a mistake');
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
  });

  test('that classified something long is replaced if the daemon uses much memory', async () => {
    await classifier.close();
    classifier = open({ residentBytes: 1_000, longText: 3 }, undefined, 1_001);
    expect(await ask('one', 'echo', 'long')).toEqual(done('long, the 1. of this thread'));
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
    expect(await ask('one', 'echo', 'b')).toEqual(done('b, the 2. of this thread'));
  });

  test('ends when idle', async () => {
    await classifier.close();
    classifier = open({ idleMilliseconds: 50 });
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(await ask('one', 'echo', 'b')).toEqual(done('b, the 1. of this thread'));
  });

  test('that can’t be started causes a refusal, and is reported', async () => {
    await classifier.close();
    classifier = open({}, new URL('./missing.mjs', import.meta.url));
    expect(await ask('one', 'echo', 'a')).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('nothing can be classified now'),
    });
    expect(reported).toHaveLength(1);
  });
});

test('a caller that leaves isn’t waited for, and its statement isn’t tried twice', async () => {
  const leaving = new AbortController();
  const asked = (classifier.ask as unknown as Ask)(
    { principal: 'one', signal: leaving.signal, timeoutSeconds: 60 },
    'loop',
  );
  setTimeout(() => leaving.abort(), 20);
  expect(await asked).toEqual({ kind: 'cancelled' });
  expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
});

test('statements that wait when the daemon stops are told that it is over', async () => {
  await ask('one', 'echo', 'a');
  const asked = [ask('one', 'loop'), ask('one', 'echo', 'b')];
  await classifier.close();
  const [classified, waiting] = await Promise.all(asked);
  expect(classified).toMatchObject({ kind: 'unsupported' });
  expect(waiting).toEqual({ kind: 'cancelled' });
});

describe('the memory', () => {
  test('answers only exactly the same question', async () => {
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
    expect(await ask('two', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
    expect(await ask('one', 'echo', 'a ')).toEqual(done('a , the 2. of this thread'));
    expect(await ask('one', 'echo', 'a', '')).toEqual(done('a, the 3. of this thread'));
    expect(await ask('one', 'slow', 'a')).toEqual(done('a, the 4. of this thread'));
  });

  test('refuses questions that aren’t only text, and long ones', async () => {
    expect(await ask('one', 'echo', new Set(['a']))).toEqual(done('[object Set], the 1. of this thread'));
    expect(await ask('one', 'echo', new Set(['b']))).toEqual(done('[object Set], the 2. of this thread'));
    const long = 'x'.repeat(classifierLimits.rememberedVerdictBytes / 2);
    expect(await ask('one', 'echo', long)).toEqual(done(`${long}, the 3. of this thread`));
    expect(await ask('one', 'echo', long)).toEqual(done(`${long}, the 4. of this thread`));
  });

  test('is limited: the question asked longest ago is forgotten', async () => {
    await classifier.close();
    classifier = open({ rememberedVerdicts: 2 });
    for (const text of ['a', 'b', 'a', 'c']) await ask('one', 'echo', text);
    expect(await ask('one', 'echo', 'a')).toEqual(done('a, the 1. of this thread'));
    expect(await ask('one', 'echo', 'b')).toEqual(done('b, the 4. of this thread'));
  });
});
