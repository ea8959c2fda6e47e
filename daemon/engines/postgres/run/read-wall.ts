/**
 * Asks a server, in a transaction that only reads, for a write that it must refuse: in the first
 * read's own round trip, and if it knows no PL/pgSQL in one of its own.
 */

import { randomUUID } from 'node:crypto';
import { readOnlyTransaction } from '../failure.ts';
import type { RoundTripReady, Session } from '../session.ts';
import type { Statement } from '../wire/round-trip.ts';

const beginRead: Statement = { sql: 'BEGIN TRANSACTION READ ONLY', parameters: [] };
const rollback: Statement = { sql: 'ROLLBACK', parameters: [] };

/** PostgreSQL leaves classes that begin with S to nobody but `SQL` statements' own states. */
const wallIsMissing = 'SPW01';

/** A table that only this session would see, until the end of the transaction. */
const makeTable = () => `CREATE TEMPORARY TABLE "sallyport_${randomUUID()}" ()`;

/** Stands second in the read's round trip, behind BEGIN. Succeeds if the server refused. */
export function wallQuestion(): Statement {
  const sql = `DO $wall$ BEGIN
  BEGIN ${makeTable()}; EXCEPTION WHEN read_only_sql_transaction THEN RETURN; END;
  RAISE EXCEPTION 'it writes' USING ERRCODE = '${wallIsMissing}';
END $wall$`;
  return { sql, parameters: [] };
}

/** @returns null if it could not be asked so. */
export function wallAnswer({ tags, error }: RoundTripReady): boolean | null {
  if (tags.length > 1) return true;
  return error?.code === wallIsMissing ? false : null;
}

/** @returns null if the session was lost. */
export async function askWall(session: Session): Promise<boolean | null> {
  await session.roundTrip([rollback]);
  const end = await session.roundTrip([beginRead, { sql: makeTable(), parameters: [] }]);
  if (end.kind !== 'ready' || session.ended) return null;
  return end.tags.length === 1 && end.error?.code === readOnlyTransaction;
}
