/**
 * The chain's only writer: the writing thread commits a batch of rows, then the head is anchored
 * (spec §14: rows first, then head). Others decide when.
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
   * Counter of the head in the secret store. Until the next head is there it grows by one, however
   * many batches that takes.
   */
  let { counter } = opened;

  const head = (): Head => ({ keyId, counter: isAnchored ? counter : counter + 1, isAnchored: false, last, tail });

  return {
    key: seal.key,
    /** True if the database is older than the head. */
    wasOlderCopy: incidents.some(({ action }) => action === 'activity.older_copy'),
    /** What the start found wrong with store or secrets. */
    doubt: doubtOf(incidents),
    head,
    isAnchored: () => isAnchored,

    /**
     * @returns the committed rows: first those about the log itself, if the table was changed.
     * @throws what the store throws. Then nothing was committed, unless the thread ended: the next
     *   one finds what it committed.
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

    /** Rows up to this tail are about to be pruned. Counts once anchored. */
    moveTail(newTail: Head['tail']): void {
      tail = newTail;
      isAnchored = false;
    },

    /** Anchors the head at a clean stop: an older head in its place is then recognised. */
    async close(): Promise<void> {
      if (isAnchored && last.number > 0) await ledger.ask('keepHeadCopy', seal, { ...head(), isAnchored: true });
    },
  };
}
