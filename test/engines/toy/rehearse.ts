/** Runs statements on a copy of the tables and keeps none of their changes. */

import type { Answer, Changes, Rehearsal } from '../../../daemon/engines/engine.ts';
import { copyOf, type Link } from './link.ts';
import { run } from './run.ts';

export async function rehearse<T>(
  dialled: Answer<Link>,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<Answer<T>> {
  if (dialled.kind !== 'done') return dialled;
  const copy: Answer<Link> = { kind: 'done', value: copyOf(dialled.value) };
  let changes: Changes = { tables: [], uncounted: 'nothing was run' };
  const value = await work({
    run: ({ sql, parameters, ours }, sink) =>
      run(copy, { sql, parameters, session: 'rollback' }, sink, made => {
        if (!ours) changes = made;
      }),
    changes: async () => ({ kind: 'done', value: changes }),
  });
  return { kind: 'done', value };
}
