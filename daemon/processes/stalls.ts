/**
 * Measures how long the event loop stood still: nobody is answered then. Says in the log and in
 * `status` when that was for longer than anybody should wait, and at what kind of work.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { instantWords } from '../access/privilege-increases/words.ts';
import type { Work, WorkKind } from '../work.ts';

/** How often a stall is looked for; the log gets a line in each at most. */
const checkMilliseconds = 1_000;
/** The timer that measures; its period is no delay. Finer wakes an idle machine more often. */
const resolutionMilliseconds = 50;
const stallMilliseconds = 200;
/** `status` says nothing of older ones. */
const toldForMilliseconds = 3_600_000;

const unknownKind = 'cause unknown';

export interface Stalls {
  readonly work: Work;
  /** Measures from now on: a start itself takes longer than anybody's work. */
  watch(): void;
  /**
   * For work that isn't one function: begins now, and is over when the function it gives is called.
   */
  begin(kind: WorkKind): () => void;
  /** A sentence for `status`, of our own longest in the last hour; none where there was none. */
  notes(): string[];
  close(): void;
}

interface Stall {
  readonly milliseconds: number;
  readonly at: number;
  readonly cause: string;
}

interface StallPorts {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Processor time that this process has used, in milliseconds. */
  readonly used: () => number;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly warn: (facts: { readonly milliseconds: number; readonly cause: string }, sentence: string) => void;
}

export function watchStalls({ elapsed, used, now, warn }: StallPorts): Stalls {
  const delay = monitorEventLoopDelay({ resolution: resolutionMilliseconds });
  let longest: { readonly kind: WorkKind; readonly milliseconds: number } | null = null;
  let usedBefore = 0;
  let worst: Stall | null = null;

  function begin(kind: WorkKind): () => void {
    const began = elapsed();
    return () => {
      const milliseconds = elapsed() - began;
      if (longest === null || milliseconds > longest.milliseconds) longest = { kind, milliseconds };
    };
  }

  function check(): void {
    const milliseconds = Math.round(delay.max / 1e6) - resolutionMilliseconds;
    delay.reset();
    const usedMilliseconds = used() - usedBefore;
    if (milliseconds > stallMilliseconds) {
      const isOurs = usedMilliseconds >= milliseconds / 2;
      const cause = isOurs ? causeOf(milliseconds) : 'because this machine slept or was busy';
      warn({ milliseconds, cause }, `the daemon was blocked for ${milliseconds} ms (${cause})`);
      const isLongest = worst === null || milliseconds >= worst.milliseconds || now() - worst.at > toldForMilliseconds;
      if (isOurs && isLongest) worst = { milliseconds, at: now(), cause };
    }
    longest = null;
    usedBefore = used();
  }

  function causeOf(milliseconds: number): string {
    if (longest !== null && longest.milliseconds > milliseconds / 2) return `while ${longest.kind}`;
    return unknownKind;
  }

  let checking: NodeJS.Timeout | undefined;
  return {
    watch() {
      delay.enable();
      usedBefore = used();
      checking = setInterval(check, checkMilliseconds).unref();
    },
    work: {
      during(kind, work) {
        const end = begin(kind);
        try {
          return work();
        } finally {
          end();
        }
      },
    },
    begin,
    notes() {
      if (worst === null || now() - worst.at > toldForMilliseconds) return [];
      const { milliseconds, at, cause } = worst;
      const time = instantWords(new Date(at).toISOString());
      const during = cause === unknownKind ? '' : `, ${cause}`;
      return [
        `Sallyport was blocked for ${(milliseconds / 1000).toFixed(1)} s at ${time}${during}; nobody was answered meanwhile.`,
      ];
    },
    close() {
      clearInterval(checking);
      delay.disable();
    },
  };
}
