/**
 * Node's keep-alive agent, whose connections are proven after they were made and before their first
 * byte (spec §2 Trust): a daemon that is switched off, stops or moves to another port leaves its
 * old port to whoever takes it, while its control connection still stands.
 */

import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Less than the daemon's 75 s: a request that met its closing of an idle connection would be lost.
 */
const idleConnectionMilliseconds = 60_000;

export class ProvingAgent extends Agent {
  readonly #port: number;
  readonly #prove: () => Promise<boolean>;
  readonly #unproven = new Set<Socket>();
  #keepsNone = false;

  /**
   * @param prove asked once per connection, which must stand by then; false, and the connection is
   * dropped unused.
   */
  constructor(port: number, prove: () => Promise<boolean>) {
    super({ keepAlive: true, timeout: idleConnectionMilliseconds });
    this.#port = port;
    this.#prove = prove;
  }

  override createConnection(
    _options: ClientRequestArgs,
    onCreated: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true, keepAlive: true });
    const drop = () => socket.destroy();
    const settle = (error: Error | null) => {
      if (!this.#unproven.delete(socket)) return;
      socket.off('data', drop);
      onCreated(error, socket);
    };
    this.#unproven.add(socket);
    // Bytes that answer nothing.
    socket.once('data', drop);
    socket.once('error', settle);
    socket.once('close', () => settle(new Error('no connection to the proven daemon')));
    socket.once('connect', async () => {
      const isProven = await this.#prove().catch(() => false);
      // What has ended meanwhile can carry nothing, and nothing has left yet.
      if (isProven && !socket.destroyed && !socket.readableEnded) settle(null);
      else drop();
    });
  }

  override keepSocketAlive(socket: Socket): boolean {
    // What Node's own decides from the response; declared as telling nothing.
    const isKept: unknown = super.keepSocketAlive(socket);
    if (this.#keepsNone || isKept === false) return false;
    socket.once('data', dropThis);
    return true;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    socket.off('data', dropThis);
    super.reuseSocket(socket, request);
  }

  /** Whoever is idle goes now, whoever is at work when it is done. */
  keepNone(): void {
    this.#keepsNone = true;
    for (const idle of Object.values(this.freeSockets).flat()) idle?.destroy();
  }

  override destroy(): void {
    this.keepNone();
    for (const socket of this.#unproven) socket.destroy();
    super.destroy();
  }
}

/** Unsolicited bytes would be mistaken for the next response. */
function dropThis(this: Socket): void {
  this.destroy();
}
