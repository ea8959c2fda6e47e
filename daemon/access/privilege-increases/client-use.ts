/**
 * How much a connection's level and AI policy let clients do: compared, and in the words of a
 * confirmation.
 */

import { type AiPolicy, aiPolicies, type Connection, externalClientsLevels } from '../connection.ts';
import { levelNow } from '../effective-access.ts';
import { instantWords } from './increase-words.ts';

export function levelRank(connection: Connection, nowMilliseconds: number): number {
  return externalClientsLevels.indexOf(levelNow(connection, nowMilliseconds));
}

/** From `never` to `always`. */
export function policyRank(policy: AiPolicy): number {
  return aiPolicies.length - aiPolicies.indexOf(policy);
}

/** True if `a` allows clients something that `b` doesn't. */
export function lendsMore(a: Connection, b: Connection, nowMilliseconds: number): boolean {
  if (a.aiPolicy === 'never' || levelNow(a, nowMilliseconds) === 'blocked') return false;
  return (
    levelRank(a, nowMilliseconds) > levelRank(b, nowMilliseconds) || policyRank(a.aiPolicy) > policyRank(b.aiPolicy)
  );
}

export function levelFact(connection: Connection, nowMilliseconds: number): string {
  const level = levelNow(connection, nowMilliseconds);
  const { writeUntil } = connection.externalClients;
  if (level !== 'readWrite') return level === 'blocked' ? 'nothing' : 'read';
  const until = writeUntil === null ? 'you end it' : instantWords(writeUntil);
  return `read and write, until ${until}`;
}

export const policyWords = { always: 'always', askEachTime: 'ask each time', never: 'never' } as const;
