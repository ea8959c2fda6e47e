/**
 * Takes a failed or stopped write back, and finds out whether all of it went: what tables without
 * transactions hold stays, and so does what a procedure has committed. Only the server can tell, so
 * a session that is gone leaves it open.
 */

import type { Written } from '../../../guard/types.ts';
import type { Link } from '../link.ts';

/** Null: nothing of it stays. Else a clause: why something may. */
type Kept = string | null;

/** A server that doesn't answer for longer is not waited for. */
const takeBackSeconds = 3;

/**
 * Whether it may. Data changes can't, nor can the triggers and functions that they call (errors
 * 1422, 1314). Any other statement, and one behind a comment, which may be code, gets a savepoint:
 * a commit on the way removes it.
 */
export function commitsByItself(sql: string): boolean {
  return !/^\s*(?:insert|update|delete|replace|with|select)\s/i.test(sql);
}

/** @param savepoint null where the statement can't commit by itself */
export async function takeBack(link: Link, savepoint: string | null): Promise<Kept> {
  const guard = setTimeout(() => link.destroy(), takeBackSeconds * 1000);
  try {
    let warnings = 0;
    for (const sql of savepoint === null ? ['ROLLBACK'] : [`ROLLBACK TO SAVEPOINT ${savepoint}`, 'ROLLBACK']) {
      const answer = await link.ask(sql);
      if (answer.kind === 'error') return 'it ended the transaction that it ran in';
      if (answer.kind !== 'ok') return 'its session was gone before the server had said what it took back';
      warnings += answer.warnings;
    }
    // Warning 1196.
    return warnings === 0 ? null : keptByTables;
  } finally {
    clearTimeout(guard);
  }
}

export const keptByTables = 'it changed tables that cannot be rolled back';

export const countersRemain =
  'Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.';

/** Whether it may take such values, or what it sets off, or may hide in a comment that it does. */
export function takesValues(sql: string, written: Written | undefined): boolean {
  const isNone = /^\s*(?:update|delete|call|select)\s/i.test(sql) && !/\bnext/i.test(sql);
  return !isNone || (written !== undefined && written.insertedInto.length > 0);
}
