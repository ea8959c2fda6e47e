/**
 * A server session that stays ours from round trip to round trip. Behind a pooler (PgBouncer in
 * transaction mode) each round trip may run in another session, which knows neither the start-up
 * settings nor prepared statements.
 */

import type { CallContext } from '../../engine.ts';
import { KeptStatements } from '../wire/kept-statements.ts';
import type { Settings } from './settings.ts';

/** What its settings depend on, besides the connection. */
export type DialledFor = Pick<CallContext, 'client' | 'timeoutSeconds'>;

export interface OwnSession {
  readonly dialledFor: DialledFor;
  /**
   * The start-up packet's settings. DISCARD ALL, and the end of a transaction that changed them,
   * restore them.
   */
  readonly settings: Settings;
  readonly statements: KeptStatements;
  /** The server's process id, sent with the cancel key. A pooler sends a number of its own. */
  readonly process: number;
}

export function ownSession(dialledFor: DialledFor, settings: Settings, process: number): OwnSession {
  return { dialledFor, settings, statements: new KeptStatements(), process };
}

/**
 * Fails in any other session of the server, and everything behind it in its round trip is skipped.
 * Its parameter is the process id.
 */
export function sameProcess(parameter: string): string {
  return `pg_catalog.int4div(1, CAST(pg_catalog.int4eq(pg_catalog.pg_backend_pid(), ${parameter}) AS pg_catalog.int4))`;
}

/**
 * PgBouncer says protocol_violation; a server that doesn't know a name or value gives the others.
 */
const refusals: ReadonlySet<unknown> = new Set(['08P01', '42704', '22023', '0A000']);
/** Other poolers give any code. */
const namesSettings = /start-?up (?:parameter|option)|(?:configuration|unsupported|unrecognized) parameter/i;

/** True if signing in failed because of the start-up settings. */
export function refusesSettings(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return refusals.has(error.code) || (error instanceof Error && namesSettings.test(error.message));
}
