/**
 * What a client's configuration file is to whoever changes one entry of it, whatever its format.
 */

import type { ClientEntry } from '../../shared/client-configs.ts';
import type { Edit } from './edits.ts';

export type MemberValue = ClientEntry['value'][string];

export type Opened =
  | { readonly kind: 'opened'; readonly document: ClientDocument }
  /** A part of a sentence: `is not JSON (line 3, column 5: comma expected)`. */
  | { readonly kind: 'refused'; readonly why: string };

export interface ClientDocument {
  /** Of the whole file, null where it says nothing. */
  readonly value: unknown;
  /** The entry as it stands; undefined where there is none. */
  readonly entry: unknown;
  /** Where there is no entry. */
  add(): readonly Edit[];
  /** Where there is one, a map: gives a member of it this value. */
  set(key: string, value: MemberValue): readonly Edit[];
  /** Where there is one: takes it out. Nothing where its place can't be told for sure. */
  remove(): readonly Edit[];
}

export type OpenDocument = (text: string, entry: ClientEntry) => Opened;

export function refused(why: string): Opened {
  return { kind: 'refused', why };
}
