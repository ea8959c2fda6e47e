/**
 * Adds a batch of rows to the chain, and the sealed copy of its head, in one transaction. Runs in
 * the thread that writes.
 */

import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../sqlite/open-file.ts';
import { type Head, headText, type Mark, macOf, type Seal, sameMac, sealOf } from './chain.ts';
import { factsOfIncident, type Incident } from './incidents.ts';
import type { Facts, StoredRow } from './row.ts';
import { settle } from './settle.ts';
import { endOfTable, insertRows } from './table.ts';

interface Batch {
  readonly seal: Seal;
  /** Current end of the chain; the head copy is made after this batch. */
  readonly head: Head;
  readonly isDetached: boolean;
  /** Rows about the log itself; they come before the others. */
  readonly incidents: readonly Incident[];
  readonly facts: readonly Facts[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface Committed {
  readonly first: number;
  readonly last: Mark;
  /** Rows about the log itself; they stand before the batch. */
  readonly own: readonly Facts[];
}

export function commitRows(database: DatabaseSync, batch: Batch): Committed {
  return inTransaction(database, () => commit(database, batch));
}

function commit(database: DatabaseSync, { seal, head, isDetached, incidents, facts, now }: Batch): Committed {
  const found = lookAtTheEnd(database, seal, head, isDetached);
  const own = [...incidents, ...found.incidents].map(incident => factsOfIncident(now, incident));
  const rows = chained(seal.key, found.last, found.isDetached, [...own, ...facts]);
  const final = rows.at(-1);
  const last = final === undefined ? found.last : { number: final.number, mac: final.mac };
  if (final !== undefined) {
    insertRows(database, rows);
    keepHeadCopy(database, seal, { ...head, last });
  }
  return { first: found.last.number + 1, last, own };
}

/** Another process may have changed the table. A look before each batch costs next to nothing. */
function lookAtTheEnd(database: DatabaseSync, seal: Seal, head: Head, isDetached: boolean) {
  const { last } = head;
  const end = endOfTable(database) ?? { number: 0, mac: last.mac };
  const isAsLeft = end.number === last.number && sameMac(end.mac, last.mac);
  const isKnown = isDetached && end.number <= last.number;
  return isAsLeft || isKnown ? { last, isDetached, incidents: [] } : settle(database, seal, head);
}

function chained(key: Buffer, last: Mark, isDetached: boolean, facts: readonly Facts[]): StoredRow[] {
  let predecessor = last;
  return facts.map((fact, index) => {
    const number = predecessor.number + 1;
    const mac = macOf(key, predecessor.mac, number, fact);
    const row = { number, previous: index === 0 && isDetached ? predecessor.mac : null, mac, ...fact };
    predecessor = { number, mac };
    return row;
  });
}

/** In the same transaction as the rows, so copy and rows always agree. */
export function keepHeadCopy(database: DatabaseSync, { key, storeId }: Seal, head: Head): void {
  const text = headText(head);
  database
    .prepare('insert or replace into activity_head (id, head, seal) values (1, ?, ?)')
    .run(text, sealOf(key, storeId, text));
}
