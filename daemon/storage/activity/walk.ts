/** Walks the chain from its tail to its last row and collects what is wrong, in its own thread. */

import type { DatabaseSync } from 'node:sqlite';
import type { ActivityFinding } from '../../activity.ts';
import { queryOn } from '../../sqlite/query.ts';
import { type Head, sameMac } from './chain.ts';
import { findingsAbout } from './findings.ts';
import { endOfTable, rowsBetween } from './table.ts';
import { chainVerifier } from './verify-row.ts';

export interface Walked {
  readonly rowsChecked: number;
  readonly findings: readonly ActivityFinding[];
  readonly notes: readonly string[];
  /** The table's last row; the table may have grown since. */
  readonly end: number;
  /** Rows up to the tail that are still in the table. */
  readonly uncheckable: number;
}

export function walkChain(database: DatabaseSync, key: Buffer, { tail, last }: Pick<Head, 'tail' | 'last'>): Walked {
  const found = findingsAbout(tail.number);
  const verify = chainVerifier(key, tail);
  let rowsChecked = 0;
  for (const row of rowsBetween(database, tail.number, last.number)) {
    const rowVerdict = verify(row);
    const isOtherLast = row.number === last.number && !sameMac(row.mac, last.mac);
    found.row(row, isOtherLast ? { ...rowVerdict, verdict: 'bad' } : rowVerdict);
    rowsChecked += 1;
  }
  found.end(last.number);
  const uncheckable = queryOn(database, 'select count(*) from activity where number <= ?').value(tail.number);
  return {
    rowsChecked,
    findings: found.findings,
    notes: found.notes,
    end: endOfTable(database)?.number ?? 0,
    uncheckable: Number(uncheckable),
  };
}
