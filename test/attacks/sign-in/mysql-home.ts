/** One connection to a MySQL server, and what its home keeps of that server. */

import type { Connection } from '../../../daemon/access/connection.ts';
import { addressesOf, openKnownServers } from '../../../daemon/access/known-servers.ts';
import type { KnownServer, SignInStep } from '../../../daemon/access/server-identity.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { identityOf } from '../../../daemon/engines/server-identity.ts';
import { connectionWith } from '../../access/principals.ts';
import { collect } from '../../engines/collecting-sink.ts';

export const secret = 'the-password-of-the-victim';
/** In every statement that a session sends. */
export const statement = 'select 41 + 1';

export interface Home {
  /** As a client's call does. @returns the answer's only cell, or why there is none. */
  client(): Promise<string>;
  /** As `connections test` does: what is shown for the first time is kept. */
  person(): Promise<string>;
  /** As if the server had shown this while a person looked. */
  remembers(step: Partial<SignInStep>): Promise<void>;
  known(): readonly KnownServer[];
  /** As `connections trust` does before its test. */
  forgets(): Promise<void>;
}

export async function homeWith(place: Partial<Connection>, password = secret): Promise<Home> {
  const connection = connectionWith({
    engine: 'mysql',
    filePath: null,
    host: '127.0.0.1',
    user: 'root',
    databases: 'all',
    password: { kind: 'stored' },
    ...place,
  });
  const servers = await openKnownServers(
    { load: async () => new Map(), keep: async () => {}, forget: async () => {} },
    { now: Date.now },
  );
  const ask = async (): Promise<string> => {
    const identity = identityOf(connection, address => servers.at(connection, address));
    const database = openMysql(connection, { password: async () => password, identity, now: () => performance.now() });
    try {
      const { outcome, rows } = await collect(database, statement, { timeoutSeconds: 5 });
      if (outcome.kind === 'done') return String(rows[0]?.[0]);
      return 'message' in outcome ? outcome.message : outcome.kind;
    } finally {
      await database.close();
    }
  };
  return {
    client: ask,
    person: () => servers.whilePinning(connection.id, ask),
    remembers: step =>
      servers.whilePinning(connection.id, async () => {
        const whole = { line: 'clear', method: 'guessable', key: null, socketOwner: null, ...step } as const;
        const refused = await servers.at(connection, addressesOf(connection)[0] ?? '').signedIn(whole, null);
        if (refused !== null) throw new Error(`refused: ${refused}`);
      }),
    known: () => servers.of(connection),
    forgets: () => servers.forget(connection),
  };
}
