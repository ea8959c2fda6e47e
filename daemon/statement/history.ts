/**
 * The query history's port (spec §9, §14): what is kept of each statement, and how it is looked
 * for. Kept by daemon/storage.
 */

import type { ActivityOutcome } from '../activity.ts';
import type { StatementClass } from '../guard/types.ts';

export interface HistoryRecord {
  readonly connection: { readonly id: string; readonly name: string };
  /** Principal.id. */
  readonly principal: string;
  readonly tokenName: string;
  readonly client: string | null;
  /** As the client sent it. The keeper cuts long ones and keeps none with a password in it. */
  readonly statement: string;
  readonly class: StatementClass;
  /** `rolled_back`: `preview_write` ran it, and nothing of it stayed. */
  readonly outcome: ActivityOutcome | 'rolled_back';
  readonly rows: number | null;
  readonly durationMilliseconds: number | null;
}

export interface HistoryEntry extends Omit<HistoryRecord, 'statement'> {
  readonly id: number;
  /** ISO 8601. */
  readonly time: string;
  /** SHA-256 of the whole statement, 64 hexadecimal digits: the same as in the activity log. */
  readonly statementHash: string;
  /** Null where it had a password in it. */
  readonly statement: string | null;
  readonly isCut: boolean;
}

export interface HistoryQuestion {
  /**
   * Words that all must occur, each as the beginning of a word, or "a phrase"; case and accents
   * don't count.
   */
  readonly text: string | null;
  /**
   * Ids: entries of other connections are never given. Null for all, removed ones too: only a
   * person is given these.
   */
  readonly connections: readonly string[] | null;
  /** Whose; null for everybody's on these connections. */
  readonly principal: string | null;
  /** Wall clock, milliseconds since 1970, both included. */
  readonly since: number | null;
  readonly until: number | null;
  /** Between which ids, both left out; absent or null where there is no end. */
  readonly after?: number | null;
  readonly before?: number | null;
  /** 1 to 1,000. */
  readonly limit: number;
}

export interface StatementHistory {
  /**
   * Off the request's path. Keeps nothing while the history is switched off; never throws for want
   * of room.
   */
  record(record: HistoryRecord): void;
  /** Newest first. What was recorded before is found. */
  search(question: HistoryQuestion): Promise<readonly HistoryEntry[]>;
}
