/** A desk whose clocks and timers only the test moves. */

import type { AskKind } from '../../../daemon/access/desk/ask.ts';
import { type Desk, openDesk } from '../../../daemon/access/desk/desk.ts';
import { askLimits, type KindLimits } from '../../../daemon/access/desk/kinds.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export interface TestDesk {
  readonly desk: Desk;
  readonly timers: ReadonlySet<Timer>;
  /** What listeners threw. */
  readonly reported: unknown[];
  /** What the wall clock is off: people set it. */
  set: number;
  /** Milliseconds since 1970, as far as time has really passed. */
  elapsed(): number;
  /** The timers sleep. */
  sleep(milliseconds: number): void;
  /** Each timer fires in time. */
  pass(milliseconds: number): void;
}

/** Of a desk whose listeners throw nothing. */
export function noFault(error: unknown): never {
  throw error;
}

type Changes = { readonly [Kind in AskKind]?: Partial<KindLimits> };

export function limitsWith(changes: Changes): typeof askLimits {
  const kinds = Object.keys(askLimits) as AskKind[];
  return Object.fromEntries(kinds.map(kind => [kind, { ...askLimits[kind], ...changes[kind] }])) as typeof askLimits;
}

export function deskForTests(changes: Changes = {}, idOf = (number: number): string => `id${number}`): TestDesk {
  const timers = new Set<Timer>();
  let elapsed = Date.parse('2026-11-20T12:00:00Z');
  let made = 0;
  const test: TestDesk = {
    timers,
    reported: [],
    set: 0,
    elapsed: () => elapsed,
    sleep(milliseconds: number) {
      elapsed += milliseconds;
    },
    pass(milliseconds: number) {
      elapsed += milliseconds;
      for (const timer of timers)
        if (timer.at <= elapsed) {
          timers.delete(timer);
          timer.run();
        }
    },
    desk: openDesk({
      now: () => elapsed + test.set,
      elapsed: () => elapsed,
      newId: () => idOf(++made),
      report: error => void test.reported.push(error),
      limits: limitsWith(changes),
      after(milliseconds, run) {
        const timer = { at: elapsed + milliseconds, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    }),
  };
  return test;
}
