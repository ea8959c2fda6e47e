/** How the rules for single kinds of statement answer, and how answers are compared. */

import { withAdvice } from '../advice.ts';
import type { Reason } from '../reason.ts';
import type { QualifiedName, StatementClass } from '../types.ts';
import type { CatalogItem, Change, KeyValue } from './question.ts';

export { allOf, english, joinReasons, type Reason, say } from '../reason.ts';

export interface Verdict {
  readonly class: StatementClass;
  readonly reason: Reason;
  readonly tables: readonly QualifiedName[];
  /** The tables whose rows are added, changed or removed, or which are defined anew as a whole. */
  readonly changes: readonly QualifiedName[];
  /** What is done to these tables; see `CatalogItem`. */
  readonly change: Change;
  /** For `keyed`: the columns with values. */
  readonly by: readonly KeyValue[];
  /**
   * What happened to the rows of the one table in `changes`, if the server's count of affected rows
   * is of that table.
   */
  readonly countsOne?: 'updated' | 'deleted';
  /** For a data change: whether the statement itself, without what it sets off, only adds rows. */
  readonly ownEffect?: 'adds' | 'changes';
  /** Tables of which the statement uses no row: it shows or changes what they are. */
  readonly named: readonly QualifiedName[];
  readonly calls: readonly QualifiedName[];
  readonly needsOwnSession: boolean;
  readonly isDml: boolean;
  readonly runsDml?: true;
  readonly isUnboundedDml: boolean;
  readonly plansDml?: true;
  /** What to ask the catalog. */
  readonly question: readonly CatalogItem[];
  /** What each of several parts does, told behind what the catalog finds. */
  readonly parts?: Reason;
  /**
   * For a CALL with no argument that a procedure could store into: it is a read if the procedure
   * only reads.
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
 * Told of a statement before and after which the server commits (MySQL manual 15.3.3): it can't be
 * part of a transaction.
 */
export const inOwnSession = { needsOwnSession: true } as const;

/**
 * @returns the answer raised to at least `kind`. The reason replaces the answer's own if that
 *   raises it.
 */
export function atLeast(answer: Verdict, kind: StatementClass, reason: Reason): Verdict {
  return isWorse(kind, answer.class) ? { ...answer, class: kind, reason } : answer;
}
