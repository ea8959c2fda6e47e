/** Lets `pg` sign in on an open socket. */

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Endpoint } from '../../../access/connection.ts';
import { loadDriver } from '../../load-driver.ts';
import { Link } from '../link.ts';
import type { Settings } from '../run/settings.ts';
import { BoundedStream } from './bounded-stream.ts';
import { DialRefused } from './tls.ts';

interface StartupOptions {
  /** The one server that the socket goes to. */
  readonly endpoint: Endpoint;
  readonly user: string;
  readonly database: string;
  readonly settings: Settings;
  readonly password: () => Promise<string | null>;
  /** True if the line is a verified TLS session, or doesn't leave this machine. */
  readonly clearTextPasswordAllowed: boolean;
}

/** Rejects with DialRefused, or with the server's or network's error. */
export async function startUp(socket: Socket, options: StartupOptions): Promise<Link> {
  const pg = loadDriver<typeof import('pg')>(require => require('pg'));
  const stream = new BoundedStream(socket, options.clearTextPasswordAllowed);

  /**
   * `pg` fills gaps from PG* variables and `~/.pgpass`, so no gap is left, and the start-up message
   * is ours.
   */
  class ExplicitClient extends pg.Client {
    declare readonly connectionParameters: { password: string | null };

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
    enableChannelBinding: socket instanceof TLSSocket,
    stream: () => stream,
    password: async () => {
      const password = await options.password();
      if (password === null) throw new DialRefused('the server asks for a password and the connection has none');
      return password;
    },
  });
  const link = new Link(options.endpoint, socket, stream, client);
  await client.connect();
  // `pg` would keep it as long as the session lives.
  client.connectionParameters.password = null;
  delete client.password;
  return link;
}
