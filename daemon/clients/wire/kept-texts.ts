/** A session's prepared statements by name; so many that their texts stay within a bound. */

import type { Prepared } from './prepared.ts';
import { wireLimits } from './wire-limits.ts';

/** Bytes that a prepared statement counts beside its text. */
const ofEach = 512;

export class KeptTexts {
  readonly #byName = new Map<string, Prepared>();
  #bytes = 0;

  get(name: string): Prepared | undefined {
    return this.#byName.get(name);
  }

  isFull(text: string): boolean {
    return this.#bytes + sizeOf({ text }) > wireLimits.keptBytes;
  }

  set(name: string, prepared: Prepared): void {
    this.delete(name);
    this.#byName.set(name, prepared);
    this.#bytes += sizeOf(prepared);
  }

  delete(name: string): void {
    const known = this.#byName.get(name);
    if (known === undefined) return;
    this.#byName.delete(name);
    this.#bytes -= sizeOf(known);
  }

  clear(): void {
    this.#byName.clear();
    this.#bytes = 0;
  }
}

const sizeOf = ({ text }: Pick<Prepared, 'text'>): number => 2 * text.length + ofEach;
