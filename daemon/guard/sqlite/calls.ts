/**
 * What a statement calls, by name: functions, table-valued functions and modules, with any quotes.
 * Classifies names alone.
 */

import { type Reason, say } from '../reason.ts';
import type { Classification, StatementClass } from '../types.ts';
import { builtInFunctions, forbiddenFunctions, forbiddenTables, harmlessModules, notFunctions } from './functions.ts';
import { isCommonTable, isNaming, type Names } from './names.ts';
import { pragmaClass } from './pragmas.ts';
import type { Head } from './statement.ts';
import { folded, isWord, type Token } from './tokenizer.ts';

/**
 * Finds a forbidden name before a parenthesis, with any quotes, and a table-valued function or
 * module without one.
 * @returns a sentence; null if there is none.
 */
export function forbiddenCall({ tokens, names }: Head): string | null {
  const tables = tablePlaces(names);
  let isVirtual = false;
  for (const [index, token] of tokens.entries()) {
    if (!isNaming(token)) continue;
    const name = folded(token.text);
    const why = forbiddenFunctions.get(name);
    const isTable = tables.has(index);
    const called = isCall(tokens, names, index);
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

/** What writes although SQLite calls its statement a read; null if nothing does. */
export function writingCall({ tokens, names }: Head): Reason | null {
  const tables = tablePlaces(names);
  for (const [index, token] of tokens.entries()) {
    if (!isNaming(token)) continue;
    const name = folded(token.text);
    const called = isCall(tokens, names, index);
    if (name === 'optimize' && called) return say('optimize() merges the index of a full-text table.');
    if (!name.startsWith('pragma_') || !(tables.has(index) || called)) continue;
    if (pragmaTableClass(name, called) === 'write') return say('%@ writes to the database file.', name);
  }
  return null;
}

/**
 * Places where a table of the file, or one that SQLite makes of a module, may be named and isn't
 * being defined.
 */
function tablePlaces(names: Names): ReadonlySet<number> {
  const places = names.tables.filter(each => each.role !== 'definition' && !isCommonTable(names, each));
  return new Set(places.map(({ at }) => at));
}

function isCall(tokens: readonly Token[], { columnLists }: Names, index: number): boolean {
  const next = tokens[index + 1];
  return next?.kind === 'operator' && next.text === '(' && !columnLists.has(index);
}

/**
 * SQLite makes a table of a PRAGMA only if it has a result. Its argument says what to tell about,
 * or names a schema.
 */
function pragmaTableClass(name: string, isCall: boolean): StatementClass {
  const pragma = name.slice('pragma_'.length);
  const plain = pragmaClass(pragma, false);
  return plain === 'read' && isCall && pragmaClass(pragma, true) === 'destructive' ? 'forbidden' : plain;
}

export function unknownCalls({ tokens, names }: Head): Classification['calls'] {
  const found = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    if (!isCall(tokens, names, index) || isWord(tokens[index - 1], 'using')) continue;
    if (token.kind === 'word' && notFunctions.has(token.text)) continue;
    if (!builtInFunctions.has(token.text) && !token.text.startsWith('pragma_')) found.add(token.text);
  }
  return [...found].map(name => ({ schema: null, name }));
}
