/** Which of its tables an UPDATE or DELETE changes. It only reads the others. */

import type { QualifiedName } from '../types.ts';
import type { RowChange } from './row-change.ts';
import { nameAt, touchedTables } from './tables.ts';
import { closingParenthesis, indexAtTop, isName, type Token, tokenAt } from './tokens.ts';

/** After a DELETE's list come the tables that are joined. */
const listStarts = new Set(['FROM', 'USING']);

/** @returns all tables if it is unknown which. */
export function changedTables(tokens: readonly Token[], change: RowChange): readonly QualifiedName[] {
  const { verb, target, tablesAt, tablesEnd } = change;
  if (target !== null) return [target];
  const isUpdate = verb === 'update';
  const from = isUpdate ? tablesAt : indexAtTop(tokens, tablesAt, listStarts);
  const list = isUpdate ? qualifiersSet(change.assignments) : namesListed(tokens.slice(tablesAt, from));
  const references = tokens.slice(isUpdate ? from : from + 1, tablesEnd);
  const found: QualifiedName[] = [];
  for (const called of list) {
    const meant = called === null ? [] : tablesCalled(references, called);
    if (meant.length === 0) return touchedTables(tokens);
    found.push(...meant);
  }
  return found.length === 0 ? touchedTables(tokens) : found;
}

/**
 * The qualifier in each assignment, `a` in `a.x = 1`; null if there is none, or if more than a name
 * precedes the column.
 */
function qualifiersSet(tokens: readonly Token[]): readonly (string | null)[] {
  const found: (string | null)[] = [];
  let isStart = true;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokenAt(tokens, index);
    if (isStart) {
      const isPlain = isName(token) && tokenAt(tokens, index + 1).key === '.' && tokenAt(tokens, index + 3).key === '=';
      found.push(isPlain ? token.text.toLowerCase() : null);
    }
    isStart = token.key === ',';
    if (token.key === '(') index = closingParenthesis(tokens, index);
  }
  return found;
}

/** The names listed in `DELETE a, b FROM …`; null for a name with a schema or `.*`. */
function namesListed(tokens: readonly Token[]): readonly (string | null)[] {
  return tokens.flatMap((token, index): (string | null)[] => {
    if (index % 2 === 1) return token.key === ',' ? [] : [null];
    return [isName(token) ? token.text.toLowerCase() : null];
  });
}

/** Every table in the list with this name or alias. */
function tablesCalled(references: readonly Token[], qualifier: string): readonly QualifiedName[] {
  return references.flatMap((_, index): QualifiedName[] => {
    const before = tokenAt(references, index - 1).key;
    const named = before === '.' ? null : nameAt(references, index);
    if (named === null) return [];
    const alias = tokenAt(references, tokenAt(references, named.end).key === 'AS' ? named.end + 1 : named.end);
    const isMeant = [named.name.name, isName(alias) ? alias.text : ''].some(text => text.toLowerCase() === qualifier);
    const isTable = index === 0 || ['JOIN', 'STRAIGHT_JOIN', ',', '('].includes(before);
    return isTable && isMeant ? [named.name] : [];
  });
}
