/**
 * The plan of a preview, made by an engine's reader of the statement: the text to send, and how to
 * find the changed rows. Runs nothing.
 */

import { type Returning, withReturning } from '../guard/data-change.ts';
import type { Classification, RowEffects } from '../guard/types.ts';
import { valueOrThrow } from './answering.ts';
import { notReturned } from './dialect.ts';
import type { CallContext } from './request.ts';
import { beginning } from './shorten.ts';

/** The input of a plan. */
export interface Planning {
  readonly context: CallContext;
  readonly classification: Classification;
  /** Which rows it changes, on MySQL and MariaDB. */
  readonly rowEffects: RowEffects | undefined;
  readonly sql: string;
}

export interface Plan {
  /** The client's statement, unchanged. */
  readonly sql: string;
  readonly sample: Sampling;
  readonly warnings: readonly string[];
  /** A query after the statement for the names of triggers on everything that it wrote to. */
  readonly triggersOf?: string;
  /** The table of a REPLACE, in the words of `changes`: replaced rows belong to `rows_affected`. */
  readonly replaces?: string;
  /** True if it uses up numbers of a sequence or AUTO_INCREMENT, which no rollback gives back. */
  readonly usesNumbers?: boolean;
  /** True if it only adds rows, sets nothing off and calls nothing. */
  readonly onlyAdds?: boolean;
  /**
   * Makes deferred checks run now; absent if there are none. Asked after the statement, and fails
   * if the commit would. With `grows` it counts violations: it is asked before the statement too,
   * and `grows` is the sentence if their number grew.
   */
  readonly deferred?: { readonly sql: string; readonly grows?: string };
}

/** How to find the rows that are shown before and after. `why` is a clause. */
export type Sampling =
  | { readonly kind: 'none'; readonly why: string }
  | {
      /**
       * - `returned`: `sql` replaces the statement: the same, but each row that it returns ends
       *   with the key;
       * - `asked`: `sql` runs before the statement and gives the keys of the rows that meet its
       *   conditions.
       */
      readonly kind: 'returned' | 'asked';
      readonly sql: string;
      /** The changed table as FROM takes it, quoted. */
      readonly table: string;
      /** The columns of its primary key, quoted. */
      readonly key: readonly string[];
      /**
       * The columns that identify the row for a reader, unquoted; empty if only an internal number
       * of the engine does.
       */
      readonly shownKey: readonly string[];
      /** The columns that are shown, quoted, if those aren't those of `*`. */
      readonly columns?: readonly string[];
    };

/** Refuses what can't be rolled back, or perhaps can't. Call it within `answering`. */
export function refuse(message: string): never {
  return valueOrThrow({ kind: 'unsupported', message });
}

export function notSampled(why: string): Sampling {
  return { kind: 'none', why };
}

/** @param hasKey true if there is one, such as a deferrable one or one on prefixes of columns. */
export function withoutKey(hasKey: boolean): Sampling {
  return notSampled(hasKey ? vagueKey : noKey);
}

export const vagueKey = 'the primary key may stand for several rows';
export const noKey = 'the table has no primary key';
export const viewTarget = 'the target is a view';
export const keyMoves = 'the statement gives rows another key';
export const targetIsView = notSampled(viewTarget);
export const otherKey = notSampled(keyMoves);

/** @param names of all triggers that apply; not every engine tells which of them fired. */
export function triggerWarning(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`Triggers ran where they apply: ${listed(names)}.`];
}

const mostNamed = 10;
/** SQLite allows a name as long as a book. */
const longestName = 64;

export function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const shown = names
    .slice(0, mostNamed)
    .map(name => JSON.stringify(beginning(name, longestName)))
    .join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** @param list the key's columns as the statement calls them. */
export function sampledByReturning(
  { open, ownReturning }: Returning,
  table: string,
  key: readonly string[],
  shownKey: readonly string[],
  list = key,
): Sampling {
  if (open === null) return notSampled(notReturned);
  return { kind: 'returned', sql: withReturning(open, ownReturning, list.join(', ')), table, key, shownKey };
}
