/** Says of what a statement asks of its session that nothing of an earlier call is there: each call has a session that is as new. */

import type { Engine } from '../../shared/engine.ts';

interface Asked {
  readonly words: RegExp;
  readonly sentence: string;
}

const why = 'as each call has a session of its own';

const onMysql: readonly Asked[] = [
  {
    words: /\blast_insert_id\s*\(\s*\)|@@(?:(?:session|local)\s*\.\s*)?(?:last_insert_id|identity)\b/i,
    sentence: `LAST_INSERT_ID() and @@identity know nothing of earlier calls, ${why}: the answer to an INSERT has its insert_id.`,
  },
  {
    words: /\bfound_rows\s*\(\s*\)/i,
    sentence: `FOUND_ROWS() knows nothing of earlier calls, ${why}: count with SELECT COUNT(*).`,
  },
  {
    words: /\brow_count\s*\(\s*\)/i,
    sentence: `ROW_COUNT() knows nothing of earlier calls, ${why}: the answer to each has its rows_affected.`,
  },
  {
    words:
      /^\s*show\s+(?:count\s*\(\s*\*\s*\)\s*)?(?:warnings|errors)\b|@@(?:(?:session|local)\s*\.\s*)?(?:warning|error)_count\b/i,
    sentence: `There are no warnings of earlier calls, ${why}: the answer to each has its own, under warnings.`,
  },
];

const onSqlite: readonly Asked[] = [
  {
    words: /\blast_insert_rowid\s*\(\s*\)/i,
    sentence: `last_insert_rowid() knows nothing of earlier calls, ${why}: INSERT … RETURNING gives the id of a new row.`,
  },
  {
    words: /\b(?:total_)?changes\s*\(\s*\)/i,
    sentence: `changes() knows nothing of earlier calls, ${why}: the answer to each has its rows_affected.`,
  },
  {
    words: /\bsqlite_temp_(?:master|schema)\b/i,
    sentence: `There are no temporary tables of earlier calls, ${why}.`,
  },
];

/** PostgreSQL refuses what it doesn't know of its session (daemon/engines/failure-advice.ts). */
const asked: Readonly<Record<Engine, readonly Asked[]>> = { mysql: onMysql, sqlite: onSqlite, postgres: [] };

const mayAsk = /@|last_insert|found_rows|row_count|changes|warnings|errors|sqlite_temp_/i;

/** @param sql of a statement that ran. */
export function sessionWarnings(engine: Engine, sql: string): readonly string[] {
  if (asked[engine].length === 0 || !mayAsk.test(sql)) return [];
  const code = codeOf(sql);
  // What RETURNING gives comes after the change, of which it may tell.
  if (engine === 'sqlite' && /\breturning\b/i.test(code)) return [];
  const found = asked[engine].filter(({ words }) => words.test(code)).map(({ sentence }) => sentence);
  const [variable] = engine === 'mysql' ? unsetVariables(code) : [];
  if (variable === undefined) return found;
  return [...found, `@${variable} is NULL until the statement itself sets it, ${why}: send its value.`];
}

/** User variables that are read and not set in the same statement; `@r := @r + 1` alone sets none. */
function unsetVariables(code: string): readonly string[] {
  if (/\binto\s+@|\bset\s+@/i.test(code)) return [];
  const names: string[] = [];
  const set = new Set<string>();
  for (const [, name = '', sets] of code.matchAll(/(?<![@\w.'])@([a-z_$][\w$.]*)(\s*:=(?!\s*@\1\b))?/gi)) {
    names.push(name.toLowerCase());
    if (sets !== undefined) set.add(name.toLowerCase());
  }
  return names.filter(name => !set.has(name));
}

const beginnings = /['"`#[]|--|\/\*(?![!M])/g;

/**
 * Without texts, quoted names and comments, where such words say nothing, but for names that are called, are variables or are known for
 * temporary tables. One that doesn't end goes to the end.
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
  // A quote that is escaped; one that is doubled begins another text.
  while (end === beginning && found > 0 && isEscaped(sql, found)) found = sql.indexOf(end, found + 1);
  return found < 0 ? sql.length : found + end.length;
}

function isEscaped(sql: string, at: number): boolean {
  let before = at;
  while (sql[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
