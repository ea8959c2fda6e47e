/** A class with the sentence that explains it, and which of two classes weighs more. */

import { withAdvice } from '../advice.ts';
import { allOf, type Reason } from '../reason.ts';
import type { StatementClass } from '../types.ts';

export { english, joinReasons, type Reason, say } from '../reason.ts';

export interface Verdict {
  readonly class: StatementClass;
  readonly reason: Reason;
  /**
   * True for what binds the session. A client may not do it, but code that the owner stored may.
   */
  readonly isSessionBound?: true;
  /** True for what ends the transaction that it runs in. */
  readonly endsTransaction?: true;
  /** False if the WHERE doesn't pin rows by `column = constant`. */
  readonly isNarrow?: boolean;
  /** What a data change does at most: of several, the statement's reason names the strongest. */
  readonly does?: 'adds' | 'changes' | 'removes';
  /** True if what runs can't be looked into, so nobody knows what it does besides changing rows. */
  readonly isUnseen?: true;
}

const weights: Readonly<Record<StatementClass, number>> = { read: 0, write: 1, destructive: 2, forbidden: 3 };

export function outweighs(one: StatementClass, other: StatementClass): boolean {
  return weights[one] > weights[other];
}

const strengths = { adds: 1, changes: 2, removes: 3 } as const;

/** True if `one` has the heavier class, or does more to rows under the same class. */
export function isStronger(one: Verdict, other: Verdict): boolean {
  return outweighs(one.class, other.class) || (one.class === other.class && strengthOf(one) > strengthOf(other));
}

const strengthOf = ({ does }: Verdict): number => (does === undefined ? 0 : strengths[does]);

/** The reasons of those that ask, the strongest first. */
export function allThatAsk(verdicts: readonly Verdict[]): Reason {
  const asking = verdicts.filter(one => one.class === 'destructive');
  return allOf([...asking].sort((one, other) => strengthOf(other) - strengthOf(one)).map(({ reason }) => reason));
}

export const read = (reason: string): Verdict => ({ class: 'read', reason });
export const write = (reason: Reason): Verdict => ({ class: 'write', reason });
export const destructive = (reason: Reason): Verdict => ({ class: 'destructive', reason });
export const forbidden = (reason: string): Verdict => ({ class: 'forbidden', reason: withAdvice(reason) });
/**
 * @param reason with its advice: for stored code, the reason may be part of a question to a person.
 */
export const sessionBound = (reason: Reason): Verdict => ({ class: 'forbidden', reason, isSessionBound: true });
