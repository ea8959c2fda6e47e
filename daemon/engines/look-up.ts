/**
 * Asks a catalog a question of ours: a read session, all rows, our own bounds. The text never comes
 * from a client.
 */

import type { Answer, CallContext, Database, DatabaseFailure, Parameter } from './engine.ts';
import { type Cell, cellsOf } from './row-text.ts';

/**
 * Errors of a server that is almost PostgreSQL or MySQL: it doesn't know the words, or can't do it
 * (PostgreSQL's classes, MySQL's numbers).
 */
const lacking = /^(?:(?:0A|42|XX)\w{3}|1054|1064|1105|1109|1146|1193|1235|1305)$/;

function isLacking({ code }: Extract<DatabaseFailure, { kind: 'query_failed' }>): boolean {
  return lacking.test(code ?? '');
}

/** Whoever reads the error would look for the fault in the statement. */
export function atStep<Outcome extends { readonly kind: string }>(
  step: 'set_up' | 'look_up',
  outcome: Outcome | DatabaseFailure,
): Outcome | DatabaseFailure {
  return 'code' in outcome && outcome.kind === 'query_failed' && isLacking(outcome) ? { step, ...outcome } : outcome;
}

const limits = { cellBytes: 4 * 1024 * 1024, wireBytes: 8 * 1024 * 1024 };

/** @returns the rows; `query_failed` if the answer is larger than any catalog's should be. */
export async function lookUp(
  database: Database,
  context: CallContext,
  sql: string,
  parameters: readonly Parameter[],
): Promise<Answer<readonly (readonly Cell[])[]>> {
  const rows: (readonly Cell[])[] = [];
  let isCut = false;
  const outcome = await database.run(
    { ...context, sql, parameters, session: 'read', limits, isOurs: true, isStateless: true },
    {
      columns: () => {},
      row(row) {
        isCut ||= row.cuts.length > 0;
        rows.push(cellsOf(row));
        return true;
      },
    },
  );
  if (outcome.kind !== 'done') return atStep('look_up', outcome);
  if (isCut || outcome.cutByWire) {
    return { kind: 'query_failed', message: 'The catalog gave an answer that is too large to be read.', code: null };
  }
  return { kind: 'done', value: rows };
}
