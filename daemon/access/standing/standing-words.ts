/** Words for what a connection or token allows, for people. No program reads them. */

import type { Connection } from '../connection.ts';
import type { TokenRecord } from '../tokens/token.ts';

const levelWords = {
  blocked: 'clients see nothing of it',
  readOnly: 'clients may only read',
  readWrite: 'clients may read and write',
} as const;

export function connectionWords({ externalClients, aiPolicy }: Connection): string {
  const { level, writeUntil } = externalClients;
  const end = level === 'readWrite' && writeUntil !== null ? ` until ${writeUntil}` : '';
  return `${levelWords[level]}${end}, AI policy ${aiPolicy}`;
}

export function tokenWords({ scope, connections, confirmInClient, expiresAt }: TokenRecord): string {
  const reach = connections === 'all' ? connections : connections.length;
  const end = expiresAt === null ? 'never expires' : `until ${expiresAt}`;
  const answers = confirmInClient ? ', may answer through its client' : '';
  return `${scope}${answers}, connections: ${reach}, ${end}`;
}
