/**
 * The one writer of the chain: commits a batch of rows, then anchors the head (spec §14: rows first, then head). Decides
 * nothing about when.
 */

import { writeHead, writeSealedCopy } from './anchor.ts';
import { type Head, keyIdOf, type Mark, macOf, sameMac } from './chain.ts';
import { type ChainPorts, type OpenedChain, openChain } from './open-chain.ts';
import type { Facts, StoredRow } from './row.ts';
import { type Incident, settle } from './settle.ts';
import { endOfTable, insertRows } from './table.ts';

export interface ChainWriter {
  readonly key: Buffer;
  /** The database was found to be older than the head. */
  readonly wasOlderCopy: boolean;
  head(): Head;
  /**
   * @returns the rows as they were committed: the log's own about itself first, where the table was not as it was left.
   * @throws what the store throws; then nothing was committed.
   */
  commit(facts: readonly Facts[]): Promise<readonly StoredRow[]>;
  isAnchored(): boolean;
  /** @throws SecretStoreUnavailable */
  anchor(): Promise<void>;
  /** Rows up to it are about to be pruned; counts once anchored. */
  moveTail(tail: Head['tail']): void;
  /** At a clean stop, where the head is anchored: an older one in its place is then known for what it is. */
  close(): Promise<void>;
}

interface WriterPorts extends ChainPorts {
  /** Makes a row of something the log says of itself. */
  readonly factsOfIncident: (incident: Incident) => Facts;
}

export async function openWriter(ports: WriterPorts): Promise<ChainWriter> {
  const opened: OpenedChain = await openChain(ports);
  const { seal } = opened;
  const { key } = seal;
  const keyId = keyIdOf(key);
  let tail = opened.tail;
  let last = opened.last;
  let isDetached = opened.isDetached;
  let incidents = opened.incidents;
  let isAnchored = opened.incidents.length === 0;
  /** Of the head in the secret store. Until the next is there it grows by one, however many batches that takes. */
  let counter = opened.counter;

  const head = (): Head => ({ keyId, counter: isAnchored ? counter : counter + 1, isAnchored: false, last, tail });

  /** Another process may have changed the table under us: look before each batch, when it costs next to nothing. */
  async function lookAtTheEnd(): Promise<void> {
    const end = (await endOfTable(ports.knex)) ?? { number: 0, mac: last.mac };
    const isAsLeft = end.number === last.number && sameMac(end.mac, last.mac);
    const isKnown = isDetached && end.number <= last.number;
    if (isAsLeft || isKnown) return;
    const settled = await settle(ports.knex, seal, head(), ports.stepRows);
    ({ last, isDetached } = settled);
    incidents = [...incidents, ...settled.incidents];
  }

  function chained(facts: readonly Facts[]): StoredRow[] {
    let predecessor: Mark = last;
    return facts.map((fact, index) => {
      const number = predecessor.number + 1;
      const mac = macOf(key, predecessor.mac, number, fact);
      const row = { ...fact, number, previous: index === 0 && isDetached ? predecessor.mac : null, mac };
      predecessor = { number, mac };
      return row;
    });
  }

  return {
    key,
    wasOlderCopy: opened.incidents.some(({ action }) => action === 'activity.older_copy'),
    head,
    isAnchored: () => isAnchored,

    async commit(facts) {
      await lookAtTheEnd();
      const rows = chained([...incidents.map(ports.factsOfIncident), ...facts]);
      const final = rows.at(-1);
      if (final === undefined) return rows;
      const newLast = { number: final.number, mac: final.mac };
      await ports.knex.transaction(async trx => {
        await insertRows(trx, rows);
        await writeSealedCopy(trx, seal, { ...head(), counter: counter + 1, last: newLast });
      });
      last = newLast;
      isDetached = false;
      incidents = [];
      isAnchored = false;
      return rows;
    },

    async anchor() {
      const written = head();
      await writeHead(ports.secrets, seal, written);
      counter = written.counter;
      isAnchored = written.last === last && written.tail === tail;
    },

    moveTail(newTail) {
      tail = newTail;
      isAnchored = false;
    },

    async close() {
      if (isAnchored && last.number > 0) await writeSealedCopy(ports.knex, seal, { ...head(), isAnchored: true });
    },
  };
}
