/**
 * Questions one after the other, left at the first that fails: its failure is thrown between these
 * two, and nowhere else.
 */

import type { Answer, DatabaseFailure } from './request.ts';

class Unanswered extends Error {
  readonly failure: DatabaseFailure;
  constructor(failure: DatabaseFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Only within what {@link answering} runs. */
export function answered<T>(answer: Answer<T>): T {
  if (answer.kind === 'done') return answer.value;
  throw new Unanswered(answer);
}

export async function answering<T>(work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (error instanceof Unanswered) return error.failure;
    throw error;
  }
}
