/**
 * What the serving thread is busy with, by kind and never by content, to explain a blockage. Only
 * types.
 */

export type WorkKind = 'reading a request' | 'beginning an answer' | 'using its store';

export interface Work {
  /** Does the work at once and returns its result. */
  during<Result>(kind: WorkKind, work: () => Result): Result;
}
