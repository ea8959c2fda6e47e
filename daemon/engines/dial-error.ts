/** Why a dial failed: a clause for everybody, and a code if a person can do something about it. */

import type { DialProblem } from '../../shared/dial-problems.ts';

export class DialError extends Error {
  readonly problem: DialProblem | null;

  /** @param message a clause without a full stop, which clients read too. */
  constructor(message: string, problem: DialProblem | null = null) {
    super(message);
    this.name = 'DialError';
    this.problem = problem;
  }
}

export function dialProblemOf(error: unknown): DialProblem | null {
  return error instanceof DialError ? error.problem : null;
}
