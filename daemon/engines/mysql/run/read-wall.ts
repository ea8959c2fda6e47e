/** Asks a server, in a transaction that only reads, for a write that it must refuse. */

import { randomUUID } from 'node:crypto';
import type { ReadWall } from '../../read-wall.ts';
import { addressOf, readOnlyTransaction } from '../failure.ts';
import type { Session } from '../session.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';

/**
 * Only a server that would have made the table looks so far: at rights (1044, 1142), the database
 * (1046, 1049), the words (1064) or what it knows (1235). Any other error (out of memory, out of
 * time, a node outside its cluster) says nothing about the wall.
 */
const wouldWrite: ReadonlySet<number> = new Set([1044, 1046, 1049, 1064, 1142, 1235]);

/**
 * @returns whether it refused because the transaction only reads; the server's answer if it did not
 *   say, or the session was lost.
 */
export async function isWallHeld(wall: ReadWall, session: Session): Promise<boolean | ServerAnswer> {
  const server = { address: addressOf(session.endpoint), version: session.serverVersion };
  if (session.readOnlyRefused !== null) wall.learn(server, false, session.readOnlyRefused);
  const known = wall.isHeld(server);
  // A transaction that isn't confirmed to read only may be another than the one that was asked.
  if (known === false || (known === true && !session.hidesReadOnly)) return known;
  // No database has that name, so where the wall is missing nothing is made. The wall comes before
  // names and rights.
  const answer = await session.ask(`CREATE TEMPORARY TABLE \`sallyport_${randomUUID()}\`.nothing (a INT)`);
  if (answer.kind !== 'ok' && answer.kind !== 'error') return answer;
  const isHeld = answer.kind === 'error' && answer.number === readOnlyTransaction;
  if (answer.kind === 'error' && !isHeld && !wouldWrite.has(answer.number))
    return wall.refusal(false) === null ? false : answer;
  wall.learn(server, isHeld);
  return isHeld;
}
