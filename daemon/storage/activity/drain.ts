/**
 * Empties what waits into the chain, batch after batch, one at a time: whatever arrives while a batch is being anchored
 * shares the next one's transaction and anchor, so that many writes at once cost little more than one.
 */

import type { ActivityLimits } from './limits.ts';
import type { StoredRow } from './row.ts';
import type { Incident } from './settle.ts';
import type { Waiting, WaitingRows } from './waiting.ts';
import type { ChainWriter } from './writer.ts';

export interface Drain {
  /** Writes all that waits, now. Never rejects. */
  now(): Promise<void>;
  /** Soon, together with what comes until then. */
  soon(): void;
  problem(): string | null;
  stop(): void;
}

export interface DrainPorts {
  readonly writer: ChainWriter;
  readonly waiting: WaitingRows;
  readonly limits: ActivityLimits;
  readonly incident: (incident: Incident) => void;
  readonly committed: (rows: readonly StoredRow[]) => void;
  readonly report: (error: unknown) => void;
}

export function drainInto({ writer, waiting, limits, incident, committed, report }: DrainPorts): Drain {
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let problem: string | null = null;

  /** The last thing it does is to say that it no longer runs: nobody may wait for a round that has looked already. */
  async function run(): Promise<void> {
    try {
      while (!waiting.isEmpty() || !writer.isAnchored()) {
        if (!(await round())) {
          later(limits.retryMilliseconds);
          return;
        }
      }
    } finally {
      running = null;
    }
  }

  async function round(): Promise<boolean> {
    const batch = waiting.take(limits.batchRows);
    let rows: readonly StoredRow[];
    try {
      rows = await writer.commit(batch.map(({ facts }) => facts));
    } catch (error) {
      fail('written', error, batch, false);
      return false;
    }
    if (rows.length > 0) committed(rows);
    const own = rows.slice(rows.length - batch.length);
    try {
      await writer.anchor();
    } catch (error) {
      for (const [index, { written, failed }] of batch.entries()) {
        if (failed === null) written(own[index]?.number ?? 0);
      }
      fail('anchored', error, batch, true);
      return false;
    }
    problem = null;
    for (const [index, { written }] of batch.entries()) written(own[index]?.number ?? 0);
    const lost = waiting.takeLost();
    if (lost > 0) {
      incident({ action: 'activity.lost', reason: `${lost} rows were lost while the log could not be written.`, count: lost });
    }
    return true;
  }

  function fail(what: 'written' | 'anchored', error: unknown, batch: readonly Waiting[], isCommitted: boolean): void {
    problem = sentenceOf(what, error);
    report(error);
    if (!isCommitted) waiting.putBack(batch.filter(({ failed }) => failed === null));
    for (const { failed } of batch) failed?.(isCommitted);
  }

  function later(milliseconds: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      void now();
    }, milliseconds).unref();
  }

  function now(): Promise<void> {
    running ??= run();
    return running;
  }

  return {
    now,
    soon: () => later(limits.batchMilliseconds),
    problem: () => problem,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

/** A store's error message may quote what was to be stored; its code does not. */
function sentenceOf(what: 'written' | 'anchored', error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return what === 'written'
    ? `The activity log can't be written${code}, so nothing that writes will run; look at the disk that holds Sallyport's home.`
    : `The activity log's head can't be kept in the secret store${code}, so nothing that writes will run; look at the keychain or secrets.json.`;
}
