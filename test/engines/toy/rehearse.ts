/** Runs statements on a copy of the tables and keeps none of their changes. */

import type { Answer, Rehearsal, RowCounts } from '../../../daemon/engines/engine.ts';
import { run } from './run.ts';
import { copyOf, type Session } from './session.ts';

export async function rehearse<T>(
  dialled: Answer<Session>,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<Answer<T>> {
  if (dialled.kind !== 'done') return dialled;
  const copy: Answer<Session> = { kind: 'done', value: copyOf(dialled.value) };
  let changes: RowCounts = { tables: [], uncounted: 'nothing was run' };
  const value = await work({
    run: ({ sql, parameters, ours }, sink) =>
      run(copy, { sql, parameters, session: 'rollback' }, sink, made => {
        if (!ours) changes = made;
      }),
    rowCounts: async () => ({ kind: 'done', value: changes }),
  });
  return { kind: 'done', value };
}
