/** Asks a server, in a transaction that only reads, for a write that it must refuse. */

import { randomUUID } from 'node:crypto';
import type { ReadWall } from '../../read-wall.ts';
import { addressOf, readOnlyTransaction } from '../failure.ts';
import type { Session } from '../session.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';

/**
 * @returns whether it refused because the transaction only reads; another answer if the session was
 *   lost.
 */
export async function isWallHeld(wall: ReadWall, session: Session): Promise<boolean | ServerAnswer> {
  const server = { address: addressOf(session.endpoint), version: session.serverVersion };
  if (session.lacksReadOnly) wall.learn(server, false);
  const known = wall.isHeld(server);
  if (known !== null) return known;
  // No database has that name, so where the wall is missing nothing is made. The wall comes before
  // names and rights.
  const answer = await session.ask(`CREATE TEMPORARY TABLE \`sallyport_${randomUUID()}\`.nothing (a INT)`);
  if (answer.kind !== 'ok' && answer.kind !== 'error') return answer;
  const isHeld = answer.kind === 'error' && answer.number === readOnlyTransaction;
  wall.learn(server, isHeld);
  return isHeld;
}
