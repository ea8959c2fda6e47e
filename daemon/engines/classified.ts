/**
 * The result of classifying a statement for its connection: a class, or why the catalog could not
 * be asked.
 */

import type { Classification } from '../guard/types.ts';
import type { Answer, DatabaseFailure, HeldDefinition, StatementRequest } from './request.ts';

/**
 * `fresh` asks the catalog. `remembered` may use an earlier answer; the read then runs with the
 * precondition that the catalog still answers the same.
 */
export type Facts = 'fresh' | 'remembered';

/** The classification, and how a read that was classified so has to run. */
export interface ClassifiedRun {
  readonly classification: Classification;
  readonly run?: Pick<
    StatementRequest,
    'isOnlyWrite' | 'isStateless' | 'makes' | 'mayRunAsReader' | 'preconditions' | 'rowEffects'
  > & { readonly defines?: HeldDefinition['names'] };
}

export type Classified =
  | ({ readonly kind: 'classified' } & ClassifiedRun)
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

export function asClassified(answer: Answer<Classification>): Classified {
  return answer.kind === 'done'
    ? { kind: 'classified', classification: answer.value }
    : { kind: 'failed', failure: answer };
}
