/** Words that a schema or database doesn't exist: an empty list would look like an empty one. */

import type { CallContext, Database, DatabaseFailure } from '../../../engines/engine.ts';
import { nearestOrAll } from '../../../engines/nearest-names.ts';
import { type Refusal, toolError } from '../../../refusal.ts';
import { type Named, refusalOf } from '../../../statement/failure-refusals.ts';

/**
 * Why a connection's places were not listed: names the nearest if the given database doesn't exist.
 */
export async function placesRefusal(
  failure: DatabaseFailure,
  database: Database,
  context: CallContext,
  connection: Named,
): Promise<Refusal> {
  if (failure.kind === 'query_failed' && context.database !== null) {
    const own = await database.listSchemas({ ...context, database: null, schema: null });
    if (own.kind === 'done' && own.value.databases.length > 0 && !own.value.databases.includes(context.database)) {
      return toolError('query_failed', unknownPlace('database', context.database, own.value.databases));
    }
  }
  return refusalOf(failure, connection);
}

export function unknownPlace(noun: string, asked: string, known: readonly string[]): string {
  return [`There is no ${noun} "${asked}".`, nearestOrAll(known, asked)].filter(Boolean).join(' ');
}
