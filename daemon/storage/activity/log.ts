/**
 * The activity log (spec §14). This puts the port (activity.ts) together from the writer, the queue
 * and the readers.
 */

import type { StatedRow } from '../../access/standing/standings.ts';
import type { StoreDoubt } from '../../access/store-doubt.ts';
import {
  type ActivityIntent,
  type ActivityLog,
  type ActivityResult,
  type ActivityRow,
  ActivityUnavailable,
} from '../../activity.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { Record } from '../forwarding/record.ts';
import type { Store } from '../store/store.ts';
import { sealOf } from './chain.ts';
import { openFlush } from './flush.ts';
import { factsOfIncident, type Incident } from './incidents.ts';
import { type ActivityLimits, activityLimits } from './log-limits.ts';
import type { ChainPorts } from './open-chain.ts';
import { pendingRows } from './pending-rows.ts';
import { pruneOldRows } from './prune.ts';
import { type Facts, factsOf, rowOf } from './row.ts';
import { selectAfter, selectNewest, selectRows, selectStated } from './select.ts';
import { keepTallies } from './tally.ts';
import { verifyChain } from './verify.ts';
import { openWriter, type RecordedRow } from './writer.ts';

export interface ActivityLogPorts extends Pick<ChainPorts, 'secrets' | 'randomBytes'> {
  readonly store: Pick<Store, 'id' | 'knex' | 'ledger'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /**
   * The clock that decides which rows are old: a jumped clock must not delete rows
   * (store/believed-clock.ts).
   */
  readonly retentionNow: () => number;
  /** Gets what keeps the log from being written, and errors of listeners. */
  readonly report: (error: unknown) => void;
  /**
   * Called if store or secrets are not as they were left, and awaited before the head is anchored
   * again: after that nothing shows it any more.
   */
  readonly doubted?: (doubt: StoreDoubt) => Promise<void>;
  readonly limits?: ActivityLimits;
}

export interface OpenActivityLog extends ActivityLog {
  /** True if the database is older than the secret store. */
  readonly wasOlderCopy: boolean;
  /** What the start found wrong with store or secrets; null if they are as they were left. */
  readonly doubt: StoreDoubt | null;
  /** A seal for a text that is kept beside the log, to tell later that nobody else wrote it. */
  sealOf(text: string): Buffer;
  /** What rows state about what connections and tokens allow, oldest first. */
  stated(): Promise<readonly StatedRow[]>;
  /** Committed rows with a higher number and their hashes, oldest first. */
  after(number: number, most: number): Promise<readonly Record[]>;
  /** The number of the last committed row; 0 for none. */
  newest(): Promise<number>;
  /** Removes rows past their time. This also runs every hour by itself. */
  prune(): Promise<void>;
  /** Writes what waits, then stops. The store must still be open. */
  close(): Promise<void>;
}

/** @throws SecretStoreUnavailable */
export async function openActivityLog(ports: ActivityLogPorts): Promise<OpenActivityLog> {
  const { store, secrets, randomBytes, now, report } = ports;
  const { ledger, knex, id: storeId } = store;
  const limits = ports.limits ?? activityLimits;
  const writer = await openWriter({ ledger, storeId, secrets, randomBytes, now });
  const waiting = pendingRows(limits.waitingRows);
  const listeners = new Set<(rows: readonly ActivityRow[]) => void>();
  const running = new Set<number>();
  const tallies = keepTallies(limits.tallies, entry => add(factsOf(now(), 'event', null, entry, entry)));
  const drain = openFlush({
    writer,
    waiting,
    limits,
    now,
    committed: tellListeners,
    report,
  });
  /** No row may go while a verification is about to read it. */
  const inTurn = oneAtATime();
  const firstPrune = setTimeout(() => void prune().catch(report), limits.firstPruneMilliseconds).unref();
  const maintenanceTimer = setInterval(() => void prune().catch(report), limits.pruneEveryMilliseconds).unref();
  let tallyTimer: NodeJS.Timeout | null = null;

  function add(facts: Facts, written: (number: number) => void = () => {}): void {
    waiting.add({ facts, written, failed: null });
    drain.soon();
  }

  function tellListeners(rows: readonly RecordedRow[]): void {
    for (const { number, facts } of rows) if (facts.kind === 'attempt') running.add(number);
    for (const { facts } of rows) if (facts.attempt !== null) running.delete(facts.attempt);
    if (listeners.size === 0) return;
    const shown = rows.map(({ number, facts }) => rowOf(number, facts, fateOf(number, facts)));
    for (const listener of listeners) {
      try {
        listener(shown);
      } catch (error) {
        report(error);
      }
    }
  }

  function fateOf(number: number, { kind }: Facts, isSettled = false): ActivityRow['fate'] {
    if (kind !== 'attempt') return null;
    return isSettled ? 'settled' : running.has(number) ? 'running' : 'unknown';
  }

  function settleAttempt(number: number, intent: ActivityIntent, result: ActivityResult): Promise<void> {
    return new Promise(resolve => {
      add(factsOf(now(), 'outcome', number, intent, result), () => resolve());
      // An answer waits for its row, but not for a disk to be repaired.
      void drain.now().then(resolve);
    });
  }

  function prune(): Promise<void> {
    return inTurn(async () => {
      await flush();
      await pruneOldRows({
        store,
        writer,
        anchor: async () => {
          await drain.now();
          return writer.isAnchored();
        },
        before: ports.retentionNow() - limits.keptMilliseconds,
        now: ports.retentionNow(),
        stepRows: limits.stepRows,
        pruned: (incident: Incident) => add(factsOfIncident(now(), incident)),
      });
    });
  }

  function tallyLater(): void {
    tallyTimer ??= setInterval(() => {
      tallies.writeDue(now());
      if (!tallies.isEmpty() || tallyTimer === null) return;
      clearInterval(tallyTimer);
      tallyTimer = null;
    }, limits.retryMilliseconds).unref();
  }

  async function flush(): Promise<void> {
    tallies.writeDue(now());
    await drain.now();
  }

  if (writer.doubt !== null) await ports.doubted?.(writer.doubt);
  await drain.now();

  return {
    wasOlderCopy: writer.wasOlderCopy,
    doubt: writer.doubt,

    sealOf: text => sealOf(writer.key, `kept ${storeId}`, text),

    record: entry => add(factsOf(now(), 'event', null, entry, entry)),

    tally(key, until, entry) {
      tallies.add(key, now(), until, entry);
      tallyLater();
    },

    attempt(intent) {
      return new Promise((resolve, reject) => {
        waiting.add({
          facts: factsOf(now(), 'attempt', null, intent, null),
          written: number => resolve({ number, intent }),
          failed: committed => {
            const problem = drain.problem() ?? 'The activity log has no room for more; try again.';
            const notSent = { outcome: 'error', reason: 'not sent: the log could not be anchored' } as const;
            if (committed !== null) add(factsOf(now(), 'outcome', committed, intent, notSent));
            reject(new ActivityUnavailable(problem));
          },
        });
        void drain.now();
      });
    },

    outcome: (attempt, result) => settleAttempt(attempt.number, attempt.intent, result),

    flush,
    problem: drain.problem,

    async query(question) {
      await flush();
      return selectRows(knex, question, fateOf);
    },

    async stated() {
      await flush();
      return selectStated(knex);
    },

    after: (number, most) => selectAfter(knex, number, most),
    newest: () => selectNewest(knex),

    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    verify: () => inTurn(() => verifyChain({ ledger, storeId, secrets, writer, flush })),

    prune,

    async close() {
      clearTimeout(firstPrune);
      clearInterval(maintenanceTimer);
      if (tallyTimer !== null) clearInterval(tallyTimer);
      tallies.writeAll();
      await inTurn(drain.now);
      drain.stop();
      await writer.close().catch(report);
    },
  };
}
