/**
 * The port through which statements are classified: where that happens, and how long it may take,
 * is its adapter's affair.
 */

import type { Question, Questions } from '../guard/index.ts';
import type { Answer, CallContext } from './request.ts';

export interface Classifier {
  /**
   * @param context whose turn it takes, and when the answer is wanted no more.
   * @returns `unsupported` with a sentence where there was no answer in time. Never hangs.
   */
  ask<Name extends keyof Questions>(
    context: Pick<CallContext, 'principal' | 'signal'>,
    name: Name,
    ...given: Parameters<Question<Name>>
  ): Promise<Answer<ReturnType<Question<Name>>>>;
}
