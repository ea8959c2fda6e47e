/**
 * What is forbidden anywhere in a statement: files, programs, other hosts and password catalogs.
 * Looks at names and clauses, not at the kind of statement that holds them.
 */

import type { FunctionCall } from './calls.ts';
import { whatCallDoes } from './functions.ts';
import { secretOf } from './system-tables.ts';
import { isName, type Token, tokenAt } from './tokens.ts';
import { english, forbidden, type Verdict } from './verdict.ts';

/** Variables that a SET_VAR hint must not change: they limit a statement or guard the data. */
const guardedVariables =
  /\b(max_execution_time|foreign_key_checks|unique_checks|sql_safe_updates|sql_mode|sql_log_bin|transaction_\w+|tx_\w+)\b/i;

/**
 * @param written the tokens with hints; `tokens` has none.
 * @returns the first thing in the text that no access token allows, or null.
 */
export function forbiddenReach(
  written: readonly Token[],
  tokens: readonly Token[],
  calls: readonly FunctionCall[],
): Verdict | null {
  for (const { name, danger } of calls) {
    if (danger?.class === 'forbidden') return forbidden(english(whatCallDoes(name, danger)));
  }
  const hint = written.find(
    ({ kind, text }) => kind === 'hint' && /\bset_var\b/i.test(text) && guardedVariables.test(text),
  );
  if (hint !== undefined)
    return forbidden('A SET_VAR hint changes a variable that bounds the statement or guards the data.');
  for (let index = 0; index < tokens.length; index++) {
    const found = reachAt(tokens, index);
    if (found !== null) return forbidden(found);
  }
  return null;
}

function reachAt(tokens: readonly Token[], index: number): string | null {
  const token = tokenAt(tokens, index);
  if (token.key === 'INTO' && ['OUTFILE', 'DUMPFILE'].includes(tokenAt(tokens, index + 1).key)) {
    return `INTO ${tokenAt(tokens, index + 1).key} writes a file of the server.`;
  }
  if (token.key === 'LOAD' && ['DATA', 'XML'].includes(tokenAt(tokens, index + 1).key))
    return 'LOAD DATA reads a file.';
  // Anywhere in the text: the grammars of MariaDB and MySQL have more places for a table than
  // `touchedTables` needs to know.
  const table = tokenAt(tokens, index + 2);
  if (!isName(token) || tokenAt(tokens, index + 1).key !== '.' || !isName(table)) return null;
  return secretOf({ schema: token.text, name: table.text });
}
