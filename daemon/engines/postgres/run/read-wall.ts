/**
 * Asks a server, in a transaction that only reads, for a write that it must refuse: in the first
 * read's own round trip, and if it knows no PL/pgSQL in one of its own.
 */

import { randomUUID } from 'node:crypto';
import { readOnlyTransaction } from '../failure.ts';
import type { RoundTripEnd, RoundTripReady, Session } from '../session.ts';
import { plainRollback, type Statement } from '../wire/round-trip.ts';

const beginRead: Statement = { sql: 'BEGIN TRANSACTION READ ONLY', parameters: [] };

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

/** @returns null if the server did not say. */
export function wallAnswer({ tags, error }: RoundTripReady): boolean | null {
  if (tags.length > 1) return true;
  return error?.code === wallIsMissing ? false : null;
}

/** One round trip, after the read's own. */
export function askWall(session: Session): Promise<RoundTripEnd> {
  return session.roundTrip([plainRollback, beginRead, { sql: makeTable(), parameters: [] }]);
}

/**
 * Classes of errors of a server that knows no READ ONLY, or looked at the table's names and rights,
 * so it would have made it: feature_not_supported, syntax_error_or_access_rule_violation. Any other
 * (out of memory, out of time) says nothing about the wall.
 */
const wouldWrite: ReadonlySet<string> = new Set(['0A', '42']);

/** @returns the server's words if it did not begin what only reads. */
export function refusalOfReadOnly({ tags, error }: RoundTripReady): string | null {
  return tags.length > 1 || error === null ? null : `${error.message} (${error.code})`;
}

/** @returns null if the server did not say: its error is about something else. */
export function askedWall({ tags, error }: RoundTripReady): boolean | null {
  if (tags.length === 2 && error?.code === readOnlyTransaction) return true;
  return error === null || wouldWrite.has(`${error.code}`.slice(0, 2)) ? false : null;
}
