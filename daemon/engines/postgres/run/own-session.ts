/**
 * A server session that stays ours from flight to flight. Behind a pooler (PgBouncer in transaction
 * mode) each flight may run in another session, which knows neither the start-up settings nor
 * prepared statements.
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
 * Fails in any other session of the server, and everything behind it in its flight is skipped. Its
 * parameter is the process id.
 */
export function sameProcess(parameter: string): string {
  return `pg_catalog.int4div(1, CAST(pg_catalog.int4eq(pg_catalog.pg_backend_pid(), ${parameter}) AS pg_catalog.int4))`;
}

/**
 * PgBouncer says protocol_violation; a server that doesn't know a name or value gives the others.
 */
const refusals: ReadonlySet<unknown> = new Set(['08P01', '42704', '22023', '0A000']);

/** True if signing in failed because of the start-up settings. */
export function refusesSettings(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && refusals.has(error.code);
}
