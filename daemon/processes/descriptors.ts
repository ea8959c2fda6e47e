/**
 * Notices when file descriptors run out, and keeps a few in reserve. With none left no connection
 * can even be refused: the system keeps reporting it as new, at full CPU, and nobody could ask for
 * the status that says why.
 */

import { readFileSync } from 'node:fs';
import type { Note } from '../../shared/note.ts';
import { takeSpareDescriptors } from '../../shared/spare-descriptors.ts';

/** `few`: the reserve was released, for the most urgent. `none`: it is used up too. */
type DescriptorState = 'enough' | 'few' | 'none';

export interface Descriptors {
  /**
   * How many this process may have open; Infinity for no limit. Node raised the inherited limit to
   * the hard limit.
   */
  readonly limit: number;
  state(): DescriptorState;
  /** Notes for people while there are too few descriptors; else none. */
  notes(): readonly Note[];
  close(): void;
}

const watchMilliseconds = 1_000;
/** Kept to let in a shell that asks for the status, and to refuse others meanwhile. */
const keptDescriptors = 8;
/**
 * More must be free before the reserve is taken back; otherwise the state would flip every other
 * second.
 */
const freeDescriptors = 8;

interface Told {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export function watchDescriptors(log: Told): Descriptors {
  const limit = descriptorLimit();
  let kept = takeSpareDescriptors(keptDescriptors);
  let state: DescriptorState = kept === null ? 'few' : 'enough';

  function look(): void {
    const was = state;
    if (kept !== null && !hasSpare(1)) {
      kept();
      kept = null;
    } else if (kept === null && hasSpare(keptDescriptors + freeDescriptors)) {
      kept = takeSpareDescriptors(keptDescriptors);
    }
    state = kept !== null ? 'enough' : hasSpare(1) ? 'few' : 'none';
    if ((state === 'enough') === (was === 'enough')) return;
    if (state === 'enough') log.info({}, 'there are enough file descriptors again');
    else log.warn({ limit: descriptorLimit() }, 'out of file descriptors');
  }

  const timer = setInterval(look, watchMilliseconds).unref();
  return {
    limit,
    state: () => state,
    // Asked again: the limit of a running process can change.
    notes: () => (state === 'enough' ? [] : [outNote(descriptorLimit())]),
    close() {
      clearInterval(timer);
      kept?.();
      kept = null;
    },
  };
}

function hasSpare(count: number): boolean {
  const giveBack = takeSpareDescriptors(count);
  giveBack?.();
  return giveBack !== null;
}

function descriptorLimit(): number {
  return limitInProc() ?? limitInReport();
}

/** Linux tells it in 0.1 ms; a report takes 4 to 10 ms, a twentieth of the daemon's start. */
function limitInProc(): number | null {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    if (soft === undefined) return null;
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return null;
  }
}

function limitInReport(): number {
  const { report } = process;
  // Otherwise it looks up the names of all connected addresses.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** `doctor` recognises it by its code. */
function outNote(limit: number): Note {
  return {
    code: 'no_descriptors',
    sentence: `Out of file descriptors (ulimit -n ${limit}): new connections are turned away and statements may fail until some are free.`,
    advice: 'close clients, or raise the limit (`ulimit -n`) and restart Sallyport',
  };
}
