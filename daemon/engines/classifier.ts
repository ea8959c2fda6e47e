/**
 * The port for classifying statements. The adapter decides where that happens and how long it may
 * take.
 */

import type { Question, Questions } from '../guard/index.ts';
import type { Answer, CallContext } from './request.ts';

export interface Classifier {
  /**
   * @param context the call that asks; its signal ends the question.
   * @returns `unsupported` with a sentence if no answer came in time. Never hangs.
   */
  ask<Name extends keyof Questions>(
    context: Pick<CallContext, 'principal' | 'signal'>,
    name: Name,
    ...given: Parameters<Question<Name>>
  ): Promise<Answer<ReturnType<Question<Name>>>>;
}
