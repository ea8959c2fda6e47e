/** The query history on the store (spec §14): switchable, kept for so many days and so many bytes, written off the request path. */

import type { Knex } from 'knex';
import type { HistoryRecord, StatementHistory } from '../../query/history.ts';
import { type HistoryLimits, historyLimits } from './limits.ts';
import { entryOf, historyRow } from './row.ts';
import { selectHistory } from './select.ts';
import { countHistory, insertHistory, keptBytes, removeAll, removeOldest } from './table.ts';

interface HistorySettings {
  readonly isOn: boolean;
  readonly days: number;
}

export interface HistoryPorts {
  readonly knex: Knex;
  /** Asked at each statement, so that a change counts at once. */
  readonly settings: () => HistorySettings;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** By which rows are old enough to be removed: a clock that jumped must not remove them (believed-clock.ts). */
  readonly oldBy: () => number;
  readonly report: (error: unknown) => void;
  readonly limits?: HistoryLimits;
}

interface OpenHistory extends StatementHistory {
  flush(): Promise<void>;
  /** Removes what is older than it is kept, or more than fits. Also done soon after the start, every hour, and when there is too much. */
  prune(): Promise<void>;
  /** Removes everything, from the file too. @returns how many statements that were. */
  clear(): Promise<number>;
  /** Writes what waits and stops. The store must still be open. */
  close(): Promise<void>;
}

const dayMilliseconds = 86_400_000;

export function openHistory(ports: HistoryPorts): OpenHistory {
  const { knex, settings, now, oldBy, report } = ports;
  const limits = ports.limits ?? historyLimits;
  const waiting: { readonly time: number; readonly record: HistoryRecord }[] = [];
  let writing: Promise<void> = Promise.resolve();
  let removing: Promise<void> = Promise.resolve();
  let isRemoving = false;
  let isClosing = false;
  let timer: NodeJS.Timeout | null = null;
  const firstPrune = setTimeout(() => void prune(), limits.firstPruneMilliseconds).unref();
  const pruneTimer = setInterval(() => void prune(), limits.pruneEveryMilliseconds).unref();

  function write(): Promise<void> {
    writing = writing.then(writeWaiting).catch(report);
    return writing;
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limits.batchRows);
      const rows = batch.map(({ time, record }) => historyRow(time, record, limits.statementBytes));
      await insertHistory(knex, rows);
    }
    // Down to nine tenths, or it would be at it again with each batch. Nobody waits for it.
    if (!isRemoving && (await keptBytes(knex)) > limits.totalBytes) {
      void remove((_, bytes) => bytes > 0.9 * limits.totalBytes);
    }
  }

  /** Beside the writing, between whose transactions it takes its own: to remove a tenth of everything takes a while. */
  function remove(isOver: (row: { readonly time: number }, bytes: number) => boolean): Promise<void> {
    isRemoving = true;
    removing = removing
      .then(() => removeOldest(knex, limits.stepRows, (row, bytes) => !isClosing && isOver(row, bytes)))
      .catch(report)
      .finally(() => {
        isRemoving = false;
      });
    return removing;
  }

  async function flush(): Promise<void> {
    if (waiting.length > 0) await write();
    else await writing;
  }

  function prune(): Promise<void> {
    const before = oldBy() - settings().days * dayMilliseconds;
    return remove((row, bytes) => row.time < before || bytes > limits.totalBytes);
  }

  return {
    record(record) {
      if (!settings().isOn || waiting.length >= limits.waitingRows) return;
      waiting.push({ time: now(), record });
      timer ??= setTimeout(() => {
        timer = null;
        void flush();
      }, limits.batchMilliseconds).unref();
    },

    async search(question) {
      await flush();
      return (await selectHistory(knex, question)).map(entryOf);
    },

    flush,
    prune,

    async clear() {
      await flush();
      // In the turn of both, so that nothing is written, and nothing removed for its age, beside it.
      const cleared = Promise.all([writing, removing]).then(async () => {
        const kept = await countHistory(knex);
        await removeAll(knex, limits.clearRows);
        return kept;
      });
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
