/**
 * Sets up each kind of session before a statement and restores it afterwards. It runs no statement
 * of a user.
 */

import { serverSeconds } from '../../call-clock.ts';
import type {
  CallContext,
  DatabaseFailure,
  Parameter,
  RehearsalContext,
  SessionKind,
  StatementRequest,
} from '../../engine.ts';
import { addressOf } from '../dial.ts';
import { connectionLost, queryCanceled } from '../failure.ts';
import type { Pool } from '../pool.ts';
import type { RoundTripEnd, RoundTripReady, Session } from '../session.ts';
import { limits } from '../wire/bounds.ts';
import type { Statement } from '../wire/round-trip.ts';
import { cancel, cancelAndDestroy } from './cancel.ts';
import { sameProcess } from './own-session.ts';
import { isReader, readerRoleCall } from './reader-role.ts';
import { settingsFor } from './settings.ts';
import { isShort, limitsFor, lowerLimits } from './time-limits.ts';

/**
 * How much is still read, once the sink has enough, to keep the session. If more comes, the
 * statement is stopped.
 */
const drainBytes = 512 * 1024;
const drainMilliseconds = 250;
/** Time for a ROLLBACK that a client waits for: there is nothing for the server to undo. */
const takeBackMilliseconds = 3_000;

/**
 * How each kind's transaction begins. A read names its mode, because a role's default may be
 * either. A write takes the role's default, which may be read only on purpose.
 */
const beginnings: Readonly<Record<SessionKind, string | null>> = {
  read: 'BEGIN TRANSACTION READ ONLY',
  write: 'BEGIN',
  // With one snapshot a rehearsal sees the same row before and after its statement.
  rollback: 'BEGIN ISOLATION LEVEL REPEATABLE READ',
  alone: null,
};

/** A role's default may make reads wait for others' serializable writes; our questions don't. */
const beginningOfOurs = 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY';

/**
 * BEGIN and the settings, for one round trip with the statement or alone. If one fails, the server
 * skips everything up to the Sync, so no statement can run outside its transaction. The settings'
 * query takes the snapshot, after which SET TRANSACTION READ WRITE is refused. Everything ends with
 * the transaction, so a pooler may hand the session to anybody. In a session of our own it sets
 * only what differs from the start-up packet, and checks that the packet's settings are there.
 * Values are bound; every name is qualified, because a role's search_path may hold anything.
 */
export function openingStatements(
  kind: SessionKind,
  context: CallContext &
    Pick<StatementRequest, 'mayRunAsReader' | 'isOurs' | 'definition'> &
    Pick<RehearsalContext, 'givesWay'>,
  session: Pick<Session, 'own' | 'serverEncoding' | 'isSuperuser' | 'timeZone' | 'limits'>,
): readonly Statement[] {
  const { own, serverEncoding } = session;
  // What is set outside a transaction would stay in a pooler's session, for others.
  if (own === null && kind === 'alone') return [{ sql: 'SELECT 1', parameters: [] }];
  const wanted = isDialledFor(context, own) ? [] : missingSettings(context, session);
  const { lock } = lowerLimits(limitsFor(kind, context), session.limits);
  if (isShort(kind, context)) wanted.push(['lock_timeout', `${lock}`]);
  // Behind a pooler nobody can tell who waits.
  if (context.givesWay === true && own === null) wanted.push(['statement_timeout', `${lock}`]);
  // Our questions read little, but PostgreSQL takes them for expensive ones on a large catalog:
  // compiling them took ten times as long as running them.
  if (context.isOurs === true) wanted.push(['jit', 'off']);
  // SQL_ASCII can't be converted, and bytes that aren't UTF-8 would be refused.
  if (serverEncoding === 'SQL_ASCII') wanted.push(['client_encoding', 'SQL_ASCII']);
  const local = kind === 'alone' ? 'false' : 'true';
  const values: Parameter[] = [];
  const bound = (value: Parameter) => `$${values.push(value)}`;
  const calls = own === null ? [] : [sameProcess(bound(own.process))];
  for (const [name, value] of wanted) calls.push(`pg_catalog.set_config('${name}', ${bound(value)}, ${local})`);
  if (context.schema !== null) calls.push(searchPathCall(bound(context.schema), local));
  if (kind === 'read' && session.isSuperuser && context.isOurs !== true) calls.push(limitTemporaryFiles);
  if (kind === 'read' && isReader(context, session)) calls.push(readerRoleCall);
  const begin = kind === 'read' && context.isOurs === true ? beginningOfOurs : beginnings[kind];
  const set = { sql: `SELECT ${calls.join(', ')}`, parameters: values, isKept: true };
  return begin === null ? [set] : [{ sql: begin, parameters: [], isKept: true }, set];
}

/**
 * Behind a pooler a statement outside a transaction runs under whatever settings are there.
 * @returns why that would change what the statement means; null if it doesn't.
 */
export function unfitBehindPooler(
  { sql, session: kind, schema }: StatementRequest,
  { own, timeZone }: Session,
): string | null {
  if (own !== null || kind !== 'alone') return null;
  const what =
    'A pooler is in front of the server, and this statement runs outside a transaction, where nothing can be set for it alone:';
  if (schema !== null) return `${what} leave out the schema and qualify its names.`;
  // Where a literal with a backslash ends depends on standard_conforming_strings.
  if (sql.includes('\\')) return `${what} write it without a backslash.`;
  // Which moment a literal or a value means may depend on the time zone.
  return timeZone !== null && /['$]/.test(sql)
    ? `${what} write it without literals, as the connection's time zone does not hold for it.`
    : null;
}

function isDialledFor(context: CallContext, own: Session['own']): boolean {
  if (own === null || own.dialledFor.client !== context.client || own.settings.DateStyle === undefined) return false;
  return own.dialledFor.timeoutSeconds === serverSeconds(context);
}

function missingSettings(
  context: CallContext,
  { own, timeZone, limits: servers }: Pick<Session, 'own' | 'timeZone' | 'limits'>,
): [string, string][] {
  return Object.entries(settingsFor(context, timeZone, servers)).filter(
    ([name, value]) => own?.settings[name] !== value,
  );
}

/**
 * Sets the search path: the schema first, then the role's own path, where extensions' operators
 * are. An unknown schema is an error.
 */
function searchPathCall(parameter: string, local: string): string {
  const schema = `CAST(CAST(pg_catalog.quote_ident(${parameter}) AS pg_catalog.regnamespace) AS pg_catalog.text)`;
  const path = `pg_catalog.concat_ws(', ', ${schema}, pg_catalog.current_setting('search_path'))`;
  return `pg_catalog.set_config('search_path', pg_catalog.rtrim(${path}, ', '), ${local})`;
}

/**
 * Limits a read's temporary files, as it may fill a disk that others write to. Only a superuser may
 * set the limit, and the role may have ceased to be one since the dial. A limit that is there
 * already stays.
 */
export const limitTemporaryFiles = `CASE WHEN (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname OPERATOR(pg_catalog.=) current_user)
  AND pg_catalog.texteq(pg_catalog.current_setting('temp_file_limit'), '-1')
  THEN pg_catalog.set_config('temp_file_limit', '4GB', true) END`;

/**
 * Commands that leave nothing beyond ROLLBACK and DISCARD ALL; after any other the session is
 * discarded.
 */
const isStateless = /^(?:SELECT|EXPLAIN|SHOW|FETCH|INSERT|UPDATE|DELETE|MERGE)(?: |$)/;

/**
 * Whether the session can be restored after its statement.
 * @param tag the statement's command tag; undefined if it failed.
 */
export function mayBeKept(end: RoundTripReady, tag: string | undefined): boolean {
  if (end.error !== null) return end.status === 'E';
  return end.status === 'T' && tag !== undefined && isStateless.test(tag);
}

export const rollback: Statement = { sql: 'ROLLBACK', parameters: [], isKept: true };
const commit: Statement = { sql: 'COMMIT', parameters: [] };
const savepoint: Statement = { sql: 'SAVEPOINT sallyport_end', parameters: [] };
const backToSavepoint: Statement = { sql: 'ROLLBACK TO SAVEPOINT sallyport_end', parameters: [] };
const discardTemporary: Statement = { sql: 'DISCARD TEMP', parameters: [] };
const beginAgain: Statement = { sql: 'BEGIN', parameters: [] };
const restoring = ['ROLLBACK', 'DISCARD ALL'].map(sql => ({ sql, parameters: [] }));

/**
 * Gives back advisory locks, the only thing that outlives a read's rollback, if a function took
 * them. It gives no row: its place is behind the read, whose rows are being read.
 */
const unlock: Statement = { sql: 'SELECT pg_catalog.pg_advisory_unlock_all() OFFSET 1', parameters: [] };

/**
 * At a ROLLBACK TO pgpool-II forgets that the transaction writes, and reads from a standby again
 * until a statement comes that may write. This is such a statement.
 */
const mayWrite: Statement = {
  sql: `SELECT pg_catalog.set_config('application_name', pg_catalog.current_setting('application_name'), true)`,
  parameters: [],
};

/** What follows a statement of ours within its transaction. */
export function behindOurs(sql: string, { isPooled }: Session): readonly Statement[] {
  return isPooled && sql.startsWith('ROLLBACK TO ') ? [mayWrite] : [];
}

/**
 * What follows a read in its own round trip. Behind a pooler that is everything: a later one may
 * run in a session of others, and DISCARD ALL would keep one of RDS Proxy's for us alone.
 */
export function endOfRead(isStateless: boolean, { isPooled }: Session): readonly Statement[] {
  if (isStateless) return [rollback];
  return isPooled ? [unlock, rollback] : [];
}

/**
 * What commits a write. Behind a pooler nothing but the writes may outlive it: locks and temporary
 * tables are given back within the transaction.
 *
 * @param tag the statement's own.
 */
export function endOfWrite(tag: string | undefined, { isPooled }: Session): readonly Statement[] {
  if (!isPooled) return [commit];
  const mayMakeTables = !/^(?:INSERT|UPDATE|DELETE|MERGE) /.test(tag ?? '');
  return [savepoint, unlock, ...(mayMakeTables ? [discardTemporary] : []), commit];
}

/** Commits after `unlock` has failed, on a server that knows no such locks. */
export const commitAnyway: readonly Statement[] = [backToSavepoint, commit];

/**
 * Ends the transaction, undoes what survives it (session advisory locks, prepared statements,
 * `set_config(…, false)`) and returns the session to the pool. A session that doesn't come out idle
 * and without error is discarded. No answer to a client waits for it.
 */
export async function giveBack(pool: Pool, session: Session, mayHoldLocks = true): Promise<void> {
  if ((session.isPooled && session.isIdle && !session.ended) || (await restore(session, mayHoldLocks)))
    pool.release(session);
}

/** Ends a transaction behind a pooler in one round trip, and the locks that would outlive it. */
const rollbackAndUnlock = [rollback, beginAgain, unlock, rollback];

/** @returns false for a session that isn't as it was when dialled; it is then discarded. */
export async function restore(session: Session, mayHoldLocks = true): Promise<boolean> {
  const timer = setTimeout(() => session.destroy(), limits.endMilliseconds);
  timer.unref();
  const pooled = mayHoldLocks ? rollbackAndUnlock : [rollback];
  const end = await session.roundTrip(session.isPooled ? pooled : [...restoring, ...session.restoring]);
  clearTimeout(timer);
  session.own?.statements.forget();
  const isRestored = end.kind === 'ready' && end.error === null && end.status === 'I';
  if (!isRestored) session.destroy();
  return isRestored;
}

/** Rolls back for a client that waits. @returns null once the server has confirmed it. */
export async function takeBack(session: Session): Promise<DatabaseFailure | null> {
  const timer = setTimeout(() => session.broken('no answer'), takeBackMilliseconds);
  const end = await session.roundTrip(session.isPooled ? rollbackAndUnlock : [rollback]);
  clearTimeout(timer);
  if (end.kind === 'ready' && end.error === null && end.status === 'I') return null;
  session.destroy();
  // A server that knows no such locks has rolled back all the same.
  if (end.kind === 'ready' && end.tags[0] === 'ROLLBACK') return null;
  const reason = end.kind === 'lost' ? end.reason : 'it did not roll back as asked';
  return connectionLost(addressOf(session.endpoint), `${reason}; the server rolls back what was open on it`);
}

/** Has a session restored off the answer's path, or ends it. @param tag as in `mayBeKept`. */
export function tidyUp(
  pool: Pool,
  session: Session,
  end: RoundTripReady,
  tag: string | undefined,
  mayHoldLocks = true,
): void {
  if (mayBeKept(end, tag)) pool.returning(giveBack(pool, session, mayHoldLocks));
  else session.close();
}

/**
 * A read's round trip. If the statement isn't the last in it, its transaction ends there, too.
 */
export interface Read {
  readonly statements: readonly Statement[];
  /** Which of them the client's statement is. */
  readonly place: number;
  /** True if functions that it called may have taken advisory locks. */
  readonly mayHoldLocks: boolean;
}

/** True if the session is as it was when dialled, so nothing has to be sent. */
function isAsItWas({ error, status, tags }: RoundTripReady, { statements, place }: Read): boolean {
  const isOver = error === null && status === 'I' && statements.at(-1) === rollback;
  return isOver && tags.length === statements.length && isStateless.test(tags[place] ?? '');
}

/** Returns a read's session to the pool, restored if need be. */
export function tidyUpRead(pool: Pool, session: Session, end: RoundTripReady, read: Read): void {
  if (isAsItWas(end, read)) pool.release(session);
  else tidyUp(pool, session, end, end.tags[read.place], read.mayHoldLocks);
}

/**
 * Deals with a read whose sink has enough: a short rest is read, and a long one stopped in the
 * server. The session is kept if it can be.
 */
export async function drain(pool: Pool, session: Session, roundTrip: Promise<RoundTripEnd>, read: Read): Promise<void> {
  const from = session.stream.receivedBytes;
  let look: NodeJS.Timeout | undefined;
  const tooMuch = new Promise<null>(resolve => {
    const until = pool.ports.now() + drainMilliseconds;
    look = setInterval(() => {
      if (session.stream.receivedBytes - from > drainBytes || pool.ports.now() > until) resolve(null);
    }, 10);
  });
  const end = await Promise.race([roundTrip, tooMuch]);
  clearInterval(look);
  if (end?.kind === 'ready' && isAsItWas(end, read)) pool.release(session);
  else if (end?.kind === 'ready' && mayBeKept(end, end.tags[read.place]))
    await giveBack(pool, session, read.mayHoldLocks);
  else await stop(pool, session, roundTrip);
}

/**
 * Stops the round trip's statement. The session is kept if the statement reports that it was
 * cancelled, which saves the next call a sign-in; otherwise a cancel still under way would hit the
 * next statement. Behind a pooler the session always ends, as the pooler may forward the cancel
 * late.
 */
async function stop(pool: Pool, session: Session, roundTrip: Promise<RoundTripEnd>): Promise<void> {
  if (session.own === null) return cancelAndDestroy(session);
  await cancel(session);
  const timer = setTimeout(() => session.destroy(), limits.cancelMilliseconds);
  const end = await roundTrip;
  clearTimeout(timer);
  if (end.kind === 'ready' && end.error?.code === queryCanceled) await giveBack(pool, session);
  else session.destroy();
}
