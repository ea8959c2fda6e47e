/**
 * Notices when file descriptors run out, and keeps a few to give up then: with none left at all no
 * connection can even be turned away, so the system reports it as new without end, at full CPU; and
 * nobody could ask for the status that says why.
 */

import { readFileSync } from 'node:fs';
import { takeSpareDescriptors } from '../../shared/spare-descriptors.ts';

/** `few`: those kept were given up, for the most urgent. `none`: these are used up too. */
type DescriptorState = 'enough' | 'few' | 'none';

export interface Descriptors {
  /**
   * How many this process may have open at once; Infinity for any number. Node raised what it
   * inherited to the hard limit.
   */
  readonly limit: number;
  state(): DescriptorState;
  /** A sentence for people while there are not enough. */
  note(): string | null;
  close(): void;
}

const watchMilliseconds = 1_000;
/** To let in a shell that asks for the status, and to turn others away meanwhile. */
const keptDescriptors = 8;
/**
 * Before those kept are taken again: else there would be enough of them, and at once too few, every
 * other second.
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
    // Asked again: the limit of a running process can be changed.
    note: () => (state === 'enough' ? null : outSentence(descriptorLimit())),
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

/**
 * Linux: in a tenth of a millisecond, where a report takes 4 to 10, which is a twentieth of the
 * daemon's start.
 */
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
  // Else it looks up the names of all addresses that we are connected with.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** `doctor` knows it by its first words. */
function outSentence(limit: number): string {
  return `Out of file descriptors (ulimit -n ${limit}): new connections are turned away and statements may fail until some are free. Close clients, or restart Sallyport under a higher limit.`;
}
