/**
 * Finds the parts of an INSERT, REPLACE, UPDATE or DELETE once, for its class, its preview and its
 * count. Classifies nothing.
 */

import type { Verb } from '../data-change.ts';
import type { QualifiedName } from '../types.ts';
import { nameAt } from './tables.ts';
import { indexAtTop, outsideParentheses, type Token, tokenAt } from './tokens.ts';

export interface RowChange {
  readonly verb: Verb;
  /** The one table whose rows change; null if there may be several. */
  readonly target: QualifiedName | null;
  /** True for IGNORE: rows that can't be changed are left out. */
  readonly ignores: boolean;
  /**
   * Index where the list of tables begins. For INSERT and REPLACE, the list is the target alone.
   */
  readonly tablesAt: number;
  /** Index after the list of tables. */
  readonly tablesEnd: number;
  /** The assignments of an UPDATE: what follows SET. */
  readonly assignments: readonly Token[];
  /** What follows WHERE. */
  readonly condition: readonly Token[];
}

const verbs: ReadonlyMap<string, Verb> = new Map(
  (['insert', 'replace', 'update', 'delete'] as const).map(verb => [verb.toUpperCase(), verb]),
);
/** Reserved words, so no table has such a name. */
const modifiers = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO']);
const several = new Set(['JOIN', 'STRAIGHT_JOIN', 'USING', ',', '*']);
/**
 * A parenthesis after these words holds parts of the one table: `PARTITION (p0, p1)`,
 * `USE INDEX FOR ORDER BY (a)`.
 */
const leadParts = new Set(['PARTITION', 'INDEX', 'KEY', 'BY']);
const listEnds = new Set(['SET', 'WHERE', 'ORDER', 'LIMIT', 'RETURNING']);
const assignmentEnds = new Set(['WHERE', 'ORDER', 'LIMIT', 'RETURNING']);
const conditionStart = new Set(['WHERE']);
const conditionEnds = new Set(['ORDER', 'LIMIT', 'RETURNING']);

/** Null if another verb stands there. */
export function rowChangeAt(tokens: readonly Token[], verbAt: number): RowChange | null {
  const verb = verbs.get(tokenAt(tokens, verbAt).key);
  if (verb === undefined) return null;
  let start = verbAt + 1;
  // QUICK may be a table's name.
  while (modifiers.has(tokenAt(tokens, start).key) || (verb === 'delete' && tokenAt(tokens, start).key === 'QUICK'))
    start++;
  const ignores = tokens.slice(verbAt, start).some(({ key }) => key === 'IGNORE');
  const isAdding = verb === 'insert' || verb === 'replace';
  const isFrom = verb === 'delete' && tokenAt(tokens, start).key === 'FROM';
  if (isFrom) start++;
  const named = nameAt(tokens, start);
  const end = isAdding ? (named?.end ?? start) : indexAtTop(tokens, start, listEnds);
  const list = isAdding ? [] : outsideParentheses(tokens.slice(start, end));
  const isOne = list.every(({ key }, index) =>
    key === '(' ? leadParts.has(tokenAt(list, index - 1).key) : !several.has(key),
  );
  const where = isAdding ? tokens.length : indexAtTop(tokens, start, conditionStart);
  return {
    verb,
    target: named !== null && isOne && (verb !== 'delete' || isFrom) ? named.name : null,
    ignores,
    tablesAt: start,
    tablesEnd: end,
    assignments: verb === 'update' ? tokens.slice(end + 1, indexAtTop(tokens, end + 1, assignmentEnds)) : [],
    condition: tokens.slice(where + 1, indexAtTop(tokens, where + 1, conditionEnds)),
  };
}
