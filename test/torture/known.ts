/**
 * The possible values of one thing, after what was said about it: one value once it was
 * acknowledged, several while an answer is missing.
 */

import { Refused } from '../../shell-terminal/control-client.ts';

export type Said =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** No answer: it may or may not have been done. */
  | { readonly kind: 'unanswered' };

export class Known<Value> {
  #possible: readonly Value[];

  constructor(value: Value) {
    this.#possible = [value];
  }

  /** Undefined while several are possible. */
  get value(): Value | undefined {
    return this.#possible.length === 1 ? this.#possible[0] : undefined;
  }

  allows(value: Value): boolean {
    return this.#possible.includes(value);
  }

  toString(): string {
    return this.#possible.join(' or ');
  }

  /** Call it after looking. */
  is(value: Value): void {
    this.#possible = [value];
  }

  async change(to: Value, ask: () => Promise<unknown>): Promise<Said> {
    const before = this.#possible;
    this.#possible = [...before, to];
    const said = await saidBy(ask);
    if (said.kind === 'acknowledged') this.#possible = [to];
    if (said.kind === 'refused') this.#possible = before;
    return said;
  }
}

export async function saidBy(ask: () => Promise<unknown>): Promise<Said> {
  try {
    await ask();
    return { kind: 'acknowledged' };
  } catch (error) {
    return error instanceof Refused ? { kind: 'refused', sentence: error.message } : { kind: 'unanswered' };
  }
}
