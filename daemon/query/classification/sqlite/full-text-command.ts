/**
 * What an INSERT tells a full-text table to do: FTS5 takes a value for the column that is named like the table as a command, and
 * `delete-all` empties a table that keeps no copy of its rows. Any other table may have such a column too.
 */

import type { QualifiedName } from '../classification.ts';
import { isOperator, isWord } from './condition-tokens.ts';
import { isNaming } from './references.ts';
import { folded, type Token } from './tokenizer.ts';

interface FullTextCommand {
  readonly table: QualifiedName;
  /** The values for that column; null where one is computed, selected or bound. */
  readonly texts: readonly string[] | null;
}

/** @param body what stands behind INSERT or REPLACE. Null where no column is named like the table. */
export function fullTextCommand(body: readonly Token[]): FullTextCommand | null {
  const nameAt = isWord(body[0], 'or') ? 3 : 1;
  const isQualified = isOperator(body[nameAt + 1], '.');
  const tableAt = isQualified ? nameAt + 2 : nameAt;
  const table = folded(body[tableAt]?.text ?? '');
  const schema = isQualified ? folded(body[nameAt]?.text ?? '') : null;
  const listed = isWord(body[tableAt + 1], 'as') ? tableAt + 3 : tableAt + 1;
  if (!isOperator(body[listed], '(')) return null;
  const columns = listAt(body, listed);
  const place = columns.items.findIndex(
    ([token]) => token !== undefined && isNaming(token) && folded(token.text) === table,
  );
  if (place === -1) return null;
  return { table: { schema, name: table }, texts: textsAt(body, columns.end, place) };
}

function textsAt(body: readonly Token[], valuesAt: number, place: number): readonly string[] | null {
  if (!isWord(body[valuesAt], 'values')) return null;
  const texts: string[] = [];
  let at = valuesAt;
  do {
    if (!isOperator(body[at + 1], '(')) return null;
    const row = listAt(body, at + 1);
    const [only, ...more] = row.items[place] ?? [];
    if (only?.kind !== 'string' || more.length > 0) return null;
    texts.push(only.text);
    at = row.end;
  } while (isOperator(body[at], ','));
  return texts;
}

/** @param open where its parenthesis stands. @returns what is between its commas, and the index behind it. */
function listAt(tokens: readonly Token[], open: number): { readonly items: readonly Token[][]; readonly end: number } {
  const items: Token[][] = [[]];
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (isOperator(token, ')') && --depth === 0) return { items, end: at + 1 };
    if (depth === 1 && isOperator(token, ',')) items.push([]);
    else if (depth > 0) items.at(-1)?.push(token);
    if (isOperator(token, '(')) depth++;
  }
  return { items, end: tokens.length };
}
