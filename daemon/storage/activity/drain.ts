/**
 * Writes the waiting rows to the chain, one batch at a time. Rows that arrive while a batch is
 * being anchored share the next transaction and anchor, so many writes at once cost little more
 * than one.
 */

import { setImmediate as afterOthers } from 'node:timers/promises';
import { SecretStoreUnavailable } from '../../access/secret-store.ts';
import { StoreThreadEnded } from '../ledger/thread.ts';
import { factsOfIncident, type Incident } from './incidents.ts';
import type { ActivityLimits } from './log-limits.ts';
import type { Waiting, WaitingRows } from './waiting.ts';
import type { ChainWriter, RecordedRow } from './writer.ts';

interface DrainPorts {
  readonly writer: ChainWriter;
  readonly waiting: WaitingRows;
  readonly limits: ActivityLimits;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly committed: (rows: readonly RecordedRow[]) => void;
  readonly report: (error: unknown) => void;
}

/**
 * A caller and how many rows it still waits for. Under steady load there is always more to write,
 * so nobody waits for everything.
 */
interface Caller {
  ahead: number;
  readonly resolve: () => void;
}

export function drainInto({ writer, waiting, limits, now: wallClock, committed, report }: DrainPorts) {
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let problem: string | null = null;
  let callers: Caller[] = [];

  const hasWork = (): boolean => waiting.count() > 0 || !writer.isAnchored();

  /**
   * Ends by clearing its own mark: a caller must never wait for a round that has already looked.
   */
  async function run(): Promise<void> {
    try {
      // Rows that nobody waits for are batched by time: each batch anchors the head, which is a
      // synced file.
      while (hasWork() && callers.length > 0) {
        // Other callers run now; their rows join this batch.
        await afterOthers();
        if (!(await round())) {
          later(limits.retryMilliseconds);
          return;
        }
      }
      if (hasWork()) later(limits.batchMilliseconds);
    } finally {
      running = null;
      leave(() => true);
    }
  }

  async function round(): Promise<boolean> {
    const batch = waiting.take(limits.batchRows);
    for (const caller of callers) caller.ahead -= batch.length;
    let rows: readonly RecordedRow[];
    try {
      const lost = waiting.lost();
      const said = lost > 0 ? [factsOfIncident(wallClock(), lossOf(lost))] : [];
      rows = await writer.commit([...said, ...batch.map(({ facts }) => facts)]);
      waiting.forgetLost(lost);
    } catch (error) {
      waiting.putBack(batch.filter(({ failed }) => failed === null));
      fail('written', error);
      for (const { failed } of batch) failed?.(null);
      return false;
    }
    if (rows.length > 0) committed(rows);
    // Rows about the log itself stand before the caller's.
    const numbers = rows.slice(rows.length - batch.length).map(({ number }) => number);
    try {
      await writer.anchor();
    } catch (error) {
      fail('anchored', error);
      tell(batch, numbers, ({ written, failed }) => failed ?? written);
      return false;
    }
    problem = null;
    tell(batch, numbers, ({ written }) => written);
    leave(({ ahead }) => ahead <= 0);
    return true;
  }

  function fail(what: 'written' | 'anchored', error: unknown): void {
    problem = unwritableSentence(what, error);
    report(error);
  }

  function later(milliseconds: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      void now();
    }, milliseconds).unref();
  }

  /** Writes what waits now; later rows are not waited for. Never rejects. */
  function now(): Promise<void> {
    if (running === null && !hasWork()) return Promise.resolve();
    const done = new Promise<void>(resolve => {
      callers.push({ ahead: waiting.count(), resolve });
    });
    running ??= run();
    return done;
  }

  function leave(isDone: (caller: Caller) => boolean): void {
    const leaving = callers.filter(isDone);
    callers = callers.filter(caller => !leaving.includes(caller));
    for (const { resolve } of leaving) resolve();
  }

  return {
    now,
    /** Writes it later, with whatever comes until then. */
    soon: () => later(limits.batchMilliseconds),
    problem: () => problem,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

function lossOf(count: number): Incident {
  return { action: 'activity.lost', reason: `${count} rows were lost while the log could not be written.`, count };
}

function tell(
  batch: readonly Waiting[],
  numbers: readonly number[],
  listener: (waiting: Waiting) => (number: number) => void,
): void {
  for (const [index, waiting] of batch.entries()) listener(waiting)(numbers[index] ?? 0);
}

/**
 * A store's error message may quote a row. Its code doesn't, and the secret store's message is
 * ours.
 */
function unwritableSentence(what: 'written' | 'anchored', error: unknown): string {
  if (error instanceof SecretStoreUnavailable) {
    return `The activity log's head can't be kept, so nothing that writes will run: ${error.message}`;
  }
  if (error instanceof StoreThreadEnded) {
    return `The activity log can't be written, because ${error.message}, so nothing that writes will run; it is started again by itself.`;
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const remedy = "so nothing that writes will run; look at the disk that holds Sallyport's home.";
  return what === 'written'
    ? `The activity log can't be written${code}, ${remedy}`
    : `The activity log's head can't be kept${code}, ${remedy}`;
}
