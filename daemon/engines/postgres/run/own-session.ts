/**
 * A session of the server that is ours from flight to flight. A pooler (PgBouncer in transaction
 * mode) may put each flight into another one, where neither a setting of the start-up packet holds
 * nor a prepared statement is known.
 */

import type { CallContext } from '../../engine.ts';
import { KeptStatements } from '../wire/kept-statements.ts';
import type { Settings } from './settings.ts';

/** What its settings follow from, but for the connection's own. */
export type DialledFor = Pick<CallContext, 'client' | 'timeoutSeconds'>;

export interface OwnSession {
  readonly dialledFor: DialledFor;
  /**
   * What the start-up packet set. DISCARD ALL, and the end of a transaction that changed them,
   * bring them back.
   */
  readonly settings: Settings;
  readonly statements: KeptStatements;
  /**
   * The server's process, as it gave it with the key for cancelling. A pooler gives a number of its
   * own.
   */
  readonly process: number;
}

export function ownSession(dialledFor: DialledFor, settings: Settings, process: number): OwnSession {
  return { dialledFor, settings, statements: new KeptStatements(), process };
}

/**
 * Fails, and with it all behind it in its flight, in any other session of the server. Its parameter
 * is the process.
 */
export function sameProcess(parameter: string): string {
  return `pg_catalog.int4div(1, CAST(pg_catalog.int4eq(pg_catalog.pg_backend_pid(), ${parameter}) AS pg_catalog.int4))`;
}

/**
 * protocol_violation is what PgBouncer says; a server that doesn't know a name or value has the
 * others.
 */
const refusals: ReadonlySet<unknown> = new Set(['08P01', '42704', '22023', '0A000']);

/** Whether signing in failed because of what the start-up packet set. */
export function refusesSettings(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && refusals.has(error.code);
}
