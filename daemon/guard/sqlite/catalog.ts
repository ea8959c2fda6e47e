/**
 * What only the file can say of a statement that defines something, or speaks to a full-text index:
 * asked by `engines/sqlite/follow.ts`.
 */

import { definedKindAt } from './definitions.ts';
import type { Head } from './statement.ts';
import { isOperator, isWord, type Token } from './tokenizer.ts';

export interface FileQuestion {
  /**
   * - `rows`: whether the table has a row, since later writes to it may be refused;
   * - `parts`: whether there are tables with the names that a new virtual table's parts may have;
   * - `virtual`: whether the table is a virtual one with a row: to it a value in the column that is
   *   called like it is a command.
   */
  readonly kind: 'parts' | 'rows' | 'virtual';
  /** Folded to lower case. */
  readonly table: string;
}

export function fileQuestion(head: Head): FileQuestion | null {
  const { verb, names, tokens, body } = head;
  const target = names.tables.find(({ role }) => role !== 'source');
  if (target === undefined) return null;
  const table = target.name;
  if (verb === 'insert' || verb === 'replace')
    return isCommand(tokens.slice(target.at + 1), table) ? { kind: 'virtual', table } : null;
  if (verb === 'create' && tokens.some((token, at) => at < target.at && isWord(token, 'virtual')))
    return { kind: 'parts', table };
  const constrains =
    verb === 'alter' ? addsRule(body) : verb === 'create' && isRule(tokens, tokens.length - body.length - 1);
  return constrains ? { kind: 'rows', table } : null;
}

/**
 * ADD CONSTRAINT, or a column that is computed, checked or deleted along with others: what stands
 * in the row decides whether a write is taken.
 */
function addsRule(body: readonly Token[]): boolean {
  return ['check', 'generated', 'as', 'constraint', 'cascade'].some(word => body.some(token => isWord(token, word)));
}

/** A unique index, or one on an expression, which may fail for a row that is written. */
function isRule(tokens: readonly Token[], verbAt: number): boolean {
  const kindAt = definedKindAt(tokens, verbAt);
  if (!isWord(tokens[kindAt], 'index')) return false;
  const isUnique = tokens.slice(verbAt, kindAt).some(token => isWord(token, 'unique'));
  // The first is the list's own.
  const [list = 0, ...others] = tokens.flatMap((token, at) => (isOperator(token, '(') ? [at] : []));
  return (
    isUnique || others.some(at => !isTotal(tokens[at - 1])) || tokens.some((_, at) => at > list && mayFail(tokens, at))
  );
}

/**
 * Text that is no JSON, a pattern that is too long, an ESCAPE of two characters: where a row holds
 * them, no value comes of it.
 */
function mayFail(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (['->', '->>'].some(text => isOperator(token, text)) || isWord(token, 'escape')) return true;
  if (!['like', 'glob', 'match', 'regexp'].some(word => isWord(token, word))) return false;
  const isFixed = tokens[at + 1]?.kind === 'string' && !isOperator(tokens[at + 2], '||');
  return !isFixed;
}

/** Functions that give a value for whatever a row holds. */
const total = new Set('lower upper trim ltrim rtrim length coalesce ifnull nullif substr date'.split(' '));

function isTotal(name: Token | undefined): boolean {
  return name?.kind === 'word' && total.has(name.text);
}

/** What brings an index in order and keeps every row. */
const upkeep = /^(optimize|rebuild|integrity-check|merge=[0-9]+,[0-9]+)$/;

/**
 * @param tokens what stands behind the table: the column of this name among those that are given,
 * and not for upkeep alone.
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
  return !(columns.length === 1 ? isUpkeep : takesOneOut(columns, values, table));
}

/**
 * `(t, rowid, …) VALUES ('delete', …)` takes the words of one row out of the index; how many rows,
 * is counted.
 */
function takesOneOut(columns: readonly Token[], values: readonly Token[], table: string): boolean {
  const isDelete = values[1]?.kind === 'string' && values[1].text === 'delete';
  const isOne = values.filter(token => isOperator(token, '(')).length === 1;
  const hasRank = columns.some(({ text }) => text.toLowerCase() === 'rank');
  return columns[0]?.text.toLowerCase() === table && isDelete && isOne && !hasRank;
}
