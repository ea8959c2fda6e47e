/** Says of what is made temporary that no later call finds it: each runs in a session that is as new. */

const leading = /^(?:\s|--[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/;
const makesTemporary =
  /^create\s+(?:or\s+replace\s+)?(?:(?:global|local)\s+)?temp(?:orary)?\s+(?:table|(?:recursive\s+)?view|sequence)\b/i;
const isQuery = /^(?:select|with)\b/i;
/** PostgreSQL's SELECT … INTO, not an INSERT in its WITH into what is called temp. */
const intoTemporary = /(?<!\binsert\s)\binto\s+(?:(?:global|local)\s+)?temp(?:orary)?\s+(?:table\s+)?(?!from\b)["\w]/i;

const gone =
  'What is temporary is gone when the call ends, so no later statement finds it; WITH names a result within one statement.';

/** @param sql of a statement that may write. */
export function temporaryWarning(sql: string): string | null {
  const code = sql.replace(leading, '');
  const isTemporary = makesTemporary.test(code) || (isQuery.test(code) && intoTemporary.test(code));
  return isTemporary ? gone : null;
}
