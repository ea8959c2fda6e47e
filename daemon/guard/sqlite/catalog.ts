/**
 * What only the file can tell about a statement that defines something, or that gives a full-text
 * index a command. `engines/sqlite/follow.ts` asks it.
 */

import { definedKindAt } from './definitions.ts';
import type { Head } from './statement.ts';
import { isOperator, isWord, type Token } from './tokenizer.ts';

export interface FileQuestion {
  /**
   * - `rows`: whether the table has a row, since later writes to it may be refused;
   * - `parts`: whether tables have the names that a new virtual table's parts may get;
   * - `virtual`: whether the table is a virtual one with a row. To such a table, a value in the
   *   column with its own name is a command.
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
 * True for ADD CONSTRAINT, and for a column that is computed, checked or deleted along with others:
 * the row's values decide whether a write is accepted.
 */
function addsRule(body: readonly Token[]): boolean {
  return ['check', 'generated', 'as', 'constraint', 'cascade'].some(word => body.some(token => isWord(token, word)));
}

/**
 * True for a unique index, and for one on an expression that may fail for a row that is written.
 */
function isRule(tokens: readonly Token[], verbAt: number): boolean {
  const kindAt = definedKindAt(tokens, verbAt);
  if (!isWord(tokens[kindAt], 'index')) return false;
  const isUnique = tokens.slice(verbAt, kindAt).some(token => isWord(token, 'unique'));
  // The first parenthesis is the list's own.
  const [list = 0, ...others] = tokens.flatMap((token, at) => (isOperator(token, '(') ? [at] : []));
  return (
    isUnique || others.some(at => !isTotal(tokens[at - 1])) || tokens.some((_, at) => at > list && mayFail(tokens, at))
  );
}

/**
 * True if some rows may give no value: text that isn't JSON, a pattern that is too long, an ESCAPE
 * of two characters.
 */
function mayFail(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (['->', '->>'].some(text => isOperator(token, text)) || isWord(token, 'escape')) return true;
  if (!['like', 'glob', 'match', 'regexp'].some(word => isWord(token, word))) return false;
  const isFixed = tokens[at + 1]?.kind === 'string' && !isOperator(tokens[at + 2], '||');
  return !isFixed;
}

/** Functions that give a value for any row. */
const total = new Set('lower upper trim ltrim rtrim length coalesce ifnull nullif substr date'.split(' '));

function isTotal(name: Token | undefined): boolean {
  return name?.kind === 'word' && total.has(name.text);
}

/** Commands that put an index in order and keep every row. */
const upkeep = /^(optimize|rebuild|integrity-check|merge=[0-9]+,[0-9]+)$/;

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
  return !(columns.length === 1 ? isUpkeep : takesOneOut(columns, values, table));
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
