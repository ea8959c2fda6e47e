/**
 * Keeps one opened Database per connection and revision, so a changed endpoint or password gets a
 * new pool.
 */

import type { Connection } from '../access/connection.ts';
import type { SecretOf } from '../access/secret-store.ts';
import type { Database } from '../engines/engine.ts';

export interface OpenDatabases {
  /** Opens nothing on the wire; the first call dials. */
  of(connection: Connection): Database;
  /** Ends the sessions of a connection that changed or is gone. */
  forget(connectionId: string): Promise<void>;
  close(): Promise<void>;
}

export interface KeptDatabases extends OpenDatabases {
  /** Whether its server was found to take writes in what only reads; opens nothing. */
  lacksReadWall(connection: Connection): boolean;
  /**
   * A separate one, with a password that is not stored yet. The caller closes it.
   * @param secretOf gives its other secrets if they are not the stored ones.
   */
  tryOut(connection: Connection, password: string | undefined, secretOf?: SecretOf): Database;
}

export function keepOpenDatabases(
  open: (connection: Connection, password?: string, secretOf?: SecretOf) => Database,
): KeptDatabases {
  const opened = new Map<string, { revision: number; database: Database }>();

  async function forget(connectionId: string): Promise<void> {
    const known = opened.get(connectionId);
    opened.delete(connectionId);
    await known?.database.close();
  }

  return {
    of(connection) {
      const known = opened.get(connection.id);
      if (known?.revision === connection.revision) return known.database;
      const database = open(connection);
      opened.set(connection.id, { revision: connection.revision, database });
      void known?.database.close();
      return database;
    },
    lacksReadWall({ id, revision }) {
      const known = opened.get(id);
      return known?.revision === revision && known.database.lacksReadWall?.() === true;
    },
    tryOut: open,
    forget,
    async close() {
      await Promise.all([...opened.keys()].map(forget));
    },
  };
}
