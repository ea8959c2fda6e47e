/**
 * Rows of one table that an ALTER TABLE takes without the table: those of a partition, and the old
 * versions that MariaDB keeps. Makes the questions that count them.
 */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { MysqlTaking } from '../../../guard/mysql/taking.ts';
import type { Countable } from '../../count/count-whole.ts';
import type { TakenTable } from '../../count/taken.ts';
import { shownName } from '../../count/taken-words.ts';
import { quotedTable, type TableName } from './tables.ts';

export interface Loss extends Countable {
  /** Without its count. */
  readonly table: TakenTable;
  /**
   * Count at most so many; null for all. What the second counts isn't lost: under LOCK TABLES no
   * question may name a table twice.
   */
  questions(most: number | null): readonly [string, string?];
}

/** @param tables those of `taking`, with their schemas. */
export function lossesOf({ partitions, history }: MysqlTaking, [table]: readonly TableName[]): readonly Loss[] {
  if (table === undefined) return [];
  const of = quotedTable(table);
  const limited = (source: string, most: number | null): string =>
    `SELECT COUNT(*) FROM ${most === null ? source : `(SELECT 1 FROM ${source} LIMIT ${most}) AS t`}`;
  const loss = (because: string, questions: Loss['questions'], isMost = false): Loss => ({
    mayCount: true,
    estimate: null,
    questions,
    table: {
      name: `${table.schema}.${table.name}`,
      act: 'deleted',
      rows: null,
      isEstimate: true,
      isMost,
      isAll: false,
      because,
    },
  });
  const isAll = partitions.length === 1 && partitions[0]?.toUpperCase() === 'ALL';
  const named = partitions.map(name => quoteIdentifier('mysql', name)).join(', ');
  const shown = isAll
    ? 'all its partitions'
    : `its ${partitions.length > 1 ? 'partitions' : 'partition'} ${partitions.map(shownName).join(', ')}`;
  return [
    ...(partitions.length > 0
      ? [loss(`in ${shown}`, most => [limited(isAll ? of : `${of} PARTITION (${named})`, most)])]
      : []),
    ...(history !== null
      ? [
          loss(
            'old versions in its history',
            () => [limited(`${of} FOR SYSTEM_TIME ALL`, null), limited(of, null)],
            history === 'some',
          ),
        ]
      : []),
  ];
}

/** @param ask gives the one number of a question. */
export async function countLoss(
  { questions }: Loss,
  most: number | null,
  ask: (sql: string) => Promise<number>,
): Promise<number> {
  const [all, kept] = questions(most);
  const found = await ask(all);
  return kept === undefined ? found : found - (await ask(kept));
}
