/**
 * What SQLite itself says that a statement does (its authorizer's action codes), besides what its
 * text says. The stricter class holds. The names of tables stay those of the text: SQLite leaves
 * out a table if part of a statement reads no column of it.
 */

import { type Reason, say, worded } from '../reason.ts';
import type { Classification, StatementClass } from '../types.ts';

/** SQLite's own name for the action, without its prefix; its object; a part of that. */
export type Act = readonly [action: string, object: string, part: string | null];

export interface ActsVerdict {
  readonly class: StatementClass;
  readonly reason: Reason;
}

const classes: readonly StatementClass[] = ['read', 'write', 'destructive', 'forbidden'];

/**
 * @param acts those of the statement and of everything that it sets off, without those that only
 *   read.
 */
export function classOfActs(acts: readonly Act[]): ActsVerdict {
  // A rename can't be told from a new column. For a dropped column, the act has the column as its
  // part.
  const taking = acts.find(
    ([action, , part]) =>
      action.startsWith('DROP_') || action.endsWith('_TRIGGER') || (action === 'ALTER_TABLE' && part !== null),
  );
  if (taking !== undefined)
    return {
      class: 'destructive',
      reason: say('To SQLite it is %@ of %@.', taking[0].replaceAll('_', ' '), taking[1]),
    };
  const [writing] = acts;
  if (writing !== undefined)
    return { class: 'write', reason: say('To SQLite it is %@ of %@.', writing[0].replaceAll('_', ' '), writing[1]) };
  return { class: 'read', reason: 'SQLite says that it only reads.' };
}

export function withActs(byText: Classification, acted: ActsVerdict): Classification {
  return classes.indexOf(acted.class) > classes.indexOf(byText.class)
    ? { ...byText, class: acted.class, ...worded(acted.reason) }
    : byText;
}
