/** What a statement takes: a trial tells it, and the run may change no more rows than that. */

import { valueOrThrow } from '../../../daemon/engines/answering.ts';
import {
  type CountRequest,
  changesAreShown,
  type Excess,
  namedIn,
  type RunGuard,
} from '../../../daemon/engines/count/count-request.ts';
import { notCounted, type Taken, takenByChanges } from '../../../daemon/engines/count/taken.ts';
import { tryOut } from '../../../daemon/engines/count/trial.ts';
import type { WithDatabase } from '../../../daemon/engines/engine.ts';

export async function count(counting: WithDatabase<CountRequest>): Promise<Taken> {
  const trial = valueOrThrow(await tryOut(counting.database, counting.context, counting));
  return trial.kind === 'counted' ? takenByChanges(trial.changes, namedIn(counting)) : notCounted(trial.why);
}

export async function holdRun(counting: CountRequest, _shown: Taken, excess: Excess): Promise<RunGuard> {
  return { mayCommit: changesAreShown(counting, excess) };
}
