/**
 * HTTP connections to the daemon, each proven after it was made and before its first byte (SPEC §2 Trust): a daemon that is
 * switched off, stops or moves to another port leaves its old port to whoever takes it, while its control connection still stands.
 */

import { Agent, type ClientRequestArgs } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { NotSent } from './sending-failures.ts';

/** As Node's agent calls it: with an error alone, or null and the connection. */
type Made = (error: Error | null, stream: Duplex) => void;

export class ProvenAgent extends Agent {
  readonly #prove: () => Promise<boolean>;

  /** @param prove asked once per connection, which must stand by then; false, and the connection is dropped unused. */
  constructor(prove: () => Promise<boolean>, maxConnections: number) {
    super({ keepAlive: true, maxSockets: maxConnections });
    this.#prove = prove;
  }

  override createConnection(options: ClientRequestArgs, made: Made): undefined {
    const port = Number(options.port);
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, keepAlive: true });
    const refuse = (reason: string) => {
      socket.destroy();
      made(new NotSent(reason), socket);
    };
    const onError = (error: Error) => refuse(error.message);
    socket.once('error', onError);
    socket.once('connect', async () => {
      const proven = await this.#prove();
      if (socket.destroyed) return;
      socket.off('error', onError);
      if (proven) made(null, socket);
      else refuse('the endpoint is not proven any more');
    });
  }

  /** Connections at work are left to end by themselves: whoever is at their other end was proven. */
  dropIdle(): void {
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}
