/** A client's configuration file in any format, for changing one entry of it. */

import type { ClientEntry } from '../../shared/client-configs.ts';
import type { Edit } from './edits.ts';

export type MemberValue = ClientEntry['value'][string];

export type OpenedDocument =
  | { readonly kind: 'opened'; readonly document: ClientDocument }
  /** Part of a sentence: `is not JSON (line 3, column 5: comma expected)`. */
  | { readonly kind: 'refused'; readonly why: string };

export interface ClientDocument {
  /** The whole file's value; null if it is empty. */
  readonly value: unknown;
  /** The entry; undefined if there is none. */
  readonly entry: unknown;
  /** If there is no entry: adds it. */
  add(): readonly Edit[];
  /** If the entry is a map: sets one of its members. */
  set(key: string, value: MemberValue): readonly Edit[];
  /**
   * If there is an entry: removes it. Returns no edits if its place is uncertain.
   * @param isBare true if the map of servers, which Sallyport didn't make, stays even when empty.
   */
  remove(isBare: boolean): readonly Edit[];
}

export type OpenDocument = (text: string, entry: ClientEntry) => OpenedDocument;

export function refused(why: string): OpenedDocument {
  return { kind: 'refused', why };
}
