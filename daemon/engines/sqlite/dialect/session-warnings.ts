/** Functions that answer about the session in SQLite: they hold nothing of an earlier call. */

import { type Asked, askingCode, sentencesOn, why } from '../../session-state.ts';

const asked: readonly Asked[] = [
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

export function sessionWarnings(sql: string): readonly string[] {
  const code = askingCode(sql);
  // RETURNING runs after the change and may tell about it.
  return code === null || /\breturning\b/i.test(code) ? [] : sentencesOn(code, asked);
}
