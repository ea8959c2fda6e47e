/** Finds the first words of a statement. Skips exactly what SQLite skips; judges nothing. */

/**
 * SQLite's white space (no vertical tab, no NBSP), a byte order mark, comments, and semicolons
 * before a statement.
 */
const skipped = /(?:[ \t\n\f\r;\uFEFF]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/y;
const name = /[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*/y;

/** True if SQLite would find nothing to run in it. */
export function isBlank(sql: string): boolean {
  return behindBlank(sql) === sql.length;
}

export function isExplained(sql: string): boolean {
  return leadingWord(sql) === 'explain';
}

/** Lower case; '' if the statement starts with no word. */
export function leadingWord(sql: string): string {
  name.lastIndex = behindBlank(sql);
  return (name.exec(sql)?.[0] ?? '').toLowerCase();
}

function behindBlank(sql: string): number {
  skipped.lastIndex = 0;
  return skipped.test(sql) ? skipped.lastIndex : 0;
}
