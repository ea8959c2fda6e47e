/**
 * A database that was found on this machine, and one sentence that says where. It is shown, and
 * saved only if chosen.
 */

import type { EndpointView, SshTunnelView, TunnelView } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import type { ParsedConnection } from '../../shared/url-parts.ts';

export interface Candidate {
  /** The suggested name. */
  readonly name: string;
  /** Where it was found: `DATABASE_URL in .env`. */
  readonly from: string;
  /** Where its password was found, if elsewhere. */
  readonly passwordFrom?: string;
  readonly connection: ParsedConnection & { readonly tunnel?: SshTunnelView | undefined };
}

/** Found but unusable. It is shown, so nobody searches for it in vain. */
export interface Unreadable {
  readonly from: string;
  readonly problem: string;
}

export interface FoundDatabases {
  readonly candidates: readonly Candidate[];
  readonly unreadable: readonly Unreadable[];
}

/** The name of a connection that nobody has named. */
export function nameFor({ database, filePath, engine }: EndpointView): string {
  return database ?? filePath?.split('/').at(-1) ?? engine;
}

export const nothingFound: FoundDatabases = { candidates: [], unreadable: [] };

/** @param problem one sentence. */
export function unusable(from: string, problem: string): FoundDatabases {
  return { candidates: [], unreadable: [{ from, problem }] };
}

/**
 * What is found in a value that refers to something unknown. It is neither filled in with nothing
 * nor saved as it is.
 */
export function unsetVariable(from: string): FoundDatabases {
  return unusable(from, 'It refers to a variable that is not set there.');
}

/** Keeps the first of several for the same place, with a password if any has one. */
export function mergeFound(found: readonly FoundDatabases[]): FoundDatabases {
  const byPlace = new Map<string, Candidate>();
  for (const candidate of found.flatMap(({ candidates }) => candidates)) {
    const { endpoint, tunnel } = candidate.connection;
    const key = `${placeKey(endpoint)}${through(tunnel)}`;
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

/** Equal for two that lead to the same database by the same way, with whichever account. */
export function databaseKey(endpoint: EndpointView, tunnel: TunnelView | undefined): string {
  return `${placeKey({ ...endpoint, user: null })}${through(tunnel)}`;
}

/** Behind a tunnel the same address is another machine. */
function through(tunnel: TunnelView | undefined): string {
  return tunnel === undefined ? '' : tunnelText(tunnel);
}

/** Equal for two that lead to the same database with the same account, but for a tunnel. */
function placeKey({ engine, host, port, socketPath, filePath, database, user }: EndpointView): string {
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
