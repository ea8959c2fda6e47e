/**
 * Signs in on an open socket and hands it to `pg`, which sends the start-up message and learns no
 * password.
 */

import { TLSSocket } from 'node:tls';
import type { Endpoint } from '../../../access/connection.ts';
import { loadDriver } from '../../load-driver.ts';
import type { ServerIdentity } from '../../server-identity.ts';
import type { Settings } from '../run/settings.ts';
import { Session } from '../session.ts';
import { Authentication } from './authentication.ts';
import { BoundedStream } from './bounded-stream.ts';
import { certificateKey } from './channel-binding.ts';
import type { EncryptedSocket } from './tls.ts';

interface StartupOptions {
  /** The one server that the socket goes to. */
  readonly endpoint: Endpoint;
  readonly user: string;
  readonly database: string;
  readonly settings: Settings;
  readonly password: () => Promise<string | null>;
  readonly identity: ServerIdentity;
  /** What `localhost` was dialled as; null for any other host. */
  readonly address: string | null;
}

/** Rejects with DialRefused or IdentityRefused, or with the server's or network's error. */
export async function startUp(
  { socket, kind, socketOwner }: EncryptedSocket,
  options: StartupOptions,
): Promise<Session> {
  const pg = loadDriver<typeof import('pg')>(require => require('pg'));
  const tls = socket instanceof TLSSocket ? socket : null;
  const line = { line: kind, key: tls === null ? null : certificateKey(tls), socketOwner };
  const stream = new BoundedStream(
    socket,
    new Authentication({ ...options, methods: options.endpoint.signInMethods, line, tls }),
  );

  /**
   * `pg` fills gaps from PG* variables and `~/.pgpass`, so no gap is left, and the start-up message
   * is ours.
   */
  class ExplicitClient extends pg.Client {
    getStartupConf(): Record<string, string> {
      return { user: options.user, database: options.database, ...options.settings };
    }
  }
  const client = new ExplicitClient({
    user: options.user,
    database: options.database,
    host: 'localhost',
    port: 5432,
    ssl: false,
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    stream: () => stream,
    password: notAsked,
  });
  const session = new Session(options.endpoint, socket, stream, client);
  await client.connect();
  return session;
}

/** In its place `pg` would take one from the environment. */
const notAsked = (): never => {
  throw new Error('the driver asks for a password');
};
