/**
 * Node's keep-alive agent, except that each connection is proven before its first byte (spec §2
 * Trust). A daemon that is switched off, stops or moves to another port frees its old port while
 * its control connection is still open; any program may take that port.
 */

import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Less than the daemon's 75 s: otherwise a request could be lost while the daemon closes the idle
 * connection.
 */
const idleConnectionMilliseconds = 60_000;

export class ProvingAgent extends Agent {
  readonly #port: number;
  readonly #prove: () => Promise<boolean>;
  readonly #unproven = new Set<Socket>();
  #keepsNone = false;

  /**
   * @param prove called once per connection, while it is open. If it gives false, the connection is
   *   dropped unused.
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
    // Unsolicited bytes.
    socket.once('data', drop);
    socket.once('error', settle);
    socket.once('close', () => settle(new Error('no connection to the proven daemon')));
    socket.once('connect', async () => {
      const isProven = await this.#prove().catch(() => false);
      // A connection that ended meanwhile is useless, and nothing was sent on it yet.
      if (isProven && !socket.destroyed && !socket.readableEnded) settle(null);
      else drop();
    });
  }

  override keepSocketAlive(socket: Socket): boolean {
    // Node decides from the response; its type declares no result.
    const isKept: unknown = super.keepSocketAlive(socket);
    if (this.#keepsNone || isKept === false) return false;
    socket.once('data', dropThis);
    return true;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    socket.off('data', dropThis);
    super.reuseSocket(socket, request);
  }

  /** Closes idle connections now, and busy ones when they are done. */
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
