/**
 * Measures how long the event loop was blocked; nobody is answered meanwhile. The log and `status`
 * report a blockage that took too long, and the kind of work.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { instantWords } from '../access/privilege-increases/words.ts';
import type { Work, WorkKind } from '../work.ts';

/** How often it checks for a blockage; the log gets one line per check at most. */
const checkMilliseconds = 1_000;
/** The measuring timer's period. A finer one wakes an idle machine more often. */
const resolutionMilliseconds = 50;
const stallMilliseconds = 200;
/** `status` reports nothing older. */
const toldForMilliseconds = 3_600_000;

const unknownKind = 'cause unknown';

export interface Stalls {
  readonly work: Work;
  /** Measures from now on: a start takes longer than anything else. */
  watch(): void;
  /** For work that isn't one function: begins now and ends when the returned function is called. */
  begin(kind: WorkKind): () => void;
  /** Sentences for `status`: our longest blockage in the last hour, if any. */
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
  /** Processor time of this process, in milliseconds. */
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
