/**
 * The query history on the store (spec §14): can be switched off, is bounded by days and bytes, and
 * is written off the request path.
 */

import { setImmediate as afterOthers } from 'node:timers/promises';
import type { StatementHistory } from '../../statement/history.ts';
import type { Store } from '../store/store.ts';
import { type HistoryLimits, historyLimits } from './history-limits.ts';
import type { RowsToDelete, TimedRecord } from './history-table.ts';
import { entryOf } from './row.ts';
import { selectHistory } from './select.ts';

interface HistorySettings {
  readonly isOn: boolean;
  readonly days: number;
}

export interface HistoryPorts {
  readonly store: Pick<Store, 'knex' | 'ledger' | 'write'>;
  /** Called at each statement, so a change counts at once. */
  readonly settings: () => HistorySettings;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /**
   * The clock that decides which rows are old: a jumped clock must not delete rows
   * (store/believed-clock.ts).
   */
  readonly retentionNow: () => number;
  readonly report: (error: unknown) => void;
  readonly limits?: HistoryLimits;
}

interface OpenHistory extends StatementHistory {
  flush(): Promise<void>;
  /**
   * Removes rows past their time or beyond the size. Also runs soon after the start, every hour,
   * and when there is too much.
   */
  prune(): Promise<void>;
  /** Removes everything, from the file too. @returns the number of statements removed. */
  clear(): Promise<number>;
  /** Writes what waits, then stops. The store must still be open. */
  close(): Promise<void>;
}

const dayMilliseconds = 86_400_000;

export function openHistory(ports: HistoryPorts): OpenHistory {
  const { store, settings, now, retentionNow, report } = ports;
  const { knex, ledger } = store;
  const limits = ports.limits ?? historyLimits;
  const waiting: TimedRecord[] = [];
  let writing: Promise<void> = Promise.resolve();
  let removing: Promise<void> = Promise.resolve();
  let isRemoving = false;
  let newestId = 0;
  let isClosing = false;
  let timer: NodeJS.Timeout | null = null;
  const firstPrune = setTimeout(() => void prune(), limits.firstPruneMilliseconds).unref();
  const pruneTimer = setInterval(() => void prune(), limits.pruneEveryMilliseconds).unref();

  function write(): Promise<void> {
    writing = writing.then(writeWaiting).catch(report);
    return writing;
  }

  async function writeWaiting(): Promise<void> {
    let kept = 0;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limits.batchRows);
      ({ newestId, keptBytes: kept } = await ledger.ask('addHistory', batch, limits.statementBytes, newestId));
    }
    // Down to nine tenths; otherwise every batch would prune again. Nobody waits for it.
    if (!isRemoving && kept > limits.totalBytes) void remove({ before: null, bytes: 0.9 * limits.totalBytes });
  }

  /** In steps, so others can write in between: removing a tenth of everything takes a while. */
  function remove(excess: RowsToDelete): Promise<void> {
    isRemoving = true;
    removing = removing
      .then(async () => {
        while (!isClosing && (await ledger.ask('removeOldest', limits.stepRows, excess))) await afterOthers();
      })
      .catch(report)
      .finally(() => {
        isRemoving = false;
      });
    return removing;
  }

  /**
   * Removes every row and what a delete leaves of a statement: its words in the index until a
   * merge, its pages in the write-ahead log. (The store's `secure_delete` overwrites freed pages.)
   * Nothing may be added meanwhile.
   */
  async function removeAll(): Promise<number> {
    // In one command: word by word it would take a minute after a busy month.
    await store.write(knex.raw("insert into history_search (history_search) values ('delete-all')"));
    let removed = 0;
    for (let step = limits.clearRows; step === limits.clearRows; await afterOthers()) {
      const some = knex('history').select('id').orderBy('id').limit(limits.clearRows);
      [step = 0] = await store.write(knex('history').whereIn('id', some).delete());
      removed += step;
    }
    await store.write(knex('history_size').update({ kept_bytes: 0 }));
    await ledger.ask('checkpoint');
    return removed;
  }

  async function flush(): Promise<void> {
    if (waiting.length > 0) await write();
    else await writing;
  }

  function prune(): Promise<void> {
    const before = retentionNow() - settings().days * dayMilliseconds;
    return remove({ before, bytes: limits.totalBytes });
  }

  return {
    isOn: () => settings().isOn,

    record(record) {
      if (!settings().isOn) return;
      const { attempt } = record;
      const place = attempt === undefined ? -1 : waiting.findLastIndex(one => one.record.attempt === attempt);
      if (place >= 0) {
        waiting[place] = { time: waiting[place]?.time ?? now(), record };
        return;
      }
      if (waiting.length >= limits.waitingRows) return;
      waiting.push({ time: now(), record });
      timer ??= setTimeout(() => {
        timer = null;
        void flush();
      }, limits.batchMilliseconds).unref();
    },

    async settle(attempt, outcome) {
      await flush();
      await store.write(knex('history').where({ attempt }).update({ outcome })).catch(report);
    },

    async search(question) {
      await flush();
      return (await selectHistory(knex, question)).map(entryOf);
    },

    flush,
    prune,

    async clear() {
      await flush();
      // Takes the turn of both queues, so nothing is written or pruned meanwhile.
      const cleared = Promise.all([writing, removing]).then(removeAll);
      writing = cleared.then(() => {}).catch(report);
      removing = writing;
      return cleared;
    },

    async close() {
      clearTimeout(firstPrune);
      clearInterval(pruneTimer);
      if (timer !== null) clearTimeout(timer);
      await flush();
      isClosing = true;
      await removing;
    },
  };
}
