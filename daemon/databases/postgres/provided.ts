/** What must hold for a statement to run: the server makes sure of it in the statement's own flight, right before it. */

import type { Provided } from '../../query/database.ts';
import type { Statement } from './flight.ts';

/** An error where it doesn't hold, after which the server skips what stands behind. No operator, so that no search path can bend it. */
export function certainty({ sql, parameters }: Provided): Statement {
  const holds = `CAST(COALESCE((${sql}), false) AS pg_catalog.int4)`;
  return { sql: `SELECT pg_catalog.int4div(1, ${holds})`, parameters, isKept: true };
}
