/**
 * The one writer of the chain: has a batch of rows committed by the thread that writes, then
 * anchors the head (spec §14: rows first, then head). Decides nothing about when.
 */

import { writeHead } from './anchor.ts';
import { type Head, keyIdOf } from './chain.ts';
import { doubtOf } from './incidents.ts';
import { type ChainPorts, openChain } from './open-chain.ts';
import type { Facts } from './row.ts';

export interface RecordedRow {
  readonly number: number;
  readonly facts: Facts;
}

export type ChainWriter = Awaited<ReturnType<typeof openWriter>>;

interface WriterPorts extends ChainPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

export async function openWriter(ports: WriterPorts) {
  const { ledger, secrets, now } = ports;
  const opened = await openChain(ports);
  const { seal } = opened;
  const keyId = keyIdOf(seal.key);
  let { tail, last, isDetached, incidents } = opened;
  let isAnchored = incidents.length === 0;
  /**
   * Of the head in the secret store. Until the next is there it grows by one, however many batches
   * that takes.
   */
  let { counter } = opened;

  const head = (): Head => ({ keyId, counter: isAnchored ? counter : counter + 1, isAnchored: false, last, tail });

  return {
    key: seal.key,
    /** The database was found to be older than the head. */
    wasOlderCopy: incidents.some(({ action }) => action === 'activity.older_copy'),
    /** What its start found of store and secrets. */
    doubt: doubtOf(incidents),
    head,
    isAnchored: () => isAnchored,

    /**
     * @returns the rows as they were committed: the log's own about itself first, where the table
     * was not as it was left.
     * @throws what the store throws. Nothing was committed then, unless its thread ended: what that
     * had committed is found by the next.
     */
    async commit(facts: readonly Facts[]): Promise<readonly RecordedRow[]> {
      const next = { ...head(), counter: counter + 1 };
      const committed = await ledger.ask('commitRows', {
        ...{ seal, head: next, isDetached, incidents, facts, now: now() },
      });
      const rows = [...committed.own, ...facts].map((fact, index) => ({
        number: committed.first + index,
        facts: fact,
      }));
      if (rows.length === 0) return rows;
      last = committed.last;
      isDetached = false;
      incidents = [];
      isAnchored = false;
      return rows;
    },

    /** @throws SecretStoreUnavailable */
    async anchor(): Promise<void> {
      const written = head();
      await writeHead(secrets, seal, written);
      counter = written.counter;
      isAnchored = written.last === last && written.tail === tail;
    },

    /** Rows up to it are about to be pruned; counts once anchored. */
    moveTail(newTail: Head['tail']): void {
      tail = newTail;
      isAnchored = false;
    },

    /**
     * At a clean stop, where the head is anchored: an older one in its place is then known for what
     * it is.
     */
    async close(): Promise<void> {
      if (isAnchored && last.number > 0) await ledger.ask('keepHeadCopy', seal, { ...head(), isAnchored: true });
    },
  };
}
