/** Plans a fitting role on the engine of a connection, with the rights of its present one. */

import { createHash } from 'node:crypto';
import type { Connection } from '../access/connection.ts';
import type { Answer, CallContext, Database } from './engine.ts';
import { planMysqlRole } from './mysql/role.ts';
import { planPostgresRole } from './postgres/role.ts';
import type { PlannedRole, WantedRole } from './role.ts';

export async function planRole(
  connection: Connection,
  database: Database,
  context: CallContext,
  wanted: WantedRole,
): Promise<Answer<PlannedRole>> {
  switch (connection.engine) {
    case 'postgres':
      return planPostgresRole(database, context, wanted, connection.databases === 'all');
    case 'mysql': {
      // One that reaches its own database only needs rights in no other.
      const own = connection.databases === 'own' && connection.database !== null ? [connection.database] : null;
      return planMysqlRole(database, context, { ...wanted, schemas: wanted.schemas ?? own });
    }
    case 'sqlite':
      return { kind: 'unsupported', message: sqliteHasNone };
  }
}

const sqliteHasNone =
  'SQLite has no roles: the level read-only holds here, in a handle that cannot write, and so do the permissions of the file.';

/** Tells one plan from another: what was said yes to is what is done, at the place that it was said of. */
export function planDigest(
  { id, revision }: Pick<Connection, 'id' | 'revision'>,
  { steps, notes }: Pick<PlannedRole, 'steps' | 'notes'>,
): string {
  const text = JSON.stringify([id, revision, steps, notes]);
  return createHash('sha256').update(text).digest('hex');
}
