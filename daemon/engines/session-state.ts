/**
 * Finds what a statement asks about its session: each call has a session as good as new, so nothing
 * of an earlier call is there.
 */

export interface Asked {
  readonly words: RegExp;
  readonly sentence: string;
}

export const why = 'as each call has a session of its own';

const mayAsk = /@|last_insert|found_rows|row_count|changes|warnings|errors|sqlite_temp_/i;

/**
 * @param sql of a statement that ran.
 * @returns its text {@link codeOf}; null if no part of it can ask such a thing.
 */
export function askingCode(sql: string): string | null {
  return mayAsk.test(sql) ? codeOf(sql) : null;
}

export function sentencesOn(code: string, asked: readonly Asked[]): readonly string[] {
  return asked.filter(({ words }) => words.test(code)).map(({ sentence }) => sentence);
}

const beginnings = /['"`#[]|--|\/\*(?![!M])/g;

/**
 * The text without literals, quoted names and comments. Quoted names stay if they are called, are
 * variables or look like temporary tables. What isn't closed ends with the text.
 */
function codeOf(sql: string): string {
  const parts: string[] = [];
  let from = 0;
  beginnings.lastIndex = 0;
  for (let found = beginnings.exec(sql); found !== null; found = beginnings.exec(sql)) {
    const isQuoted = /['"`[]/.test(found[0]);
    const before = sql.slice(from, found.index);
    from = endOf(sql, found[0], found.index);
    parts.push(before, isQuoted ? (nameThatCounts(sql, found.index, from) ?? "''") : ' ');
    beginnings.lastIndex = from;
  }
  return [...parts, sql.slice(from)].join('').trim();
}

const called = /\s*(?:\(|\/\*|--|#)/y;

/** @param end behind the closing quote */
function nameThatCounts(sql: string, start: number, end: number): string | null {
  const name = sql.slice(start + 1, end - 1);
  if (!/^[\w$]+$/.test(name)) return null;
  called.lastIndex = end;
  const isTemporary = sql[start] !== "'" && /^sqlite_temp_/i.test(name);
  return isTemporary || /[@.]/.test(sql.charAt(start - 1)) || called.test(sql) ? name : null;
}

const ends: Readonly<Record<string, string>> = { '/*': '*/', '--': '\n', '#': '\n', '[': ']' };

function endOf(sql: string, beginning: string, at: number): number {
  const end = ends[beginning] ?? beginning;
  let found = sql.indexOf(end, at + beginning.length);
  // Skips an escaped quote; a doubled one begins another text.
  while (end === beginning && found > 0 && isEscaped(sql, found)) found = sql.indexOf(end, found + 1);
  return found < 0 ? sql.length : found + end.length;
}

function isEscaped(sql: string, at: number): boolean {
  let before = at;
  while (sql[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
