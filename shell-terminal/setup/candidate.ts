/**
 * A database that this machine speaks of somewhere, and the one sentence that says where. It is
 * shown, and taken only where chosen.
 */

import type { EndpointView, SshTunnelView } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import type { ParsedConnection } from '../../shared/url-parts.ts';

export interface Candidate {
  /** What it would be called. */
  readonly name: string;
  /** Where it was found: `DATABASE_URL in .env`. */
  readonly from: string;
  /** Where its password was found, if elsewhere. */
  readonly passwordFrom?: string;
  readonly connection: ParsedConnection & { readonly tunnel?: SshTunnelView | undefined };
}

/** What was found and can't be used: shown, so that nobody looks for it in vain. */
export interface Unreadable {
  readonly from: string;
  readonly problem: string;
}

export interface Found {
  readonly candidates: readonly Candidate[];
  readonly unreadable: readonly Unreadable[];
}

/** What a connection is called where nobody named it. */
export function nameFor({ database, filePath, engine }: EndpointView): string {
  return database ?? filePath?.split('/').at(-1) ?? engine;
}

export const nothingFound: Found = { candidates: [], unreadable: [] };

/** @param problem one sentence. */
export function unusable(from: string, problem: string): Found {
  return { candidates: [], unreadable: [{ from, problem }] };
}

/**
 * Of what refers to something that isn't there: it is neither filled in with nothing nor saved as
 * it stands.
 */
export function leftAlone(from: string): Found {
  return unusable(from, 'It refers to a variable that is not set there.');
}

/** Of several that say the same place the first stays, with a password where any knew one. */
export function together(found: readonly Found[]): Found {
  const byPlace = new Map<string, Candidate>();
  for (const candidate of found.flatMap(({ candidates }) => candidates)) {
    const { endpoint, tunnel } = candidate.connection;
    const key = `${placeKey(endpoint)}${tunnel === undefined ? '' : tunnelText(tunnel)}`;
    const known = byPlace.get(key);
    if (known === undefined) byPlace.set(key, candidate);
    else if (known.connection.password === null && candidate.connection.password !== null) {
      const connection = { ...known.connection, password: candidate.connection.password };
      byPlace.set(key, { ...known, connection, passwordFrom: candidate.passwordFrom ?? candidate.from });
    }
  }
  return {
    candidates: [...byPlace.values()],
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
}

/** The same for two that lead to one database as one user. */
export function placeKey({ engine, host, port, socketPath, filePath, database, user }: EndpointView): string {
  const isHere = host === 'localhost' || host === '127.0.0.1' || host === '::1';
  return JSON.stringify([
    engine,
    isHere ? 'here' : host,
    port ?? connectionsOf[engine].port,
    socketPath,
    filePath,
    database,
    user,
  ]);
}

/** `clerk@127.0.0.1:5432/shop`, never with a password. */
export function placeOf({ host, port, socketPath, filePath, database, user }: EndpointView): string {
  if (filePath !== null) return filePath;
  const at = socketPath ?? `${host ?? ''}${port === null ? '' : `:${port}`}`;
  return `${user === null ? '' : `${user}@`}${at}${database === null ? '' : `/${database}`}`;
}
