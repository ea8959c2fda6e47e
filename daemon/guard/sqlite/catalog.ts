/**
 * What only the file can tell about an INSERT that may give a full-text index a command.
 * `engines/sqlite/follow.ts` asks it.
 */

import type { Head } from './statement.ts';
import { isOperator, isWord, type Token } from './tokenizer.ts';

/**
 * Whether the table is a virtual one that isn't new. To such a table, a value in the column with
 * its own name is a command.
 */
export interface FileQuestion {
  /** Folded to lower case. */
  readonly virtual: string;
}

export function fileQuestion({ verb, names, tokens }: Head): FileQuestion | null {
  const target = names.tables.find(({ role }) => role !== 'source');
  if (target === undefined || (verb !== 'insert' && verb !== 'replace')) return null;
  return isCommand(tokens.slice(target.at + 1), target.name) ? { virtual: target.name } : null;
}

/** Commands that put an index in order and keep every row. */
const upkeep = /^(optimize|rebuild|integrity-check|merge=[0-9]+,[0-9]+)$/;
/** `(t, rank) VALUES ('merge', 500)`: how many pages are merged. */
const merging = /^\( merge , -? ?[0-9]+ \)$/;

/**
 * True if the column of the table's own name is among those that get a value, and not for upkeep
 * alone.
 * @param tokens what follows the table.
 */
function isCommand(tokens: readonly Token[], table: string): boolean {
  const open = isWord(tokens[0], 'as') ? 2 : 0;
  const close = tokens.findIndex(token => isOperator(token, ')'));
  if (!isOperator(tokens[open], '(') || close < 0) return false;
  const columns = tokens.slice(open + 1, close);
  if (!columns.some(({ kind, text }) => kind !== 'operator' && text.toLowerCase() === table)) return false;
  if (!isWord(tokens[close + 1], 'values')) return true;
  const values = tokens.slice(close + 2);
  const isUpkeep = values.every(
    ({ kind, text }) => (kind === 'string' && upkeep.test(text)) || (kind === 'operator' && /^[(),]$/.test(text)),
  );
  if (columns.length === 1) return !isUpkeep;
  const isMerge = columns.map(({ text }) => text.toLowerCase()).join(' ') === `${table} , rank`;
  return !(isMerge ? merging.test(values.map(({ text }) => text).join(' ')) : takesOneOut(columns, values, table));
}

/**
 * `(t, rowid, …) VALUES ('delete', …)` takes the words of one row out of the index. The count tells
 * how many rows that is.
 */
function takesOneOut(columns: readonly Token[], values: readonly Token[], table: string): boolean {
  const isDelete = values[1]?.kind === 'string' && values[1].text === 'delete';
  const isOne = values.filter(token => isOperator(token, '(')).length === 1;
  const hasRank = columns.some(({ text }) => text.toLowerCase() === 'rank');
  return columns[0]?.text.toLowerCase() === table && isDelete && isOne && !hasRank;
}
