/**
 * What reads turned out to be in a database, so that its catalog isn't asked in a session of its
 * own each time: right before the statement, in its session, it answers whether it still says the
 * same. So nothing here is believed, and what is outdated costs time alone.
 */

import type { Classification } from '../guard/types.ts';
import type { Classified } from './classified.ts';
import type { CallContext, Database } from './engine.ts';

type Read = Extract<Classified, { kind: 'classified' }>;

/** Of one connection. Clients read the same few tables again and again. */
const most = 200;
const mostCharacters = 8_192;

class RememberedReads {
  /** The one used last stands last. */
  readonly #reads = new Map<string, Read>();

  /**
   * By what the text says and the catalog is asked, so that other values in the same statement make
   * no other read.
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
