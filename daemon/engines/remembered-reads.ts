/**
 * Remembers what reads turned out to be, so the catalog isn't asked in its own session each time.
 * Instead, right before the statement and in its session, the catalog confirms that it still says
 * the same. So nothing here is trusted, and an outdated entry costs only time.
 */

import type { Classification } from '../guard/types.ts';
import type { Classified } from './classified.ts';
import type { CallContext, Database } from './engine.ts';

type Read = Extract<Classified, { kind: 'classified' }>;

/** Per connection. Clients read the same few tables again and again. */
const most = 200;
const mostCharacters = 8_192;

class RememberedReads {
  /** The one used last is at the end. */
  readonly #reads = new Map<string, Read>();

  /**
   * The key is what the text means and what the catalog is asked, so other values in the same
   * statement share an entry.
   */
  keyOf({ database, schema }: CallContext, byText: Classification): string {
    return `${JSON.stringify([database, schema])}${printed(byText)}`;
  }

  get(key: string): Read | null {
    const read = this.#reads.get(key);
    if (read === undefined) return null;
    this.#reads.delete(key);
    this.#reads.set(key, read);
    return read;
  }

  remember(key: string, read: Read): void {
    if (key.length > mostCharacters) return;
    this.#reads.set(key, read);
    for (const oldest of this.#reads.keys()) {
      if (this.#reads.size <= most) break;
      this.#reads.delete(oldest);
    }
  }

  forget(key: string): void {
    this.#reads.delete(key);
  }
}

/** A text that comes again has the same classification. */
const texts = new WeakMap<Classification, string>();

function printed(byText: Classification): string {
  const text = texts.get(byText) ?? JSON.stringify(byText);
  texts.set(byText, text);
  return text;
}

/** As long as the connection is open. */
const reads = new WeakMap<Database, RememberedReads>();

export function rememberedReads(database: Database): RememberedReads {
  const known = reads.get(database) ?? new RememberedReads();
  reads.set(database, known);
  return known;
}
