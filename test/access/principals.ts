/** Records for tests of rules; each differs from a default only in what the test names. */

import type { Connection } from '../../daemon/access/connection.ts';
import type { Principal } from '../../daemon/access/tokens/token.ts';

export function connectionWith(changes: Partial<Connection> = {}): Connection {
  return {
    id: '6f7f6a1e-0000-4000-8000-000000000001',
    name: 'Shop',
    revision: 1,
    engine: 'sqlite',
    host: null,
    port: null,
    socketPath: null,
    filePath: '/data/shop.db',
    database: null,
    databases: 'own',
    user: null,
    tls: { mode: 'disable', caFile: null },
    password: { kind: 'none' },
    timeZone: null,
    statementTimeoutSeconds: null,
    rowLimit: null,
    writeRowLimit: null,
    colour: null,
    group: null,
    tags: [],
    externalClients: { level: 'readOnly', writeUntil: null },
    aiPolicy: 'always',
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
    ...changes,
  };
}

export function principalWith(changes: Partial<Principal> = {}): Principal {
  return {
    id: 'a-token',
    tokenId: 'a-token',
    tokenName: 'a token',
    scope: 'readOnly',
    connections: 'all',
    confirmInClient: false,
    isBridge: false,
    isBox: false,
    ...changes,
  };
}
