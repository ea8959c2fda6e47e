/** Where the name of a common table expression means it, and where a table. */

/**
 * The common table expressions whose names hide tables at a place. A name hides nothing before it is defined, within its own
 * body only where the clause is RECURSIVE, and nowhere outside the parentheses that hold its WITH.
 */
export class Scope {
  readonly #outer: Scope | null;
  readonly #names = new Set<string>();

  constructor(outer: Scope | null) {
    this.#outer = outer;
  }

  define(name: string): void {
    this.#names.add(name);
  }

  /** As written: where a server tells capitals apart, `USER` is not the expression `user`. */
  hides(name: string): boolean {
    return this.#names.has(name) || (this.#outer?.hides(name) ?? false);
  }
}
