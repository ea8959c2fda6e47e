/** The connections to one daemon, each kept for its next request. Bounds nothing; see places.ts. */

import type { Response } from './exchange.ts';
import { ProvenConnection } from './proven-connection.ts';
import { NotSent } from './sending-failures.ts';

export class Connections {
  readonly #port: number;
  readonly #prove: () => Promise<boolean>;
  readonly #busy = new Set<ProvenConnection>();
  /** The one used last is the next to be used: the others may grow old and be closed. */
  readonly #idle: ProvenConnection[] = [];
  #isClosed = false;

  /** @param prove asked once per connection, which must stand by then; false, and the connection is dropped unused. */
  constructor(port: number, prove: () => Promise<boolean>) {
    this.#port = port;
    this.#prove = prove;
  }

  /**
   * @param request made once there is a proven connection to send it on.
   * @param signal aborting drops the connection, which is cancellation on this wire.
   * @param onOver called once, when nothing more of a request that was sent comes.
   * @throws NotSent when not a byte went out; any other error leaves open whether the request arrived.
   */
  async send(request: () => Buffer, signal: AbortSignal, onOver: () => void): Promise<Response> {
    const kept = this.#takeIdle();
    const connection = kept ?? new ProvenConnection(this.#port);
    this.#busy.add(connection);
    const onAbort = () => connection.drop();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (kept === null) await connection.proven(this.#prove);
      if (signal.aborted) throw new NotSent('cancelled');
    } catch (error) {
      signal.removeEventListener('abort', onAbort);
      this.#putBack(connection);
      throw error;
    }
    return connection.send(request(), () => {
      // By the time its client gives up a request that is over, the connection may be another's.
      signal.removeEventListener('abort', onAbort);
      this.#putBack(connection);
      onOver();
    });
  }

  /** Connections at work are left to end by themselves: whoever is at their other end was proven. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.drop();
  }

  /** Every request under way fails here and now, one that still waits for its connection too. */
  abandon(): void {
    this.close();
    for (const connection of [...this.#busy]) connection.drop();
  }

  #takeIdle(): ProvenConnection | null {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (last.isUsable) return last;
      last.drop();
    }
    return null;
  }

  #putBack(connection: ProvenConnection): void {
    this.#busy.delete(connection);
    if (!this.#isClosed && connection.isUsable) this.#idle.push(connection);
    else connection.drop();
  }
}
