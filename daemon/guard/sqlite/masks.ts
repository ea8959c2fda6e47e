/**
 * Whether a statement reads a masked column of an SQLite file (spec §6): by what SQLite tells of
 * it, and by its text where SQLite tells nothing, as of NATURAL JOIN, USING and definitions.
 */

import { isMaskedName } from '../masked-names.ts';
import type { MaskedColumn } from '../masks.ts';
import { isShown } from '../sight.ts';
import { definedKindAt, statementAt } from './definitions.ts';
import { copiedWhole, declares, type MaskedFile, shownAlone } from './masked-file.ts';
import { isCommonTable, isNaming } from './names.ts';
import type { Told } from './sight.ts';
import type { Head } from './statement.ts';
import { folded, isOperator, isWord, type Token } from './tokenizer.ts';

export type OutOfReach =
  | { readonly kind: 'masked'; readonly columns: readonly MaskedColumn[] }
  /** NATURAL compares columns without a name. */
  | { readonly kind: 'natural' }
  /** It shows a masked column by another name. */
  | { readonly kind: 'holdsMasked'; readonly name: string }
  /** A definition over it may read a masked column later. */
  | { readonly kind: 'defines'; readonly name: string }
  /** SQLite's own tables that hold values of others. */
  | { readonly kind: 'holdsValues' };

/** Pages, and samples of indexed values. */
const holdsValues = new Set(['sqlite_dbpage', 'sqlite_stat3', 'sqlite_stat4']);

/** @returns what the text alone says. */
export function namedOutOfReach(head: Head, file: MaskedFile): OutOfReach | null {
  const { names, tokens, verb } = head;
  const named = names.tables.filter(each => !isCommonTable(names, each) || head.isDml);
  if (verb !== 'analyze' && named.some(({ name }) => holdsValues.has(name))) return { kind: 'holdsValues' };
  if (file.reaching.size === 0) return verb === 'create' ? shownName(head, file) : null;
  const made = verb === 'create' || verb === 'drop';
  const held = named.filter(({ name, role }) => file.whole.has(name) && !(made && role === 'definition'));
  if (held.length > 0 && !isPlainInsert(head, file)) return { kind: 'holdsMasked', name: held[0]?.name ?? '' };
  const copied = copiedWhole(tokens, file.columns);
  if (copied !== null)
    return {
      kind: 'masked',
      columns: [...(file.columns.get(copied) ?? [])].map(column => ({ schema: null, table: copied, column })),
    };
  const compared = named.some(({ name }) => file.reaching.has(name)) ? byComparison(tokens, file) : null;
  return compared ?? (['create', 'alter'].includes(verb) ? byDefinition(head, file) : null);
}

function byComparison(tokens: readonly Token[], { columns }: MaskedFile): OutOfReach | null {
  if (tokens.some(token => isWord(token, 'natural'))) return { kind: 'natural' };
  const compared = tokens.flatMap((token, at) =>
    isWord(token, 'using') && isOperator(tokens[at + 1], '(') ? inParentheses(tokens, at + 1) : [],
  );
  return maskedAmong(columns, [...columns.keys()], compared);
}

/** Adding a row to a full-text index shows nothing of the others. */
function isPlainInsert({ verb, names, tokens }: Head, { whole }: MaskedFile): boolean {
  if ((verb !== 'insert' && verb !== 'replace') || tokens.some(token => isWord(token, 'returning'))) return false;
  const held = tokens.filter(token => isNaming(token) && whole.has(folded(token.text)));
  return held.length === 1 && names.tables.some(({ name, role }) => role === 'target' && whole.has(name));
}

/** What a client makes would be shown, as a person meant another thing of that name to be. */
function shownName({ tokens, body, names }: Head, { masks }: MaskedFile): OutOfReach | null {
  const kind = kindOf(tokens);
  if (kind !== 'view' && kind !== 'trigger') return null;
  const at =
    kind === 'trigger' ? triggerName(body) : (names.tables.find(({ role }) => role === 'definition')?.name ?? '');
  return isShown(shownAlone(masks), 'main', at) ? { kind: 'defines', name: at } : null;
}

function byDefinition(head: Head, file: MaskedFile): OutOfReach | null {
  const { tokens, names, verb, body } = head;
  const kind = kindOf(tokens);
  const [first] = names.tables;
  const reached = tokens.find(token => isNaming(token) && file.reaching.has(folded(token.text)));
  const shown = verb === 'create' ? shownName(head, file) : null;
  if (shown !== null) return shown;
  if (kind === 'view') {
    if (reached === undefined) return null;
    const all = maskedAmong(file.columns, [...file.columns.keys()], tokens.filter(isNaming));
    return all ?? (tokens.some((_, at) => isStar(tokens, at)) ? { kind: 'defines', name: folded(reached.text) } : null);
  }
  if (kind === 'trigger' || kind === 'virtual')
    return reached === undefined ? null : { kind: 'defines', name: folded(reached.text) };
  const own = first?.role === 'definition' ? first.name : '';
  const referred = byReference(tokens, file);
  if (referred !== null) return referred;
  if (kind === 'index' || verb === 'alter') {
    const found = maskedAmong(file.columns, [own], tokens.filter(isNaming));
    if (found !== null) return found;
    const renames = verb === 'alter' && body.some((token, at) => isWord(token, 'rename') && isWord(body[at + 1], 'to'));
    return renames && file.columns.has(own) ? { kind: 'defines', name: own } : null;
  }
  return null;
}

/** A foreign key tells whether a value is there. */
function byReference(tokens: readonly Token[], { columns, keyed }: MaskedFile): OutOfReach | null {
  for (const [at, token] of tokens.entries()) {
    const parent = tokens[at + 1];
    if (!isWord(token, 'references') || parent === undefined) continue;
    const name = folded(parent.text);
    const written = isOperator(tokens[at + 2], '(') ? inParentheses(tokens, at + 2) : null;
    if (written === null && keyed.has(name)) return { kind: 'defines', name };
    const found = maskedAmong(columns, [name], written ?? []);
    if (found !== null) return found;
  }
  return null;
}

function maskedAmong(
  columns: MaskedFile['columns'],
  tables: readonly string[],
  written: readonly Token[],
): OutOfReach | null {
  const names = new Set(written.map(({ text }) => folded(text)));
  const found = tables.flatMap(table =>
    [...(columns.get(table) ?? [])].filter(name => names.has(name)).map(column => ({ schema: null, table, column })),
  );
  return found.length === 0 ? null : { kind: 'masked', columns: found };
}

function inParentheses(tokens: readonly Token[], open: number): readonly Token[] {
  const end = tokens.findIndex((token, at) => at > open && isOperator(token, ')'));
  return tokens.slice(open + 1, end < 0 ? undefined : end).filter(isNaming);
}

function isStar(tokens: readonly Token[], at: number): boolean {
  return isOperator(tokens[at], '*') && !(isOperator(tokens[at - 1], '(') && isOperator(tokens[at + 1], ')'));
}

function kindOf(tokens: readonly Token[]): string {
  const start = statementAt(tokens);
  const isVirtual = isWord(tokens[start + 1], 'virtual');
  return isVirtual ? 'virtual' : (tokens[definedKindAt(tokens, start)]?.text ?? '');
}

/** The last part of its name, which BEFORE, AFTER, INSTEAD OF or the change follows. */
function triggerName(body: readonly Token[]): string {
  const at = body.findIndex((token, place) => {
    const isMoment = ['before', 'after', 'instead', 'insert', 'update', 'delete'].some(word => isWord(token, word));
    return isMoment && place > 1 && isNaming(body[place - 1] as Token);
  });
  return at < 1 ? '' : folded(body[at - 1]?.text ?? '');
}

/**
 * False for a text that names nothing that reaches a masked column, and defines nothing: SQLite's
 * events alone then tell. SQLite has no other way to write a name.
 */
export function mayName(sql: string, { reaching }: MaskedFile): boolean {
  const text = folded(sql);
  return (
    /create|alter|vacuum|analyze|reindex|["`\][]{2}/.test(text) ||
    [...reaching, ...holdsValues].some(name => text.includes(name))
  );
}

/** @returns what SQLite's event says; `headOf` gives null for more than one statement. */
export function toldOutOfReach(
  { action, first, second, within }: Told,
  headOf: () => Head | null,
  file: MaskedFile,
): OutOfReach | null {
  const inside = within === null ? null : folded(within);
  if (inside !== null && file.whole.has(inside)) return { kind: 'holdsMasked', name: inside };
  if (action !== 'READ') return null;
  const table = folded(first ?? '');
  const column = second ?? '';
  if (holdsValues.has(table)) return headOf()?.verb === 'analyze' ? null : { kind: 'holdsValues' };
  if (column === '' || !isMaskedIn(file, table, column)) return null;
  const head = headOf();
  if (inside === null && head !== null && isOwnValue(head, table, folded(column))) return null;
  if (inside !== null && isShownCode(inside, head, file)) return null;
  // What a person shows has columns of its own.
  if (isShown(shownAlone(file.masks), 'main', table) && !file.columns.has(table)) return null;
  return { kind: 'masked', columns: [{ schema: null, table, column }] };
}

function isMaskedIn({ masks, columns }: MaskedFile, table: string, column: string): boolean {
  return columns.get(table)?.has(folded(column)) === true || isMaskedName(masks.columns, 'main', table, column);
}

function isShownCode(name: string, head: Head | null, { masks, columns, reaching }: MaskedFile): boolean {
  if (head === null || columns.has(name) || !isShown(shownAlone(masks), 'main', name)) return false;
  // SQLite tells of a whole UPDATE or DELETE of a view as if the view did it.
  const { tables } = head.names;
  const isTarget = tables.some(each => each.role === 'target' && each.name === name);
  if (isTarget && tables.some(each => each.name !== name && reaching.has(each.name))) return false;
  return !declares(head.tokens, declared => declared === name);
}

/**
 * True if an upsert names the column only where it sets it, or as what it brings itself, of which
 * SQLite tells as of the column.
 */
function isOwnValue({ verb, tokens, names }: Head, table: string, column: string): boolean {
  const isReader = ['select', 'returning', 'from', 'with'].some(word => tokens.some(token => isWord(token, word)));
  if (verb !== 'insert' || isReader || table === 'excluded' || !names.tables.every(({ name }) => name === table))
    return false;
  // An alias of that name would be the row that is there.
  const isAlias = tokens.some(
    (token, at) => isNaming(token) && folded(token.text) === 'excluded' && !isOperator(tokens[at + 1], '.'),
  );
  if (isAlias) return false;
  // The same column as a masked INTEGER PRIMARY KEY.
  if (tokens.some(token => isNaming(token) && ['rowid', 'oid', '_rowid_'].includes(folded(token.text)))) return false;
  const conflict = tokens.findIndex((token, at) => isWord(token, 'on') && isWord(tokens[at + 1], 'conflict'));
  let depth = 0;
  return tokens.every((token, at) => {
    if (isOperator(token, '(')) depth++;
    if (isOperator(token, ')')) depth--;
    if (conflict < 0 || at < conflict || !isNaming(token) || folded(token.text) !== column) return true;
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (isOperator(before, '.')) return folded(tokens[at - 2]?.text ?? '') === 'excluded';
    const isTarget = depth === 0 && isOperator(next, '=') && (isWord(before, 'set') || isOperator(before, ','));
    return isTarget || (depth === 1 && isWord(tokens[at - 2], 'conflict'));
  });
}
