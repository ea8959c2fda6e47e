/** Says of what a statement asks of its session that nothing of an earlier call is there: each call has a session that is as new. */

import type { Engine } from '../access/connection.ts';

interface Asked {
  readonly words: RegExp;
  readonly sentence: string;
}

const why = 'as each call has a session of its own';

const onMysql: readonly Asked[] = [
  {
    words: /\blast_insert_id\s*\(\s*\)|@@(?:session\.|local\.)?(?:last_insert_id|identity)\b/i,
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
      /^\s*show\s+(?:count\s*\(\s*\*\s*\)\s*)?(?:warnings|errors)\b|@@(?:session\.|local\.)?(?:warning|error)_count\b/i,
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

/** PostgreSQL refuses what it doesn't know of its session (daemon/query/failure-advice.ts). */
const asked: Readonly<Record<Engine, readonly Asked[]>> = { mysql: onMysql, sqlite: onSqlite, postgres: [] };

const mayAsk = /@|\(\s*\)|\bshow\b|\bsqlite_temp_/i;

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

/** User variables that are read and not set in the same statement. */
function unsetVariables(code: string): readonly string[] {
  const names = [...code.matchAll(/(?<![@\w.'])@([a-z_$][\w$.]*)(\s*:=)?/gi)].map(([, name = '', sets]) => ({
    name: name.toLowerCase(),
    isSet: sets !== undefined,
  }));
  const isInto = /\binto\s+@|\bset\s+@/i.test(code);
  if (isInto) return [];
  return names.map(({ name }) => name).filter(name => !names.some(each => each.isSet && each.name === name));
}

const beginnings = /['"`#]|--|\/\*(?![!M])/g;

/** Without texts, quoted names and comments, where such words say nothing. One that doesn't end goes to the end. */
function codeOf(sql: string): string {
  const parts: string[] = [];
  let from = 0;
  beginnings.lastIndex = 0;
  for (let found = beginnings.exec(sql); found !== null; found = beginnings.exec(sql)) {
    const isText = /['"`]/.test(found[0]);
    parts.push(sql.slice(from, found.index), isText ? "''" : ' ');
    from = endOf(sql, found[0], found.index);
    beginnings.lastIndex = from;
  }
  return [...parts, sql.slice(from)].join('').trim();
}

function endOf(sql: string, beginning: string, at: number): number {
  const isComment = beginning === '/*';
  const end = isComment ? '*/' : beginning === '--' || beginning === '#' ? '\n' : beginning;
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
