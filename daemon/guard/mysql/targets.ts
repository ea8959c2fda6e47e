/** Which of its tables an UPDATE or DELETE changes; the others it only reads. */

import type { QualifiedName } from '../types.ts';
import { nameAt, touchedTables } from './tables.ts';
import { at, closing, indexAtTop, isName, type Token } from './tokens.ts';

const modifiers = new Set(['LOW_PRIORITY', 'IGNORE']);
const several = new Set(['JOIN', 'STRAIGHT_JOIN', 'USING', ',', '*', '(']);
/** Behind the list of a DELETE: the tables that are joined. */
const listStarts = new Set(['FROM', 'USING']);
const listEnds = new Set(['SET', 'WHERE', 'ORDER', 'LIMIT', 'RETURNING']);

interface Targets {
  readonly tables: readonly QualifiedName[];
  /** Of the one table of `UPDATE t SET …`, `DELETE FROM t …`: the server's count is of its rows alone. */
  readonly isOne: boolean;
}

/** @param verbAt where the verb stands. @returns all tables where it can't be told. */
export function targetsOf(tokens: readonly Token[], verbAt: number): Targets {
  const all = { tables: touchedTables(tokens), isOne: false };
  let start = verbAt + 1;
  const isUpdate = at(tokens, verbAt).key === 'UPDATE';
  while (modifiers.has(at(tokens, start).key) || (!isUpdate && at(tokens, start).key === 'QUICK')) start++;
  if (!isUpdate && at(tokens, start).key === 'FROM') start++;
  const end = indexAtTop(tokens, start, listEnds);
  const named = nameAt(tokens, start);
  const isOne = named !== null && !tokens.slice(start, end).some(({ key }) => several.has(key));
  if (isOne) return isUpdate || at(tokens, start - 1).key === 'FROM' ? { tables: [named.name], isOne } : all;
  const from = isUpdate ? end : indexAtTop(tokens, start, listStarts);
  const list = isUpdate
    ? qualifiersSet(tokens.slice(end + 1, indexAtTop(tokens, end + 1, listEnds)))
    : namesListed(tokens.slice(start, from));
  const references = tokens.slice(isUpdate ? start : from + 1, end);
  const found: QualifiedName[] = [];
  for (const called of list) {
    const meant = called === null ? [] : tablesCalled(references, called);
    if (meant.length === 0) return all;
    found.push(...meant);
  }
  return found.length === 0 ? all : { tables: found, isOne: false };
}

/** Of each assignment what stands before the column: `a.x = 1`; null where nothing or more than a name does. */
function qualifiersSet(tokens: readonly Token[]): readonly (string | null)[] {
  const found: (string | null)[] = [];
  let isStart = true;
  for (let index = 0; index < tokens.length; index++) {
    const token = at(tokens, index);
    if (isStart) {
      const isPlain = isName(token) && at(tokens, index + 1).key === '.' && at(tokens, index + 3).key === '=';
      found.push(isPlain ? token.text.toLowerCase() : null);
    }
    isStart = token.key === ',';
    if (token.key === '(') index = closing(tokens, index);
  }
  return found;
}

/** `DELETE a, b FROM …`; null for a name with a schema or `.*`. */
function namesListed(tokens: readonly Token[]): readonly (string | null)[] {
  return tokens.flatMap((token, index): (string | null)[] => {
    if (index % 2 === 1) return token.key === ',' ? [] : [null];
    return [isName(token) ? token.text.toLowerCase() : null];
  });
}

/** Every table of the list that has this name or alias. */
function tablesCalled(references: readonly Token[], qualifier: string): readonly QualifiedName[] {
  return references.flatMap((_, index): QualifiedName[] => {
    const before = at(references, index - 1).key;
    const named = before === '.' ? null : nameAt(references, index);
    if (named === null) return [];
    const alias = at(references, at(references, named.end).key === 'AS' ? named.end + 1 : named.end);
    const isMeant = [named.name.name, isName(alias) ? alias.text : ''].some(text => text.toLowerCase() === qualifier);
    const isTable = index === 0 || ['JOIN', 'STRAIGHT_JOIN', ',', '('].includes(before);
    return isTable && isMeant ? [named.name] : [];
  });
}
