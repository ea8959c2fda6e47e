/**
 * The query history's port (spec §9, §14): what is kept of each statement, and how it is searched.
 * daemon/storage implements it.
 */

import type { ActivityOutcome } from '../activity.ts';
import type { StatementClass } from '../guard/types.ts';

export interface HistoryRecord {
  readonly connection: { readonly id: string; readonly name: string };
  /** Its account (`accountOf`): every bridge process of this machine has the same. */
  readonly principal: string;
  readonly tokenName: string;
  readonly client: string | null;
  /** As the client sent it. Long ones are cut, and one with a password isn't kept. */
  readonly statement: string;
  readonly class: StatementClass;
  /** `rolled_back`: `preview_write` ran it, and nothing of it stayed. */
  readonly outcome: ActivityOutcome | 'rolled_back';
  readonly rows: number | null;
  readonly durationMilliseconds: number | null;
  /**
   * Its number in the activity log, for a write that is recorded before its COMMIT and again at its
   * end: the second takes the place of the first.
   */
  readonly attempt?: number;
}

export interface HistoryEntry extends Omit<HistoryRecord, 'statement' | 'attempt'> {
  readonly id: number;
  /** ISO 8601. */
  readonly time: string;
  /** SHA-256 of the whole statement, 64 hexadecimal digits: the same as in the activity log. */
  readonly statementHash: string;
  /** Null if it held a password. */
  readonly statement: string | null;
  readonly isCut: boolean;
}

export interface HistoryQuestion {
  /**
   * Words that must all occur, each as the beginning of a word, or "a phrase"; case and accents are
   * ignored.
   */
  readonly text: string | null;
  /**
   * Ids: entries of other connections are never returned. Null for all, removed ones included: only
   * for a person.
   */
  readonly connections: readonly string[] | null;
  /** Whose entries, by account; null for everybody's on these connections. */
  readonly principal: string | null;
  /** Only of clients that call themselves so; absent or null for any. */
  readonly client?: string | null;
  /** As `client`, or as its token is called, in any case; absent or null for any. */
  readonly who?: string | null;
  /** Wall clock, milliseconds since 1970, both included. */
  readonly since: number | null;
  readonly until: number | null;
  /** Only this statement, 64 hexadecimal digits; absent or null for any. */
  readonly statementHash?: string | null;
  /** Exclusive bounds on ids; absent or null for no bound. */
  readonly after?: number | null;
  readonly before?: number | null;
  /** 1 to 1,000. */
  readonly limit: number;
}

export interface StatementHistory {
  /** False while the person has switched it off: nothing is added then. */
  isOn(): boolean;
  /**
   * Runs off the request's path. Keeps nothing while the history is switched off; never throws for
   * want of room.
   */
  record(record: HistoryRecord): void;
  /** Sets what was found out later. Never rejects. */
  settle(attempt: number, outcome: HistoryRecord['outcome']): Promise<void>;
  /** Newest first. Finds everything recorded before. */
  search(question: HistoryQuestion): Promise<readonly HistoryEntry[]>;
}
