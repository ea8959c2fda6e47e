/**
 * Forwards the activity log's rows, oldest first, to where the person keeps logs (spec §14). It
 * reads them from the log itself and remembers how far it came, so a receiver that is dead, frozen
 * or slow costs neither rows nor memory, and nobody waits for it.
 */

import type { Record } from './record.ts';
import type { Sink } from './sink.ts';

export interface ForwardingPorts {
  /** Committed rows with a higher number, oldest first. */
  readonly rowsAfter: (number: number, most: number) => Promise<readonly Record[]>;
  readonly newest: () => Promise<number>;
  /** @returns how to stop. */
  readonly onRows: (listener: () => void) => () => void;
  readonly cursor: Cursor;
  readonly report: (error: unknown) => void;
  readonly retryMilliseconds?: number;
  readonly stuckMilliseconds?: number;
}

/** How far a place has come. */
export interface Cursor {
  /** @returns null for a place that has got nothing yet. */
  read(place: string): number | null;
  write(place: string, number: number): Promise<void>;
}

export interface Forwarding {
  /** A clause on why rows don't arrive; null if they do. */
  problem(): string | null;
  /** Resolves once it rests: everything has been taken, or something is wrong. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const batchRows = 200;
const defaultRetryMilliseconds = 5_000;
/** A receiver that stays away is asked ever less often. */
const longestRetryMilliseconds = 5 * 60_000;
/** A disk that is gone may never answer, and no call to it can be taken back. */
const defaultStuckMilliseconds = 10_000;
/** The daemon's end waits no longer for a receiver. */
const farewellMilliseconds = 2_000;

/** Begins with the first row from now on, or where this place came to. */
export function forward(place: string, sink: Sink, ports: ForwardingPorts): Forwarding {
  const { rowsAfter, newest, onRows, cursor, report, retryMilliseconds = defaultRetryMilliseconds } = ports;
  const { stuckMilliseconds = defaultStuckMilliseconds } = ports;
  let problem: string | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let from: number | null = null;
  let wait = retryMilliseconds;

  async function begin(): Promise<number> {
    const [kept, end] = [cursor.read(place), await newest()];
    // An older copy of the store has fewer rows than were forwarded.
    if (kept !== null && kept <= end) return kept;
    await cursor.write(place, end);
    return end;
  }

  async function run(): Promise<void> {
    try {
      from ??= await begin();
      while (!isClosed) {
        isAskedAgain = false;
        const records = await rowsAfter(from, batchRows);
        const last = records.at(-1);
        if (last === undefined) {
          if (isAskedAgain) continue;
          problem = null;
          return;
        }
        await written(records);
        from = last.row.number;
        await cursor.write(place, from);
        problem = null;
        wait = retryMilliseconds;
      }
    } catch (error) {
      if (isClosed) return;
      const said = error instanceof Error ? error.message : String(error);
      if (said !== problem) report(error);
      problem = said;
      timer ??= setTimeout(() => {
        timer = null;
        wake();
      }, wait).unref();
      wait = Math.min(2 * wait, longestRetryMilliseconds);
    } finally {
      running = null;
    }
  }

  /** Tells meanwhile that it waits. */
  async function written(records: readonly Record[]): Promise<void> {
    const stuck = setTimeout(() => {
      problem = `${place} takes nothing`;
    }, stuckMilliseconds).unref();
    await sink.write(records).finally(() => clearTimeout(stuck));
  }

  function wake(): void {
    isAskedAgain = true;
    if (isClosed || timer !== null) return;
    running ??= run();
  }

  const stop = onRows(wake);
  wake();
  return {
    problem: () => problem,
    async settled() {
      while (running !== null) await running;
    },
    async close() {
      stop();
      // What was recorded until now still goes out, if it is taken.
      const late = new Promise<void>(resolve => setTimeout(resolve, farewellMilliseconds).unref());
      if (timer === null && running !== null) await Promise.race([running, late]);
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      sink.close();
    },
  };
}
