/**
 * What a preview will do, as an engine's reader of the statement makes it: the text that is sent,
 * and how the rows that it changes are found. Runs nothing.
 */

import { type Returning, withReturning } from '../guard/data-change.ts';
import type { Classification, Written } from '../guard/types.ts';
import { answered } from './answering.ts';
import { notReturned } from './dialect.ts';
import type { CallContext } from './request.ts';
import { beginning } from './shorten.ts';

/** What a plan is made from. */
export interface Planning {
  readonly context: CallContext;
  readonly classification: Classification;
  /** Where it changes rows, on MySQL and MariaDB. */
  readonly written: Written | undefined;
  readonly sql: string;
}

export interface Plan {
  /** The client's statement as it came. */
  readonly sql: string;
  readonly sample: Sampling;
  readonly warnings: readonly string[];
  /** Asked after the statement, for the names of triggers on all that it wrote to. */
  readonly triggersOf?: string;
  /**
   * The table of a REPLACE, as `changes` calls it: rows that gave way belong to `rows_affected`.
   */
  readonly replaces?: string;
  /**
   * It uses up numbers that new rows get from a sequence or AUTO_INCREMENT, which no rollback gives
   * back.
   */
  readonly usesNumbers?: boolean;
  /** It adds rows, sets nothing off and calls nothing. */
  readonly onlyAdds?: boolean;
  /**
   * Brings forward what only the commit would show; absent where nothing waits for it. Asked after
   * the statement, and fails where the commit would. With `grows` it counts what is broken: asked
   * before the statement too, and that is the sentence where it grew.
   */
  readonly deferred?: { readonly sql: string; readonly grows?: string };
}

/** How the rows are found that are shown before and after. `why` is a clause. */
export type Sampling =
  | { readonly kind: 'none'; readonly why: string }
  | {
      /**
       * - `returned`: `sql` is run in the statement's place: the same, but that each row it returns
       *   ends with the key;
       * - `asked`: `sql` is asked before the statement, for the keys of rows that meet its own
       *   conditions.
       */
      readonly kind: 'returned' | 'asked';
      readonly sql: string;
      /** The changed table as FROM takes it, quoted. */
      readonly table: string;
      /** The columns of its primary key, quoted. */
      readonly key: readonly string[];
      /**
       * The columns that tell a reader which row it is, not quoted; none where only a number of the
       * engine's own does.
       */
      readonly shownKey: readonly string[];
    };

/** What can't be rolled back, or may be such. Within `answering`. */
export function refuse(message: string): never {
  return answered({ kind: 'unsupported', message });
}

export function without(why: string): Sampling {
  return { kind: 'none', why };
}

export const noKey = without('the table has no primary key');
export const otherKey = without('the statement gives rows another key');

/**
 * @param names of all that stand where it changes rows; which of them fired, not every engine
 * tells.
 */
export function triggerWarning(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`Triggers ran where they apply: ${listed(names)}.`];
}

const mostNamed = 10;
/** On SQLite one may be as long as a book. */
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
  if (open === null) return without(notReturned);
  return { kind: 'returned', sql: withReturning(open, ownReturning, list.join(', ')), table, key, shownKey };
}
