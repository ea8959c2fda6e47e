/** Says of a temporary table that was made that no later call finds it: each runs in a session that is as new. */

const makesTemporary = /^\s*create\s+(?:or\s+replace\s+)?(?:(?:global|local)\s+)?temp(?:orary)?\s+(?:table|view)\b/i;

const gone =
  'What is temporary is gone when the call ends, so no later statement finds it; WITH names a result within one statement.';

export function temporaryWarning(sql: string): string | null {
  return makesTemporary.test(sql) ? gone : null;
}
