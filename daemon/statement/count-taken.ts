/** Counts what a statement takes before somebody is asked about it, and holds its run to what was shown (spec §12). */

import { answered, answering } from '../engines/answering.ts';
import type { ClassifiedRun } from '../engines/classified.ts';
import { type Counting, changesAreShown, type Excess, excessOver, type RunGuard } from '../engines/count/counting.ts';
import type { Taken } from '../engines/count/taken.ts';
import type { Answer } from '../engines/engine.ts';
import { guardOnMysql } from '../engines/mysql/count/held-run.ts';
import { takenOnMysql } from '../engines/mysql/count.ts';
import { guardOnPostgres } from '../engines/postgres/count/held-run.ts';
import { takenOnPostgres } from '../engines/postgres/count.ts';
import { takenOnSqlite } from '../engines/sqlite/count.ts';
import type { Call } from './call.ts';
import type { RunPorts } from './run.ts';

type CountPorts = Pick<RunPorts, 'classifier' | 'elapsed'>;

/**
 * @param how `opened`: with a trial that uses up no number that new rows get, since nobody has confirmed anything yet.
 * @returns a failure where the statement itself fails, so that there is nothing to ask about.
 */
export function countTaken(
  ports: CountPorts,
  call: Call,
  classified: ClassifiedRun,
  how: 'tried' | 'opened',
): Promise<Answer<Taken>> {
  const counting = countingOf(ports, call, classified, how);
  return answering(async () => {
    switch (counting.database.engine) {
      case 'postgres':
        return takenOnPostgres(counting);
      case 'sqlite':
        return takenOnSqlite(counting);
      case 'mysql':
        return takenOnMysql(counting);
    }
  });
}

/** A run that is rolled back where it takes more than was shown; `excess` then tells what. */
export async function guardedRun(
  ports: CountPorts,
  call: Call,
  classified: ClassifiedRun,
  shown: Taken,
): Promise<Answer<RunGuard & { readonly excess: Excess }>> {
  const counting = countingOf(ports, call, classified, 'tried');
  const excess = excessOver(shown);
  return answering(async () => {
    switch (counting.database.engine) {
      case 'postgres': {
        const taking = answered(await ports.classifier.ask(counting.context, 'postgresTaking', call.sql));
        return { ...guardOnPostgres(counting, taking, shown, excess), excess };
      }
      case 'sqlite':
        return { mayCommit: changesAreShown(counting, excess), excess };
      case 'mysql':
        return { ...(await guardOnMysql(counting, shown, excess)), excess };
    }
  });
}

function countingOf(
  { classifier, elapsed }: CountPorts,
  { reached, database, context, limits, sql, parameters }: Call,
  classified: ClassifiedRun,
  how: Parameters<typeof countTaken>[3],
): Counting {
  const { connection } = reached;
  return {
    classifier,
    database,
    context,
    ownDatabase: connection.database,
    sql,
    parameters,
    classified,
    elapsed,
    sparesNumbers: how === 'opened',
    mostChanged: connection.writeRowLimit ?? limits.writeRows,
  };
}
