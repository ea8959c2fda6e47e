/**
 * Classifies EXPLAIN, DESCRIBE and MariaDB's ANALYZE. A statement that shows a plan is a read. One
 * that runs its statement has that statement's class.
 */

import { classifyRunnable } from './runnable.ts';
import { classifyDescribe } from './show.ts';
import { isName, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { atLeast, forbidden, joinReasons, read, say, type Verdict } from './verdict.ts';

/**
 * True for a plan: it shows its statement without taking the row locks or storing the rows.
 * Functions and assignments in it may still run.
 */
export function runsNothing(tokens: readonly Token[]): boolean {
  const { key } = tokenAt(tokens, 0);
  return ['EXPLAIN', 'DESCRIBE', 'DESC'].includes(key) && tokenAt(tokens, 1).key !== 'ANALYZE';
}

/** True for ANALYZE TABLE. MariaDB's other ANALYZE takes a statement. */
export function isMaintenance(tokens: readonly Token[]): boolean {
  return ['TABLE', 'TABLES', 'LOCAL', 'NO_WRITE_TO_BINLOG'].includes(tokenAt(tokens, 1).key);
}

/**
 * EXPLAIN and DESCRIBE of a table, of a statement (a plan only), or with ANALYZE, which runs the
 * statement.
 */
export function classifyExplain(tokens: readonly Token[]): Verdict {
  if (tokenAt(tokens, 1).key === 'ANALYZE') return classifyAnalyzed(tokens, 2);
  const from = afterOptions(tokens, 1);
  if (from === null) return forbidden('EXPLAIN in a form this gate does not know.');
  if (keywordsAt(tokens, from, 'FOR', 'CONNECTION') && tokens.length === from + 3)
    return read('The plan of another session.');
  const stores = keywordsAt(tokens, from, 'INTO') && tokenAt(tokens, from + 1).kind === 'variable';
  const after = stores ? from + 2 : from;
  const schema = keywordsAt(tokens, after, 'FOR') && ['SCHEMA', 'DATABASE'].includes(tokenAt(tokens, after + 1).key);
  const start = schema ? after + 3 : after;
  const inner = classifyRunnable(tokens, start);
  const plan = inner === null ? classifyDescribe(tokens, from) : planOf(inner);
  if (plan === null) return forbidden('Only queries and DML can be explained; explain one of these.');
  return stores ? atLeast(plan, 'write', say('EXPLAIN INTO sets a session variable.')) : plan;
}

/**
 * The schema x of MySQL's EXPLAIN FOR SCHEMA x, where names without a schema are looked up.
 * @returns null if there is none.
 */
export function schemaOfPlan(tokens: readonly Token[]): string | null {
  if (!runsNothing(tokens)) return null;
  const index = tokens.findIndex(
    ({ key }, place) => key === 'FOR' && ['SCHEMA', 'DATABASE'].includes(tokenAt(tokens, place + 1).key),
  );
  const isHead =
    index > 0 && !tokens.slice(1, index).some(({ key }) => key === 'SELECT' || key === '(' || key === 'FROM');
  return isHead && isName(tokenAt(tokens, index + 2)) ? tokenAt(tokens, index + 2).text : null;
}

function planOf(inner: Verdict): Verdict {
  if (inner.class === 'forbidden') return inner;
  return read('A plan: the statement is not run.', {
    tables: inner.tables,
    ...(inner.isDml && { plansDml: true }),
  });
}

/**
 * ANALYZE of a statement runs it. It has that statement's class, but isn't DML that could be
 * previewed.
 */
export function classifyAnalyzed(tokens: readonly Token[], from: number): Verdict {
  const start = afterOptions(tokens, from);
  const inner = start === null ? null : classifyRunnable(tokens, start);
  if (inner === null) return forbidden('Only queries and DML can be analyzed; analyze one of these.');
  if (inner.class === 'read') return { ...inner, reason: 'Runs a query and shows its plan.' };
  const reason = joinReasons(say('ANALYZE runs the statement:'), inner.reason);
  return { ...inner, isDml: false, ...(inner.isDml && { runsDml: true }), isUnboundedDml: false, reason };
}

/**
 * @returns the index of the statement after EXTENDED, PARTITIONS and FORMAT=x; null for a FORMAT
 *   without a known value.
 */
function afterOptions(tokens: readonly Token[], from: number): number | null {
  let index = from;
  for (;;) {
    const { key } = tokenAt(tokens, index);
    const isOption = ['EXTENDED', 'PARTITIONS', 'VERBOSE'].includes(key) && index + 1 < tokens.length;
    if (isOption && tokenAt(tokens, index + 1).key !== '.') index++;
    else if (key === 'FORMAT' && tokenAt(tokens, index + 1).key === '=') {
      if (!/^(traditional|json|tree|default)$/i.test(tokenAt(tokens, index + 2).text)) return null;
      index += 3;
    } else return index;
  }
}
