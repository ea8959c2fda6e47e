/**
 * Classifies what can be run, explained and analyzed alike: queries and DML. Knows no other
 * statement.
 */

import { calledFunctions } from './calls.ts';
import { classifyQuery, verbAfterWith } from './query.ts';
import { rowChangeAt } from './row-change.ts';
import { classifyRowChange } from './rows.ts';
import { touchedTables } from './tables.ts';
import { at, has, type Token } from './tokens.ts';
import { forbidden, type Verdict } from './verdict.ts';

const queries = new Set(['SELECT', 'WITH', 'TABLE', 'VALUES', '(']);

/** Queries and DML, at the top or under EXPLAIN; null for any other verb. */
export function classifyRunnable(all: readonly Token[], from: number): Verdict | null {
  const tokens = all.slice(from);
  const first = tokens.findIndex(token => token.key !== '(');
  const opening = at(tokens, first).key;
  const verbIndex = opening === 'WITH' ? verbAfterWith(tokens, first) : first;
  const change = rowChangeAt(tokens, verbIndex);
  const isWrapped = at(tokens, 0).key === '(';
  if (change !== null) return isWrapped ? null : classifyRowChange(tokens, verbIndex, change);
  if (!queries.has(opening) || (isWrapped && opening === '(')) return null;
  if (opening === 'WITH' && !has(tokens, 'AS', '(')) return forbidden('WITH names no query here; correct it.');
  const answer = classifyQuery(tokens, calledFunctions(tokens));
  return { ...answer, tables: touchedTables(tokens) };
}
