/**
 * How a statement's classification for its connection comes back: with a class, or with why the
 * catalog could not be asked.
 */

import type { Classification } from '../guard/types.ts';
import type { Answer, DatabaseFailure, StatementRequest } from './request.ts';

/**
 * Whether the catalog is asked, or a read may be classified by what it answered before: then it
 * runs with the precondition that it still answers so.
 */
export type Facts = 'fresh' | 'remembered';

/** What was found, and how a read that was classified so is run. */
export interface ClassifiedRun {
  readonly classification: Classification;
  readonly run?: Pick<StatementRequest, 'isOnlyWrite' | 'isStateless' | 'mayRunAsReader' | 'preconditions' | 'written'>;
}

export type Classified =
  | ({ readonly kind: 'classified' } & ClassifiedRun)
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

export function asClassified(answer: Answer<Classification>): Classified {
  return answer.kind === 'done'
    ? { kind: 'classified', classification: answer.value }
    : { kind: 'failed', failure: answer };
}
