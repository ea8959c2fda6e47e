/** Classifies INSERT, REPLACE, UPDATE and DELETE: a write, destructive where nothing says which rows. */

import { looksAtRows, namesRows } from './condition.ts';
import { nameAt, touchedTables } from './tables.ts';
import { targetsOf } from './targets.ts';
import { at, closing, follows, has, indexAtTop, type Token } from './tokens.ts';
import { destructive, type Verdict, write } from './verdict.ts';

const modifiers = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO']);

export function classifyInsert(tokens: readonly Token[], from: number): Verdict {
  const target = nameAt(tokens, afterModifiers(tokens, from + 1));
  const changes = target === null ? [] : [target.name];
  const verb = at(tokens, from).key;
  const adds = verb === 'INSERT' && !has(tokens, 'ON', 'DUPLICATE');
  const change = adds ? 'added' : 'changed';
  const ownEffect = adds ? 'adds' : 'changes';
  return write(`${verb} adds rows.`, { tables: touchedTables(tokens), changes, change, ownEffect, isDml: true });
}

/** @returns where the column list of an INSERT or REPLACE stands: those parentheses hold names, not arguments. */
export function columnListAt(tokens: readonly Token[], from: number): number {
  const target = nameAt(tokens, afterModifiers(tokens, from + 1));
  return target !== null && at(tokens, target.end).key === '(' ? target.end : -1;
}

export function classifyUpdate(tokens: readonly Token[], from: number): Verdict {
  return classifyBounded(tokens, from, 'UPDATE', 'changes');
}

export function classifyDelete(tokens: readonly Token[], from: number): Verdict {
  const answer = classifyBounded(tokens, from, 'DELETE', 'removes');
  if (!follows(tokens, from + 1, 'HISTORY')) return answer;
  const { tables, changes } = answer;
  return destructive('DELETE HISTORY removes old row versions for good.', { tables, changes, isDml: true });
}

function classifyBounded(tokens: readonly Token[], from: number, verb: string, does: string): Verdict {
  const where = condition(tokens, from);
  const isLimited = hasLimit(tokens, from);
  const isUnboundedDml = !looksAtRows(where) && !isLimited;
  const { tables: changes, isOne } = targetsOf(tokens, from);
  const by = isOne ? namesRows(where) : [];
  const found: Partial<Verdict> = {
    tables: touchedTables(tokens),
    changes,
    change: by.length > 0 ? 'keyed' : 'changed',
    by,
    ownEffect: 'changes',
    isDml: true,
    isUnboundedDml,
    ...(isOne && { countsOne: verb === 'UPDATE' ? 'updated' : 'deleted' }),
  };
  // MariaDB puts back what is left of each row, and that looks like rows that nobody changed.
  if (has(tokens, 'FOR', 'PORTION')) return destructive(`${verb} FOR PORTION OF changes parts of rows.`, found);
  if (!isUnboundedDml) return write(`${verb} ${does} the rows its ${isLimited ? 'LIMIT' : 'WHERE'} names.`, found);
  return destructive(`${verb} ${does} every row: it has no WHERE that leaves one out.`, found);
}

/** `DELETE … ORDER BY id LIMIT 10`: how many that are of all there are, the count tells. */
function hasLimit(tokens: readonly Token[], from: number): boolean {
  const limit = indexAtTop(tokens, from, new Set(['LIMIT']));
  return ['number', 'placeholder'].includes(at(tokens, limit + 1).kind);
}

function condition(tokens: readonly Token[], from: number): readonly Token[] {
  let start = -1;
  for (let index = from; index < tokens.length; index++) {
    const { key } = at(tokens, index);
    if (key === '(') index = closing(tokens, index);
    else if (key === 'WHERE') start = index + 1;
    else if (start >= 0 && ['ORDER', 'LIMIT', 'RETURNING'].includes(key)) return tokens.slice(start, index);
  }
  return start < 0 ? [] : tokens.slice(start);
}

function afterModifiers(tokens: readonly Token[], from: number): number {
  let index = from;
  while (modifiers.has(at(tokens, index).key)) index++;
  return index;
}
