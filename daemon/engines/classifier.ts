/**
 * The port for classifying statements. The adapter decides where that happens and how long it may
 * take.
 */

import type { Question, Questions } from '../guard/index.ts';
import type { Answer, CallContext } from './request.ts';

export interface Classifier {
  /**
   * @param context the call that asks; its signal and its time end the question.
   * @returns `unsupported` with a sentence if the text takes too long; `busy` if others have the
   *   processor. Never hangs.
   */
  ask<Name extends keyof Questions>(
    context: Pick<CallContext, 'principal' | 'signal' | 'clock' | 'timeoutSeconds'>,
    name: Name,
    ...given: Parameters<Question<Name>>
  ): Promise<Answer<ReturnType<Question<Name>>>>;
}
