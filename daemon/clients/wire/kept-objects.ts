/** What a program keeps in its session by name: prepared statements, portals and cursors. */

import { KeptTexts } from './kept-texts.ts';
import type { Prepared } from './prepared.ts';
import { wireLimits } from './wire-limits.ts';

export class KeptObjects {
  readonly #prepared = new KeptTexts();
  /** Parsed in this cycle, and not confirmed yet. */
  readonly #parsed = new Map<string, Prepared>();
  readonly #portals = new Map<string, Prepared>();
  /** The cursors that DECLARE opened in the present transaction. */
  readonly #cursors = new Set<string>();

  isFull(text: string): boolean {
    return this.#prepared.isFull(text);
  }

  statement(name: string): Prepared | undefined {
    return this.#parsed.get(name) ?? this.#prepared.get(name);
  }

  /** @returns what the server's confirmation does. */
  parse(name: string, prepared: Prepared): () => void {
    this.#parsed.set(name, prepared);
    return () => this.#prepared.set(name, prepared);
  }

  /** @param name null for all. */
  deallocate(name: string | null): void {
    if (name === null) this.#prepared.clear();
    else this.#prepared.delete(name);
  }

  /** A simple Query ends what has no name. */
  endUnnamed(): void {
    this.#prepared.delete('');
    this.#parsed.delete('');
    this.#portals.delete('');
  }

  portal(name: string): Prepared | undefined {
    return this.#portals.get(name);
  }

  /** @returns false if there are too many. */
  openPortal(name: string, prepared: Prepared): boolean {
    if (this.#portals.size + this.#cursors.size >= wireLimits.keptPortals) return false;
    this.#portals.set(name, { ...prepared });
    return true;
  }

  closePortal(name: string): void {
    this.#portals.delete(name);
  }

  /** It has run to its end. */
  closePortalsOf(prepared: Prepared): void {
    for (const [name, open] of this.#portals) if (open === prepared) this.#portals.delete(name);
  }

  declare(name: string): void {
    this.#cursors.add(name);
  }

  /** @param name null for all. */
  closeCursor(name: string | null): void {
    if (name === null) this.#cursors.clear();
    else this.#cursors.delete(name);
  }

  /** True if something else than `prepared` is open, which was judged under the present names. */
  hasOpen(prepared: Prepared): boolean {
    const open = [...this.#portals.values()].filter(portal => portal !== prepared && 'by' in portal.does);
    return open.length > 0 || this.#cursors.size > 0;
  }

  cycleEnded(): void {
    this.#parsed.clear();
  }

  transactionEnded(): void {
    this.#portals.clear();
    this.#cursors.clear();
  }
}
