/**
 * A thread gives each text the same class as the caller's own thread would: classified lists,
 * mutations of them, and texts that are long or deep.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type OpenClassifier, startClassifier } from '../../daemon/classifier/classifier.ts';
import { classifierLimits } from '../../daemon/classifier/classifier-limits.ts';
import type { Classifier } from '../../daemon/engines/classifier.ts';
import { engines } from '../../shared/engine.ts';
import { assertForAsync, fuzzPatienceMilliseconds } from '../guard/fuzz.ts';
import { statementsOf } from '../guard/statements/table.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';

const context = { principal: 'one', signal: new AbortController().signal, timeoutSeconds: 600 };
const nameOf = { sqlite: 'sqliteClass', postgres: 'postgresClass', mysql: 'mysqlClass' } as const;
const here: Classifier = judgingInThread();
let there: OpenClassifier;

beforeAll(() => {
  there = startClassifier({
    elapsed: () => performance.now(),
    resident: () => process.memoryUsage.rss(),
    report: error => {
      throw error;
    },
    // The daemon's own memory and stack; other tests overrun them.
    limits: {
      ...classifierLimits,
      firstMilliseconds: 60_000,
      waitMilliseconds: 60_000,
      burstMilliseconds: Number.MAX_SAFE_INTEGER,
    },
  });
});
afterAll(() => there.close());

async function sameFor(engine: (typeof engines)[number], sql: string): Promise<void> {
  const [one, other] = await Promise.all([
    here.ask(context, nameOf[engine], sql),
    there.ask(context, nameOf[engine], sql),
  ]);
  if (JSON.stringify(one) !== JSON.stringify(other)) expect({ sql: sql.slice(0, 200), ...other }).toEqual(one);
}

const known = (engine: (typeof engines)[number]): readonly string[] => statementsOf(engine).map(({ sql }) => sql);

test.each(engines)(
  '%s: classified statements, whole and mutated',
  async engine => {
    for (const sql of known(engine)) await sameFor(engine, sql);
    const piece = fc.constantFrom(...known(engine));
    const cut = fc.tuple(piece, piece, fc.nat(200), fc.nat(200), fc.string({ maxLength: 5 }));
    await assertForAsync(1 / engines.length, cut, async ([one, other, from, to, between]) =>
      sameFor(engine, one.slice(0, from) + between + other.slice(to)),
    );
  },
  fuzzPatienceMilliseconds,
);

const grown: Readonly<Record<string, (times: number) => string>> = {
  parentheses: times => `select ${'('.repeat(times)}1${')'.repeat(times)}`,
  chain: times => `select 1${'+1'.repeat(times)}`,
  negations: times => `select ${'not '.repeat(times)}1`,
  list: times => `select ${'1,'.repeat(times)}1`,
  calls: times => `select ${'f(1),'.repeat(times)}1`,
  tables: times => `select 1 from ${'a,'.repeat(times)}b`,
  cases: times => `select ${'case when 1 then '.repeat(times)}1${' end'.repeat(times)}`,
  unions: times => `select 1${' union select 1'.repeat(times)}`,
};

test.each(engines.flatMap(engine => Object.keys(grown).map(kind => [engine, kind] as const)))(
  '%s: %s, up to 100 KB',
  async (engine, kind) => {
    const grow = grown[kind] ?? (() => '');
    const unit = grow(2).length - grow(1).length;
    for (const size of [100, 1_000, 3_000, 10_000, 30_000, 99_000])
      await sameFor(engine, grow(Math.floor(size / unit)));
  },
  240_000,
);
