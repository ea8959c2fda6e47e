/** Which of our texts a server session holds parsed and planned, and under which names. */

/** Each holds a plan in the server's memory; there are fewer texts than this. */
const most = 24;

export class KeptStatements {
  readonly #names = new Map<string, string>();

  /**
   * @returns null if no further text is kept. A new text counts as present from now on: call
   *   `forget` if its flight failed.
   */
  named(sql: string): { readonly name: string; readonly isThere: boolean } | null {
    const known = this.#names.get(sql);
    if (known !== undefined) return { name: known, isThere: true };
    if (this.#names.size === most) return null;
    const name = `sallyport_${this.#names.size}`;
    this.#names.set(sql, name);
    return { name, isThere: false };
  }

  /** DISCARD ALL removed them. */
  forget(): void {
    this.#names.clear();
  }
}
