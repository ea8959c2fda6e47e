/**
 * What a column that was added to a table in use does to others' writes and reads, besides being
 * there. Judged by what SQLite made of it.
 */

import { type Reason, say } from '../../reason.ts';
import { folded, isOperator, isWord, type Token, tokenize } from '../tokenizer.ts';
import type { AlteredTable, ColumnFact, SchemaRow, UseFact } from './facts.ts';

/** @returns null if the definition changed in another way. */
export function addedColumn(
  table: AlteredTable,
  before: SchemaRow,
  after: SchemaRow,
  uses: readonly UseFact[],
): readonly Reason[] | null {
  const column = table.after.at(-1);
  const kept = table.after.slice(0, -1);
  if (column === undefined || JSON.stringify(kept) !== JSON.stringify(table.before)) return null;
  return [
    ...writesThatFail(table, column, addedTokens(before.sql ?? '', after.sql ?? '')),
    ...namesThatChange(table, column, before.sql ?? ''),
    ...usesThatChange(table.name, column.name, uses),
  ];
}

/** What SQLite wrote into the table's definition. */
function addedTokens(before: string, after: string): readonly Token[] {
  const [had, has] = [tokenize(before), tokenize(after)];
  const isSame = (at: number): boolean => had[at]?.kind === has[at]?.kind && had[at]?.text === has[at]?.text;
  let from = 0;
  while (from < had.length && isSame(from)) from++;
  return has.slice(from, from + has.length - had.length);
}

function writesThatFail(
  { name, isStrict, newKeys }: AlteredTable,
  column: ColumnFact,
  tokens: readonly Token[],
): readonly Reason[] {
  const given = column.default;
  const isNull = given === null || /^null$/i.test(given);
  const rules = ['check', 'conflict'].some(word => tokens.some(token => isWord(token, word)));
  const failing =
    column.hidden !== 0 ||
    rules ||
    (isNull && column.takesNoNull) ||
    (!isNull && (!isLiteral(given) || newKeys.length > 0 || (isStrict && !fits(given, column.type))));
  const cascades = newKeys.some(({ onDelete, onUpdate }) => [onDelete, onUpdate].includes('CASCADE'));
  return [
    ...(failing ? [say("Others' writes to %@ may fail: they must fit the new column %@.", name, column.name)] : []),
    ...(cascades
      ? [say('Rows of %@ are changed or deleted along with those that the column %@ refers to.', name, column.name)]
      : []),
  ];
}

const literal = /^([-+]?\s*([0-9.]+(e[-+]?[0-9]+)?|0x[0-9a-f]+)|x?'([^']|'')*'|"([^"]|"")*"|[a-z_][a-z0-9_]*)$/i;

/** A word alone is a text, a truth value or the present time: SQLite refuses names of columns. */
function isLiteral(value: string): boolean {
  return literal.test(value);
}

/** True if a STRICT table takes the literal for a value of that type. */
function fits(value: string, type: string): boolean {
  const isText = /^["']/.test(value) || /^current_/i.test(value);
  switch (type.toUpperCase()) {
    case 'ANY':
      return true;
    case 'TEXT':
      return isText;
    case 'BLOB':
      return /^x'/i.test(value);
    case 'REAL':
      return /^[-+]?\s*[0-9.]+$/.test(value);
    default:
      return /^([-+]?\s*[0-9]{1,18}|true|false)$/i.test(value);
  }
}

const rowidNames = new Set(['_rowid_', 'oid', 'rowid']);

/** SQLite takes `true` and `"text"` for a column if there is one of the name. */
function namesThatChange(
  { name: table, writtenAsText }: AlteredTable,
  { name }: ColumnFact,
  before: string,
): readonly Reason[] {
  const column = folded(name);
  if (rowidNames.has(column)) return [say("The column %@ of %@ takes the name of a row's number.", name, table)];
  if (column === 'true' || column === 'false')
    return [say("Where others' statements say %@, they read the column of %@ from then on.", name, table)];
  return writtenAsText.includes(name) || isQuotedWithin(tokenize(before), column)
    ? [say('Programs that write the text %@ in double quotes read the column of %@ instead.', name, table)]
    : [];
}

/**
 * True if the parentheses of a rule have the name in quotes, where it was a text as long as there
 * was no such column.
 */
function isQuotedWithin(tokens: readonly Token[], column: string): boolean {
  let depth = 0;
  return tokens.some(token => {
    depth += isOperator(token, '(') ? 1 : isOperator(token, ')') ? -1 : 0;
    return depth > 1 && token.kind === 'name' && token.text === column;
  });
}

/** `*` alone may bring the column: it stands beside the others. */
function usesThatChange(table: string, column: string, uses: readonly UseFact[]): readonly Reason[] {
  return uses.flatMap(({ name, kind, text, tables, breaks, reads }): readonly Reason[] => {
    const shown = kind === 'view' ? say('The view %@', name) : say('A trigger of %@', name);
    if (breaks) return [[...shown, ...say('fails from then on.')]];
    const isRead = reads.some(read => folded(read.table) === folded(table) && folded(read.column) === folded(column));
    const tokens = tokenize(text);
    const isNamed = tokens.some(token => token.kind !== 'operator' && folded(token.text) === folded(column));
    const isJoined =
      tokens.some(token => isWord(token, 'natural')) && tables.some(read => folded(read) === folded(table));
    return (isRead && isNamed) || isJoined
      ? [[...shown, ...say('reads the new column %@ where it read something else.', column)]]
      : [];
  });
}
