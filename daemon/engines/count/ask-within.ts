/** Asks a question of ours in the transaction of a rehearsal. */

import { type Answer, maxWireBytes, type Parameter, type Rehearsal } from '../engine.ts';
import { type Cell, cellsOf } from '../row-text.ts';

const limits = { cellBytes: 4 * 1024 * 1024, wireBytes: maxWireBytes };

export async function askWithin(
  rehearsal: Rehearsal,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<Answer<readonly (readonly Cell[])[]>> {
  const rows: (readonly Cell[])[] = [];
  const row = (given: Parameters<typeof cellsOf>[0]) => rows.push(cellsOf(given)) > 0;
  const outcome = await rehearsal.run({ sql, parameters, ours: true, limits }, { columns() {}, row });
  return outcome.kind === 'done' ? { kind: 'done', value: rows } : outcome;
}
