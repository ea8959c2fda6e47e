/** Which of our texts a server session holds parsed and planned, and under which names. */

import { randomUUID } from 'node:crypto';

/** Each holds a plan in the server's memory; there are fewer texts than this. */
const most = 24;

export class KeptStatements {
  readonly #names = new Map<string, string>();
  /** Behind a pooler, other sessions of ours may reach the same server session. */
  readonly #prefix = `sallyport_${randomUUID().slice(0, 8)}`;
  /** A name isn't given twice: the server may know it although its round trip failed. */
  #given = 0;

  /**
   * @returns null if no further text is kept. A new text counts as present from now on: call
   *   `unread` if an error comes before its answer.
   */
  named(sql: string): { readonly name: string; readonly isThere: boolean } | null {
    const known = this.#names.get(sql);
    if (known !== undefined) return { name: known, isThere: true };
    if (this.#given === most) return null;
    const name = `${this.#prefix}_${this.#given++}`;
    this.#names.set(sql, name);
    return { name, isThere: false };
  }

  /** Behind an error in its round trip the server may never have parsed it. */
  unread(sql: string): void {
    this.#names.delete(sql);
  }

  /** DISCARD ALL removed them. */
  forget(): void {
    this.#names.clear();
    this.#given = 0;
  }
}
