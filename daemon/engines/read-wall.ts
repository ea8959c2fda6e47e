/**
 * Whether a server refuses writes in a transaction that only reads. Each server and version is
 * asked once, by a write that it must refuse: TiDB takes READ ONLY and means nothing by it. Asks
 * nothing itself.
 */

import type { DatabaseFailure } from './request.ts';

export interface AskedServer {
  /** As the connection dials it. */
  readonly address: string;
  readonly version: string;
}

export class ReadWall {
  /** The person has accepted that the guard alone holds what reads. */
  readonly #isAccepted: boolean;
  readonly #answers = new Map<string, boolean>();
  #said: string | null = null;

  constructor(isAccepted: boolean) {
    this.#isAccepted = isAccepted;
  }

  /** @returns null if that server hasn't been asked. */
  isHeld(server: AskedServer): boolean | null {
    return this.#answers.get(keyOf(server)) ?? null;
  }

  /** @param said its own words, if it refused to begin such a transaction. */
  learn(server: AskedServer, isHeld: boolean, said: string | null = null): void {
    this.#answers.set(keyOf(server), isHeld);
    if (!isHeld) this.#said = said;
  }

  /** What the last server whose wall is missing said; null if it said nothing. */
  get said(): string | null {
    return this.#said;
  }

  /** @returns why a client's read doesn't run there, if the answer is no. */
  refusal(isHeld: boolean): DatabaseFailure | null {
    return isHeld || this.#isAccepted ? null : { kind: 'unproved_wall', said: this.#said };
  }

  /** True if a server of this connection took the write. */
  get isMissing(): boolean {
    return [...this.#answers.values()].includes(false);
  }
}

function keyOf({ address, version }: AskedServer): string {
  return `${address} ${version}`;
}
