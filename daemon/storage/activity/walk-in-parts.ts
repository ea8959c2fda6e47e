/**
 * Walks the chain in several threads. A row is checked against the MAC in the row before it, so a
 * part can start behind any row; the chain is whole if each part is.
 */

import { availableParallelism } from 'node:os';
import type { Ledger } from '../ledger/ledger.ts';
import type { Head } from './chain.ts';
import type { Walked } from './walk.ts';

/** With fewer rows a thread costs more than it saves. */
const fewestRows = 10_000;
/** Each may take the memory of a store's thread (ledger/thread.ts). */
const mostParts = 4;

export async function walkInParts(
  ledger: Pick<Ledger, 'read'>,
  key: Buffer,
  { tail, last }: Pick<Head, 'tail' | 'last'>,
): Promise<Walked> {
  const rows = last.number - tail.number;
  const parts = Math.min(availableParallelism(), mostParts, Math.floor(rows / fewestRows));
  if (parts > 1) {
    const marks = await ledger.read('marksBetween', tail.number, last.number, parts);
    const ends = [...marks, last];
    const walks = await Promise.all(
      ends.map((end, part) => ledger.read('walkChain', key, { tail: ends[part - 1] ?? tail, last: end })),
    );
    if (walks.every(({ findings }) => findings.length === 0)) return joined(walks);
  }
  // Where something is wrong, one walk over everything says what and where.
  return ledger.read('walkChain', key, { last, tail });
}

function joined(walks: readonly Walked[]): Walked {
  return {
    rowsChecked: walks.reduce((sum, { rowsChecked }) => sum + rowsChecked, 0),
    findings: [],
    notes: walks.flatMap(({ notes }) => notes),
    end: Math.max(...walks.map(({ end }) => end)),
    uncheckable: walks[0]?.uncheckable ?? 0,
  };
}
