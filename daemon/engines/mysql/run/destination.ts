/**
 * The database that a call runs in. In MySQL a schema is a database, so both arguments name one.
 */

import type { Endpoint } from '../../../access/connection.ts';
import type { CallClock } from '../../call-clock.ts';
import type { Answer, CallContext } from '../../engine.ts';

export interface Destination {
  /** Shown to the DBA as the connection attribute `program_name`. */
  readonly client: string;
  readonly database: string | null;
  /** Of the call. */
  readonly clock?: CallClock | undefined;
}

export function destinationOf(endpoint: Endpoint, context: CallContext): Answer<Destination> {
  const { database, schema, client } = context;
  if (database !== null && schema !== null && database !== schema) {
    const message = `In MySQL a schema is a database: name one, not both "${database}" and "${schema}".`;
    return { kind: 'unsupported', message };
  }
  const wanted = database ?? schema ?? endpoint.database;
  if (endpoint.databases === 'own' && wanted !== endpoint.database) {
    const own = endpoint.database === null ? 'no database of its own' : `the database "${endpoint.database}" only`;
    return { kind: 'unsupported', message: `This connection is for ${own}, so "${wanted}" cannot be named here.` };
  }
  return { kind: 'done', value: { client, database: wanted === '' ? null : wanted } };
}
