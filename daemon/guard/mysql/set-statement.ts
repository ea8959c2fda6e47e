/**
 * Classifies MariaDB's `SET STATEMENT … FOR`. Only a query with a time limit of its own is allowed,
 * within what a call may take. Any other variable may change what the statement means or what
 * guards it. Any other statement is refused, as nothing here looks behind the FOR.
 */

import { classifyRunnable } from './runnable.ts';
import { keywordsAt, type Token, tokenAt } from './tokens.ts';
import { forbidden, type Verdict } from './verdict.ts';

/**
 * No call may take longer (`query.maxSeconds`), and the server must stop a statement that nobody
 * waits for any more.
 */
const mostSeconds = 300;

const queryAt = 6;

export function classifySetStatement(tokens: readonly Token[]): Verdict {
  const { kind, text } = tokenAt(tokens, 4);
  const seconds = kind === 'number' && /^\d{1,3}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  const isLimit = keywordsAt(tokens, 2, 'MAX_STATEMENT_TIME', '=') && tokenAt(tokens, queryAt - 1).key === 'FOR';
  if (!isLimit || seconds <= 0 || seconds > mostSeconds)
    return forbidden(
      `SET STATEMENT takes max_statement_time alone here, up to ${mostSeconds} seconds: SET STATEMENT max_statement_time = 5 FOR SELECT …`,
    );
  const inner = classifyRunnable(tokens, queryAt);
  return inner?.class === 'read' ? inner : forbidden('SET STATEMENT … FOR takes a query that only reads here.');
}
