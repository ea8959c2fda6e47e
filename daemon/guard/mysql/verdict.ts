/** How the rules for single kinds of statement answer, and how answers are compared. */

import { withAdvice } from '../advice.ts';
import type { Reason } from '../reason.ts';
import type { QualifiedName, StatementClass } from '../types.ts';
import type { CatalogItem, Change, KeyValue } from './question.ts';

export { english, type Reason, say, together } from '../reason.ts';

export interface Verdict {
  readonly class: StatementClass;
  readonly reason: Reason;
  readonly tables: readonly QualifiedName[];
  /** Of these tables rows are added, changed or removed, or the whole is defined anew. */
  readonly changes: readonly QualifiedName[];
  /** What is done to these; see `CatalogItem`. */
  readonly change: Change;
  /** Of what is `keyed`. */
  readonly by: readonly KeyValue[];
  /**
   * Where the server's count of affected rows is of the one table in `changes`: what happened to
   * them.
   */
  readonly countsOne?: 'updated' | 'deleted';
  /** Of a data change: whether it only adds rows, without what it sets off. */
  readonly ownEffect?: 'adds' | 'changes';
  /** Of these tables the statement uses no row: it shows or changes what they are. */
  readonly named: readonly QualifiedName[];
  readonly calls: readonly QualifiedName[];
  readonly needsOwnSession: boolean;
  readonly isDml: boolean;
  readonly isUnboundedDml: boolean;
  readonly plansDml?: true;
  /** What the catalog is asked for. */
  readonly question: readonly CatalogItem[];
  /**
   * Of a CALL that hands over nothing a procedure could store into: a read where the procedure only
   * reads.
   */
  readonly readsIfCalledDoes?: true;
}

const rank: Record<StatementClass, number> = { read: 0, write: 1, destructive: 2, forbidden: 3 };

export function isWorse(one: StatementClass, other: StatementClass): boolean {
  return rank[one] > rank[other];
}

function verdict(kind: StatementClass, reason: Reason, more: Partial<Verdict> = {}): Verdict {
  return {
    class: kind,
    reason,
    tables: [],
    changes: [],
    change: 'changed',
    by: [],
    named: [],
    question: [],
    calls: [],
    needsOwnSession: false,
    isDml: false,
    isUnboundedDml: false,
    ...more,
  };
}

export const read = (reason: string, more?: Partial<Verdict>): Verdict => verdict('read', reason, more);
export const write = (reason: Reason, more?: Partial<Verdict>): Verdict => verdict('write', reason, more);
export const destructive = (reason: Reason, more?: Partial<Verdict>): Verdict => verdict('destructive', reason, more);
export const forbidden = (reason: string, more?: Partial<Verdict>): Verdict =>
  verdict('forbidden', withAdvice(reason), more);

/**
 * What the server commits by itself, before and after (MySQL manual 15.3.3): it can't stand in a
 * transaction.
 */
export const alone = { needsOwnSession: true } as const;

/**
 * @returns the same answer raised to at least `kind`, for a reason of its own where that raises it.
 */
export function atLeast(answer: Verdict, kind: StatementClass, reason: Reason): Verdict {
  return isWorse(kind, answer.class) ? { ...answer, class: kind, reason } : answer;
}
