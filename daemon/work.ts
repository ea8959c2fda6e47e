/**
 * What the thread that serves is busy with, by kind and never by content, so that a stall can be
 * explained. Only types.
 */

export type WorkKind = 'reading a request' | 'beginning an answer' | 'using its store';

export interface Work {
  /** Does the work at once and gives what it gave. */
  during<Result>(kind: WorkKind, work: () => Result): Result;
}
