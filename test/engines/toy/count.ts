/** What a statement takes: a trial tells it, and the run may change no more rows than that. */

import { answered } from '../../../daemon/engines/answering.ts';
import {
  type Counting,
  changesAreShown,
  type Excess,
  namedIn,
  type RunGuard,
} from '../../../daemon/engines/count/counting.ts';
import { notCounted, type Taken, takenByChanges } from '../../../daemon/engines/count/taken.ts';
import { tryOut } from '../../../daemon/engines/count/trial.ts';
import type { On } from '../../../daemon/engines/engine.ts';

export async function count(counting: On<Counting>): Promise<Taken> {
  const trial = answered(await tryOut(counting.database, counting.context, counting));
  return trial.kind === 'counted' ? takenByChanges(trial.changes, namedIn(counting)) : notCounted(trial.why);
}

export async function holdRun(counting: Counting, _shown: Taken, excess: Excess): Promise<RunGuard> {
  return { mayCommit: changesAreShown(counting, excess) };
}
