/**
 * Runs questions one after another and leaves at the first that fails. Its failure is thrown from
 * `answered` to `answering`, and nowhere else.
 */

import type { Answer, DatabaseFailure } from './request.ts';

class Unanswered extends Error {
  readonly failure: DatabaseFailure;
  constructor(failure: DatabaseFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Call it only within {@link answering}. */
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
