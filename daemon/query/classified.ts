/** How a statement's classification for its connection comes back: with a class, or with why the catalog could not be asked. */

import type { Classification } from './classification/classification.ts';
import type { Answer, DatabaseFailure } from './database.ts';

export type Classified =
  | { readonly kind: 'classified'; readonly classification: Classification }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

export function classified(answer: Answer<Classification>): Classified {
  return answer.kind === 'done'
    ? { kind: 'classified', classification: answer.value }
    : { kind: 'failed', failure: answer };
}
