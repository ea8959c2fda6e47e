/**
 * One table is useful, but MySQL keeps one statement of each kind in a column of it, with its
 * values, whoever sent it. A text that uses the table must visibly leave that column out: it names
 * the other columns and has no `*`.
 */

import type { QualifiedName } from '../types.ts';
import { isName, type Token, tokenAt } from './tokens.ts';

const column = 'query_sample_text';

/** @param tables those that the text reads, with the schema in which the server looks them up. */
export function showsSampleTexts(tokens: readonly Token[], tables: readonly QualifiedName[]): string | null {
  if (!tables.some(isDigestTable)) return null;
  const isShown = tokens.some(
    (token, index) =>
      (isName(token) && token.text.toLowerCase() === column) ||
      (token.key === '*' && !isFactor(tokens, index)) ||
      // NATURAL compares columns that the text doesn't name.
      token.key === 'NATURAL' ||
      (token.key === 'TABLE' && isName(tokenAt(tokens, index + 1))),
  );
  return isShown
    ? `${column} keeps other people's statements, with the values in them; name the columns you need, such as digest_text.`
    : null;
}

function isDigestTable({ schema, name }: QualifiedName): boolean {
  return schema?.toLowerCase() === 'performance_schema' && name.toLowerCase() === 'events_statements_summary_by_digest';
}

/** Words of a SELECT after which `*` stands for columns. */
const beforeColumns = /^(SELECT|DISTINCT|DISTINCTROW|ALL|STRAIGHT_JOIN|HIGH_PRIORITY|SQL_\w+)$/;

/** True for the `*` of `count(*)` and of a product. */
function isFactor(tokens: readonly Token[], index: number): boolean {
  const [before, after] = [tokenAt(tokens, index - 1), tokenAt(tokens, index + 1)];
  if (before.key === '(') return after.key === ')';
  return isName(before) ? !beforeColumns.test(before.key) : before.key === ')' || before.kind === 'number';
}
