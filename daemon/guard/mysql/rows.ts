/**
 * Classifies INSERT, REPLACE, UPDATE and DELETE: a write, and destructive if nothing says which
 * rows.
 */

import { looksAtRows, namesRows } from './condition.ts';
import { type RowChange, rowChangeAt } from './row-change.ts';
import { touchedTables } from './tables.ts';
import { changedTables } from './targets.ts';
import { hasKeywords, indexAtTop, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { destructive, say, type Verdict, write } from './verdict.ts';

/** @param from index of its verb. */
export function classifyRowChange(tokens: readonly Token[], from: number, change: RowChange): Verdict {
  if (change.verb === 'insert' || change.verb === 'replace') return classifyInsert(tokens, change);
  const answer = classifyBounded(tokens, from, change);
  if (change.verb !== 'delete' || !keywordsAt(tokens, from + 1, 'HISTORY')) return answer;
  const { tables, changes } = answer;
  return destructive(say('DELETE HISTORY removes old row versions for good.'), { tables, changes, isDml: true });
}

function classifyInsert(tokens: readonly Token[], { verb, target }: RowChange): Verdict {
  const changes = target === null ? [] : [target];
  const updates = hasKeywords(tokens, 'ON', 'DUPLICATE');
  const adds = verb === 'insert' && !updates;
  const change = adds ? 'added' : 'changed';
  const ownEffect = adds ? 'adds' : 'changes';
  const reason = adds
    ? say('INSERT adds rows.')
    : updates
      ? say('INSERT adds rows, and changes those that are there (ON DUPLICATE KEY).')
      : say('REPLACE adds rows, and removes those that have the same key.');
  return write(reason, { tables: touchedTables(tokens), changes, change, ownEffect, isDml: true });
}

/**
 * @returns the index of the column list of an INSERT or REPLACE, or -1. Its parentheses hold names,
 *   not arguments.
 */
export function columnListAt(tokens: readonly Token[], from: number): number {
  const change = rowChangeAt(tokens, from);
  return change !== null && change.target !== null && tokenAt(tokens, change.tablesEnd).key === '('
    ? change.tablesEnd
    : -1;
}

function classifyBounded(tokens: readonly Token[], from: number, change: RowChange): Verdict {
  const { condition, target } = change;
  const isUpdate = change.verb === 'update';
  const isLimited = hasLimit(tokens, from);
  const isUnboundedDml = !looksAtRows(condition) && !isLimited;
  const by = target === null ? [] : namesRows(condition);
  const found: Partial<Verdict> = {
    tables: touchedTables(tokens),
    changes: changedTables(tokens, change),
    change: by.length > 0 ? 'keyed' : 'changed',
    by,
    ownEffect: 'changes',
    isDml: true,
    isUnboundedDml,
    ...(target !== null && { countsOne: isUpdate ? 'updated' : 'deleted' }),
  };
  // MariaDB inserts again what is left of each row, which looks like rows that nobody changed.
  if (hasKeywords(tokens, 'FOR', 'PORTION'))
    return destructive(say('%@ FOR PORTION OF changes parts of rows.', isUpdate ? 'UPDATE' : 'DELETE'), found);
  if (!isUnboundedDml) {
    const names = isLimited ? 'LIMIT' : 'WHERE';
    return write(
      isUpdate
        ? say('UPDATE changes the rows its %@ names.', names)
        : say('DELETE removes the rows its %@ names.', names),
      found,
    );
  }
  return destructive(
    isUpdate
      ? say('UPDATE changes every row: it has no WHERE that leaves one out.')
      : say('DELETE removes every row: it has no WHERE that leaves one out.'),
    found,
  );
}

/** `DELETE … ORDER BY id LIMIT 10`: the count tells how many of all rows that is. */
function hasLimit(tokens: readonly Token[], from: number): boolean {
  const limit = indexAtTop(tokens, from, new Set(['LIMIT']));
  return ['number', 'placeholder'].includes(tokenAt(tokens, limit + 1).kind);
}
