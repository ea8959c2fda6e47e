/** What must hold for a read to run: the server makes sure of it in the statement's own flight, right before it. */

import type { Provided, StatementRequest } from '../../query/database.ts';
import type { Statement } from './flight.ts';
import type { Link } from './link.ts';
import { sameProcess } from './own-session.ts';
import { openingStatements } from './session.ts';

export interface BeforeRead {
  /** The server skips what stands behind one that fails. */
  readonly statements: readonly Statement[];
  /** How many of them set the session up. The last of these may make sure of something provided as well. */
  readonly openingCount: number;
  /** Where the first stands that makes sure of something provided. */
  readonly firstProof: number;
}

const setsNothing = `SELECT ${sameProcess('$1')}`;

/** Where nothing has to be set, what must hold first is asked beside the session's process: each statement costs the server 0.03 ms. */
export function beforeRead(request: StatementRequest, link: Link): BeforeRead {
  const opening = openingStatements('read', request, link);
  const [first, ...others] = request.provided ?? [];
  const last = opening.at(-1);
  if (first === undefined || last?.sql !== setsNothing) {
    const statements = [...opening, ...(request.provided ?? []).map(certainty)];
    return { statements, openingCount: opening.length, firstProof: opening.length };
  }
  const process = sameProcess(`$${first.parameters.length + 1}`);
  const both = {
    sql: `SELECT ${process}, ${holds(first)}`,
    parameters: [...first.parameters, ...last.parameters],
    isKept: true,
  };
  const statements = [...opening.slice(0, -1), both, ...others.map(certainty)];
  return { statements, openingCount: opening.length, firstProof: opening.length - 1 };
}

function certainty(provided: Provided): Statement {
  return { sql: `SELECT ${holds(provided)}`, parameters: provided.parameters, isKept: true };
}

/** Out of range where it doesn't hold: not the error that `sameProcess` fails with. No operator, so that no search path can bend it. */
function holds({ sql }: Provided): string {
  return `pg_catalog.int4mul(2147483647, CASE WHEN COALESCE((${sql}), false) THEN 1 ELSE 2 END)`;
}
