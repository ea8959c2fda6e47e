/** What a statement calls, by name: functions, table-valued functions and modules, however quoted. Judges names alone. */

import type { Classification, StatementClass } from '../classification.ts';
import { builtInFunctions, forbiddenFunctions, forbiddenTables, harmlessModules, notFunctions } from './functions.ts';
import { pragmaClass } from './pragmas.ts';
import { isWord } from './statement.ts';
import { tablePositions } from './table-positions.ts';
import type { Token } from './tokenizer.ts';

/** Words before a name whose parenthesis holds columns, not arguments. */
const beforeColumns = new Set(['table', 'into', 'exists', 'view', 'references', 'with', 'recursive']);

/** A name before a parenthesis, however quoted, and a table-valued function or module used without one. */
export function forbiddenCall(tokens: readonly Token[]): string | null {
  const tables = new Set(tablePositions(tokens));
  for (const [index, token] of tokens.entries()) {
    if (!isNaming(token)) continue;
    const name = token.text.toLowerCase();
    const why = forbiddenFunctions.get(name);
    const isTable = tables.has(index);
    if (why !== undefined && (isCall(tokens, index) || (isTable && forbiddenTables.has(name))))
      return `${name} ${why}.`;
    if (name.startsWith('pragma_') && (isTable || isCall(tokens, index))) {
      const pragma = pragmaTableClass(name, isCall(tokens, index));
      if (pragma !== 'read' && pragma !== 'write') return `${name} is no PRAGMA that only tells.`;
    }
    if (tokens[index - 1]?.text === 'using' && isVirtualTableModule(tokens, index) && !harmlessModules.has(name)) {
      return `The virtual table module ${name} is not one that stays within the database.`;
    }
  }
  return null;
}

/** What writes although SQLite calls its statement a read; null where nothing does. */
export function writingCall(tokens: readonly Token[]): string | null {
  const tables = new Set(tablePositions(tokens));
  for (const [index, token] of tokens.entries()) {
    if (!isNaming(token)) continue;
    const name = token.text.toLowerCase();
    if (name === 'optimize' && isCall(tokens, index)) return 'optimize() merges the index of a full-text table.';
    if (!name.startsWith('pragma_') || !(tables.has(index) || isCall(tokens, index))) continue;
    if (pragmaTableClass(name, isCall(tokens, index)) === 'write') return `${name} writes to the database file.`;
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
  if (before?.kind === 'word' && beforeColumns.has(before.text)) return false;
  return !isIndexedTable(tokens, index);
}

/** CREATE INDEX … ON table(columns): the first ON, for there is none before it. */
function isIndexedTable(tokens: readonly Token[], index: number): boolean {
  const isIndex = isWord(tokens[0], 'create') && (isWord(tokens[1], 'index') || isWord(tokens[2], 'index'));
  return isIndex && index > 0 && tokens.findIndex(token => isWord(token, 'on')) === index - 1;
}

/** SQLite makes a table of a PRAGMA only where it has a result; its argument is the one of a question, or a schema's name. */
function pragmaTableClass(name: string, isCall: boolean): StatementClass {
  const pragma = name.slice('pragma_'.length);
  const plain = pragmaClass(pragma, false);
  return plain === 'read' && isCall && pragmaClass(pragma, true) === 'write' ? 'forbidden' : plain;
}

function isVirtualTableModule(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(0, index).some(token => token.kind === 'word' && token.text === 'virtual');
}

export function unknownCalls(tokens: readonly Token[]): Classification['calls'] {
  const names = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    if (tokens[index + 1]?.text !== '(' || tokens[index + 1]?.kind !== 'operator') continue;
    const before = tokens[index - 1]?.text ?? '';
    if (
      [
        'into',
        'table',
        'exists',
        'on',
        'references',
        'index',
        'with',
        ',',
        'view',
        'using',
        'recursive',
        'as',
      ].includes(before)
    ) {
      if (!isListedCall(tokens, index)) continue;
    }
    if (token.kind === 'word' && notFunctions.has(token.text)) continue;
    if (!builtInFunctions.has(token.text) && !token.text.startsWith('pragma_')) names.add(token.text);
  }
  return [...names].map(name => ({ schema: null, name }));
}

/** After a comma a call and a name with a column list look alike; the list of a common table expression is followed by AS. */
function isListedCall(tokens: readonly Token[], index: number): boolean {
  if (tokens[index - 1]?.text !== ',') return false;
  let depth = 0;
  for (let at = index + 1; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth++;
    if (tokens[at]?.text === ')' && --depth === 0)
      return !(tokens[at + 1]?.text === 'as' && tokens[at + 2]?.text === '(');
  }
  return true;
}
