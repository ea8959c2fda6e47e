/**
 * Asks a catalog a question of ours: a read session, all rows, our own bounds. The text never comes
 * from a client.
 */

import type { Answer, CallContext, Database, Parameter } from './engine.ts';
import { type Cell, cellsOf } from './row-text.ts';

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
  if (outcome.kind !== 'done') return outcome;
  if (isCut || outcome.cutByWire) {
    return { kind: 'query_failed', message: 'The catalog gave an answer that is too large to be read.', code: null };
  }
  return { kind: 'done', value: rows };
}
