/** What a statement calls, by name: functions, table-valued functions and modules, however quoted. Judges names alone. */

import type { Classification, StatementClass } from '../classification.ts';
import { builtInFunctions, forbiddenFunctions, forbiddenTables, harmlessModules, notFunctions } from './functions.ts';
import { closingsOf } from './parentheses.ts';
import { pragmaClass } from './pragmas.ts';
import { isWord } from './statement.ts';
import { tablePositions } from './table-positions.ts';
import type { Token } from './tokenizer.ts';

/** Words before a name whose parenthesis holds columns, not arguments. */
const beforeColumns = new Set(['table', 'into', 'exists', 'view', 'references', 'with', 'recursive']);
/** Behind these, and behind a comma, a name with a parenthesis is often no call at all. */
const mayPrecedeColumns = new Set([...beforeColumns, 'on', 'index', ',', 'using', 'as']);

/** A name before a parenthesis, however quoted, and a table-valued function or module used without one. */
export function forbiddenCall(tokens: readonly Token[]): string | null {
  const tables = new Set(tablePositions(tokens));
  const indexed = indexedTableAt(tokens);
  let isVirtual = false;
  for (const [index, token] of tokens.entries()) {
    if (!isNaming(token)) continue;
    const name = token.text.toLowerCase();
    const why = forbiddenFunctions.get(name);
    const isTable = tables.has(index);
    const called = index !== indexed && isCall(tokens, index);
    if (why !== undefined && (called || (isTable && forbiddenTables.has(name)))) return `${name} ${why}.`;
    if (name.startsWith('pragma_') && (isTable || called)) {
      const pragma = pragmaTableClass(name, called);
      if (pragma !== 'read' && pragma !== 'write') return `${name} is no PRAGMA that only tells.`;
    }
    if (isVirtual && tokens[index - 1]?.text === 'using' && !harmlessModules.has(name)) {
      return `The virtual table module ${name} is not one that stays within the database.`;
    }
    if (isWord(token, 'virtual')) isVirtual = true;
  }
  return null;
}

/** What writes although SQLite calls its statement a read; null where nothing does. */
export function writingCall(tokens: readonly Token[]): string | null {
  const tables = new Set(tablePositions(tokens));
  const indexed = indexedTableAt(tokens);
  for (const [index, token] of tokens.entries()) {
    if (!isNaming(token)) continue;
    const name = token.text.toLowerCase();
    const called = index !== indexed && isCall(tokens, index);
    if (name === 'optimize' && called) return 'optimize() merges the index of a full-text table.';
    if (!name.startsWith('pragma_') || !(tables.has(index) || called)) continue;
    if (pragmaTableClass(name, called) === 'write') return `${name} writes to the database file.`;
  }
  return null;
}

function isNaming({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name' || kind === 'string';
}

function isCall(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  if (next?.kind !== 'operator' || next.text !== '(') return false;
  const before = tokens[index - 1];
  return before?.kind !== 'word' || !beforeColumns.has(before.text);
}

/** CREATE INDEX … ON table(columns): behind the first ON, for there is none before it. -1 where no such table stands. */
function indexedTableAt(tokens: readonly Token[]): number {
  const isIndex = isWord(tokens[0], 'create') && (isWord(tokens[1], 'index') || isWord(tokens[2], 'index'));
  const on = isIndex ? tokens.findIndex(token => isWord(token, 'on')) : -1;
  return on === -1 ? -1 : on + 1;
}

/** SQLite makes a table of a PRAGMA only where it has a result; its argument is the one of a question, or a schema's name. */
function pragmaTableClass(name: string, isCall: boolean): StatementClass {
  const pragma = name.slice('pragma_'.length);
  const plain = pragmaClass(pragma, false);
  return plain === 'read' && isCall && pragmaClass(pragma, true) === 'write' ? 'forbidden' : plain;
}

export function unknownCalls(tokens: readonly Token[]): Classification['calls'] {
  const names = new Set<string>();
  const closings = closingsOf(tokens, token => (token.text === '(' ? 1 : token.text === ')' ? -1 : 0));
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    if (tokens[index + 1]?.text !== '(' || tokens[index + 1]?.kind !== 'operator') continue;
    const before = tokens[index - 1]?.text ?? '';
    if (mayPrecedeColumns.has(before) && !(before === ',' && isListedCall(tokens, closings[index + 1]))) continue;
    if (token.kind === 'word' && notFunctions.has(token.text)) continue;
    if (!builtInFunctions.has(token.text) && !token.text.startsWith('pragma_')) names.add(token.text);
  }
  return [...names].map(name => ({ schema: null, name }));
}

/** After a comma a call and a name with a column list look alike; the list of a common table expression is followed by AS. */
function isListedCall(tokens: readonly Token[], closing: number | undefined): boolean {
  return closing === undefined || tokens[closing + 1]?.text !== 'as' || tokens[closing + 2]?.text !== '(';
}
