/** Judges INSERT, REPLACE, UPDATE and DELETE: a write, destructive where nothing says which rows. */

import { mostLooks, restricts } from './restriction.ts';
import { nameAt, touchedTables } from './tables.ts';
import { at, closing, follows, type Token } from './tokens.ts';
import { destructive, type Verdict, write } from './verdict.ts';

const modifiers = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO']);

export function judgeInsert(tokens: readonly Token[], from: number): Verdict {
  const target = nameAt(tokens, afterModifiers(tokens, from + 1));
  const changes = target === null ? [] : [target.name];
  return write(`${at(tokens, from).key} adds rows.`, { tables: touchedTables(tokens), changes, isDml: true });
}

/** @returns where the column list of an INSERT or REPLACE stands: those parentheses hold names, not arguments. */
export function columnListAt(tokens: readonly Token[], from: number): number {
  const target = nameAt(tokens, afterModifiers(tokens, from + 1));
  return target !== null && at(tokens, target.end).key === '(' ? target.end : -1;
}

export function judgeUpdate(tokens: readonly Token[], from: number): Verdict {
  return judgeBounded(tokens, from, 'UPDATE', 'changes');
}

export function judgeDelete(tokens: readonly Token[], from: number): Verdict {
  const answer = judgeBounded(tokens, from, 'DELETE', 'removes');
  if (!follows(tokens, from + 1, 'HISTORY')) return answer;
  const { tables, changes } = answer;
  return destructive('DELETE HISTORY removes old row versions for good.', { tables, changes, isDml: true });
}

function judgeBounded(tokens: readonly Token[], from: number, verb: string, does: string): Verdict {
  const tables = touchedTables(tokens);
  const isUnboundedDml = !restricts(condition(tokens, from), {
    looksLeft: mostLooks,
    isOneTable: tables.length === 1 && from === 0,
  });
  // Which of several it changes isn't told here: each is taken for changed.
  const found = { tables, changes: tables, isDml: true, isUnboundedDml };
  if (!isUnboundedDml) return write(`${verb} ${does} the rows its WHERE names.`, found);
  return destructive(`${verb} ${does} every row: it has no WHERE that leaves one out.`, found);
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
