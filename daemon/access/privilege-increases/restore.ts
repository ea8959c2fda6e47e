/**
 * Restoring a removed connection, as a privilege increase (spec §11): as it was, with the place
 * that it leads to.
 */

import type { RestorableConnection } from '../removed-connections.ts';
import { levelFact, policyWords } from './client-use.ts';
import { tunnelFacts } from './credentials.ts';
import { placeFacts } from './place.ts';
import { fact, instantWords, linesFact, type PrivilegeIncrease, quoted } from './words.ts';

export function restoreIncrease(
  { connection, removedAt }: RestorableConnection,
  nowMilliseconds: number,
): PrivilegeIncrease {
  const { name, password, aiPolicy } = connection;
  return {
    phrase: `brings back ${quoted(name)}, which was removed`,
    facts: [
      fact('Connection', name),
      fact('Removed', instantWords(new Date(removedAt).toISOString())),
      fact('Clients may', levelFact(connection, nowMilliseconds)),
      fact('AI policy', policyWords[aiPolicy]),
      ...(password.kind === 'command' ? [linesFact('Password command', password.command)] : []),
      ...tunnelFacts(connection),
      ...placeFacts(connection, connection, false),
    ],
  };
}
