/**
 * Builds a connection from pieces in a file or its variables: engine, host, port, user, database.
 * Opens nothing.
 */

import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { isPlaceholder } from '../../shared/placeholders.ts';
import type { ConnectionUrl, PathBase } from '../../shared/url-parts.ts';

export interface Parts {
  readonly engine: 'postgres' | 'mysql' | 'sqlite';
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly socket?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** For SQLite, the path of the file. */
  readonly database?: string | undefined;
  /** As a URL names them. */
  readonly options?: Readonly<Record<string, string | undefined>>;
}

export function connectionOfParts(parts: Parts, base: PathBase): ConnectionUrl {
  const connection = parseConnectionUrl(urlOf(parts), base);
  const password = parts.password ?? '';
  return connection.kind === 'refused' || password === '' || connectionsOf[connection.endpoint.engine].isFile
    ? connection
    : isPlaceholder(password)
      ? { ...connection, passwordIsPlaceholder: true }
      : { ...connection, password };
}

/** Without the password. */
function urlOf({ engine, host = '', port = '', socket = '', user = '', database = '', options = {} }: Parts): string {
  if (connectionsOf[engine].isFile) return `sqlite:${encodeURIComponent(database)}`;
  const isSocket = socket !== '';
  const server =
    host.includes(':') && !host.includes('[') && !host.includes(',') ? `[${host}]` : encodeURIComponent(host);
  const place = isSocket ? '' : `${host.includes(',') ? host : server}${port === '' ? '' : `:${port}`}`;
  // PostgreSQL's socket is named after the port; MySQL's has none.
  const socketPort = connectionsOf[engine].hasSocketFolder ? port : '';
  const query = Object.entries({ ...options, ...(isSocket && { socket, port: socketPort }) }).flatMap(
    ([name, value = '']) => (value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]),
  );
  const who = user === '' ? '' : `${encodeURIComponent(user)}@`;
  return `${engine}://${who}${place}/${encodeURIComponent(database)}?${query.join('&')}`;
}

/** Understands the words of Laravel, Django, TypeORM, Sequelize, DBeaver and Docker images. */
export function engineMeant(word: string): Parts['engine'] | null {
  if (
    /postgres|pgsql|postgis|pgvecto|pgautoupgrade|paradedb|timescale|citus|spilo|cockroach|psycopg|\bpg\b/i.test(word)
  )
    return 'postgres';
  if (/mysql|maria|percona/i.test(word)) return 'mysql';
  return /sqlite/i.test(word) ? 'sqlite' : null;
}
