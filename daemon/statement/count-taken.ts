/**
 * Counts what a statement takes before a person is asked, and holds its run to what was shown (spec
 * §12).
 */

import { answering } from '../engines/answering.ts';
import type { ClassifiedRun } from '../engines/classified.ts';
import { type CountRequest, type Excess, excessOver, type RunGuard } from '../engines/count/count-request.ts';
import type { Taken } from '../engines/count/taken.ts';
import type { Answer } from '../engines/engine.ts';
import type { Call } from './call.ts';
import type { RunPorts } from './run-statement.ts';

type CountPorts = Pick<RunPorts, 'classifier' | 'elapsed'>;

/**
 * @param how `opened`: the trial uses up no numbers that new rows get, since nobody has confirmed
 *   anything yet.
 * @returns a failure if the statement itself fails: then there is nothing to ask.
 */
export function countTaken(
  ports: CountPorts,
  call: Call,
  classified: ClassifiedRun,
  asked: 'tried' | 'opened',
): Promise<Answer<Taken>> {
  return answering(() => call.database.count(countingOf(ports, call, classified, asked)));
}

/** A run that is rolled back if it takes more than was shown; `excess` then tells what. */
export async function guardedRun(
  ports: CountPorts,
  call: Call,
  classified: ClassifiedRun,
  shown: Taken,
): Promise<Answer<RunGuard & { readonly excess: Excess }>> {
  const excess = excessOver(shown);
  const counting = countingOf(ports, call, classified, 'tried');
  return answering(async () => ({ ...(await call.database.holdRun(counting, shown, excess)), excess }));
}

export function countingOf(
  { classifier, elapsed }: CountPorts,
  { resolved, context, limits, sql, parameters }: Call,
  classified: ClassifiedRun,
  asked: Parameters<typeof countTaken>[3],
): CountRequest {
  const { connection } = resolved;
  return {
    classifier,
    context,
    sql,
    parameters,
    classified,
    elapsed,
    sparesNumbers: asked === 'opened',
    mostChanged: connection.writeRowLimit ?? limits.writeRows,
  };
}
