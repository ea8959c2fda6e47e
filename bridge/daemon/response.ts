/**
 * A daemon's response: what is asked of its head, and its body piece by piece as somebody takes it.
 */

import type { IncomingMessage } from 'node:http';

/** Of each response, before somebody takes it. */
const maxHeldBytes = 64 * 1024;

export class Response {
  readonly status: number;
  /** Without its parameters, in lower case; empty where there is none. */
  readonly mediaType: string;
  /** Bytes of the body, where the head says so; else 0. */
  readonly length: number;
  readonly #incoming: IncomingMessage;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #end: Error | 'complete' | null = null;
  #wake: () => void = () => {};

  /**
   * Node's own buffer is lost with a connection that is cut off; what came before the cut may be
   * the answer.
   */
  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.status = incoming.statusCode ?? 0;
    this.mediaType = (incoming.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
    this.length = Number(incoming.headers['content-length'] ?? 0);
    incoming.on('data', (piece: Buffer) => {
      this.#held.push(piece);
      this.#heldBytes += piece.length;
      if (this.#heldBytes > maxHeldBytes) incoming.pause();
      this.#wake();
    });
    incoming.once('end', () => this.#ended('complete'));
    incoming.once('error', error => this.#ended(error));
  }

  /**
   * The next piece of the body; null after its last. Asked for one at a time.
   * @throws when the connection ended before it.
   */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const piece = this.#held.shift();
      if (piece !== undefined) {
        this.#heldBytes -= piece.length;
        if (this.#heldBytes <= maxHeldBytes) this.#incoming.resume();
        return piece;
      }
      if (this.#end === 'complete') return null;
      if (this.#end !== null) throw this.#end;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  #ended(end: Error | 'complete'): void {
    this.#end ??= end;
    this.#wake();
  }
}
