/**
 * Rolls a failed or stopped write back and finds out whether all of it is undone: changes in tables
 * without transactions stay, and so does what a procedure committed. Only the server knows, so
 * without a session the outcome is open.
 */

import type { RowEffects } from '../../../guard/types.ts';
import type { Session } from '../session.ts';

/** Null: nothing of it stays. Otherwise a clause on why something may. */
type Kept = string | null;

/** A server that takes longer to answer is not waited for. */
const takeBackSeconds = 3;

/**
 * True if the statement may commit by itself. Data changes can't, nor can their triggers and
 * functions (errors 1422, 1314). Any other statement, and one that begins with a comment, which may
 * be code, gets a savepoint: a commit removes it.
 */
export function commitsByItself(sql: string): boolean {
  return !/^\s*(?:insert|update|delete|replace|with|select)\s/i.test(sql);
}

/** @param savepoint null if the statement can't commit by itself */
export async function takeBack(session: Session, savepoint: string | null): Promise<Kept> {
  const guard = setTimeout(() => session.destroy(), takeBackSeconds * 1000);
  try {
    let warnings = 0;
    for (const sql of savepoint === null ? ['ROLLBACK'] : [`ROLLBACK TO SAVEPOINT ${savepoint}`, 'ROLLBACK']) {
      const answer = await session.ask(sql);
      if (answer.kind === 'error') return endedByItself;
      if (answer.kind !== 'ok') return 'its session was gone before the server had said what it took back';
      warnings += answer.warnings;
    }
    // Warning 1196.
    return warnings === 0 ? null : keptByTables;
  } finally {
    clearTimeout(guard);
  }
}

export const endedByItself = 'it ended the transaction that it ran in';
export const keptByTables = 'it changed tables that cannot be rolled back';

export const countersRemain =
  'Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.';

/**
 * True if the statement or what it sets off may use up such values, or if a comment may hide it.
 */
export function takesValues(sql: string, rowEffects: RowEffects | undefined): boolean {
  const isNone = /^\s*(?:update|delete|call|select)\s/i.test(sql) && !/\bnext/i.test(sql);
  return !isNone || (rowEffects !== undefined && rowEffects.insertedInto.length > 0);
}
