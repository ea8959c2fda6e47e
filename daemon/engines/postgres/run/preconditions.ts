/**
 * What must hold for a read to run: the server checks it in the statement's own round trip, right
 * before it.
 */

import type { Precondition, StatementRequest } from '../../engine.ts';
import type { Session } from '../session.ts';
import type { Statement } from '../wire/round-trip.ts';
import { sameProcess } from './own-session.ts';
import { wallQuestion } from './read-wall.ts';
import { openingStatements } from './session-setup.ts';

export interface BeforeRead {
  /** If one fails, the server skips everything behind it. */
  readonly statements: readonly Statement[];
  /** How many of them set the session up. The last may check a precondition as well. */
  readonly openingCount: number;
  /** Place of the first statement that checks a precondition. */
  readonly firstProof: number;
}

/**
 * PostgreSQL takes questions to a large catalog for expensive ones: compiling them took ten times
 * as long as running them.
 */
const uncompiled: Statement = { sql: 'SET LOCAL jit = off', parameters: [], isKept: true };
/** The statement itself runs with the JIT setting of server, database or role. */
const compiledAgain: Statement = { sql: 'SET LOCAL jit TO DEFAULT', parameters: [], isKept: true };

const setsNothing = `SELECT ${sameProcess('$1')}`;

/**
 * @param asksWall true to ask for a write first, which must fail (read-wall.ts).
 */
export function beforeRead(request: StatementRequest, session: Session, asksWall: boolean): BeforeRead {
  const before = provided(request, session);
  if (!asksWall) return before;
  const { statements, openingCount, firstProof } = before;
  return {
    statements: [...statements.slice(0, 1), wallQuestion(), ...statements.slice(1)],
    openingCount: openingCount + 1,
    firstProof: firstProof + 1,
  };
}

/**
 * If nothing has to be set, preconditions are checked together with the session's process: each
 * statement costs the server 0.03 ms.
 */
function provided(request: StatementRequest, session: Session): BeforeRead {
  const [begin, ...settings] = openingStatements('read', request, session);
  const [first, ...others] = request.preconditions ?? [];
  if (begin === undefined || first === undefined) {
    const statements = begin === undefined ? settings : [begin, ...settings];
    return { statements, openingCount: statements.length, firstProof: statements.length };
  }
  const opening = [begin, uncompiled, ...settings];
  const last = opening.at(-1);
  if (last?.sql !== setsNothing) {
    const statements = [...opening, certainty(first), ...others.map(certainty), compiledAgain];
    return { statements, openingCount: opening.length, firstProof: opening.length };
  }
  const process = sameProcess(`$${first.parameters.length + 1}`);
  const both = {
    sql: `SELECT ${process}, ${holds(first)}`,
    parameters: [...first.parameters, ...last.parameters],
    isKept: true,
  };
  const statements = [...opening.slice(0, -1), both, ...others.map(certainty), compiledAgain];
  return { statements, openingCount: opening.length, firstProof: opening.length - 1 };
}

function certainty(preconditions: Precondition): Statement {
  return { sql: `SELECT ${holds(preconditions)}`, parameters: preconditions.parameters, isKept: true };
}

/**
 * Fails with "out of range", which `sameProcess` never does. Without operators, so no search path
 * can bend it.
 */
function holds({ sql }: Precondition): string {
  return `pg_catalog.int4mul(2147483647, CASE WHEN COALESCE((${sql}), false) THEN 1 ELSE 2 END)`;
}
