/** The port through which statements are judged: where that happens, and how long it may take, is its adapter's affair. */

import type { Judgement, Judgements } from '../guard/questions.ts';
import type { Answer, CallContext } from './engine.ts';

export interface Judging {
  /**
   * @param context whose turn it takes, and when the answer is wanted no more.
   * @returns `unsupported` with a sentence where there was no answer in time. Never hangs.
   */
  ask<Name extends keyof Judgements>(
    context: Pick<CallContext, 'principal' | 'signal'>,
    name: Name,
    ...given: Parameters<Judgement<Name>>
  ): Promise<Answer<ReturnType<Judgement<Name>>>>;
}
