/** Which texts of ours a session of the server holds parsed and planned, and under which names. */

/** Each holds a plan in the server's memory; there are fewer texts than this. */
const most = 24;

export class KeptStatements {
  readonly #names = new Map<string, string>();

  /**
   * Null where no further one is kept. What isn't there yet is taken to be there from now on:
   * `forget` where a flight failed.
   */
  named(sql: string): { readonly name: string; readonly isThere: boolean } | null {
    const known = this.#names.get(sql);
    if (known !== undefined) return { name: known, isThere: true };
    if (this.#names.size === most) return null;
    const name = `sallyport_${this.#names.size}`;
    this.#names.set(sql, name);
    return { name, isThere: false };
  }

  /** DISCARD ALL took them away. */
  forget(): void {
    this.#names.clear();
  }
}
