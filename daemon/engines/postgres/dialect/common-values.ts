/**
 * The question for the few values of columns that PostgreSQL's statistics know. The view shows only
 * what the role may read. Never the histogram's bounds, which are values of single rows.
 */

import type { CommonValuesAsked } from '../../dialect.ts';

/** `heldToHarmlessRows` of the guard takes literals alone as conditions. */
export function commonValuesQuestion({ schema, tables, columns, mostValues }: CommonValuesAsked): string {
  const among = (names: readonly string[]): string => `IN (${names.map(literal).join(', ')})`;
  const values = 'CAST(CAST(s.most_common_vals AS pg_catalog.text) AS pg_catalog.text[])';
  return `SELECT s.schemaname, s.tablename, s.attname, s.inherited, s.null_frac,
  pg_catalog.array_to_json(s.most_common_freqs) AS shares,
  CASE WHEN pg_catalog.array_length(s.most_common_freqs, 1) <= ${mostValues} THEN pg_catalog.array_to_json(${values}) END AS values
FROM pg_catalog.pg_stats AS s
WHERE ${schema === null ? '' : `s.schemaname = ${literal(schema)} AND `}s.tablename ${among(tables)} AND s.attname ${among(columns)}`;
}

function literal(text: string): string {
  const quoted = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
