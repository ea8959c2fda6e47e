/**
 * Functions that answer about the session, and user variables: they hold nothing of an earlier
 * call.
 */

import { type Asked, askingCode, sentencesOn, why } from '../../session-state.ts';

const asked: readonly Asked[] = [
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

export function sessionWarnings(sql: string): readonly string[] {
  const code = askingCode(sql);
  if (code === null) return [];
  const found = sentencesOn(code, asked);
  const [variable] = unsetVariables(code);
  if (variable === undefined) return found;
  return [...found, `@${variable} is NULL until the statement itself sets it, ${why}: send its value.`];
}

/**
 * User variables that are read and not set in the statement; `@r := @r + 1` alone doesn't count as
 * setting.
 */
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
