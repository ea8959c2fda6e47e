/** A daemon's response: facts from its head, and its body piece by piece. */

import type { IncomingMessage } from 'node:http';

/** Held for each response until somebody reads. */
const maxHeldBytes = 64 * 1024;

export class Response {
  readonly status: number;
  /** Without parameters, in lower case; empty if missing. */
  readonly mediaType: string;
  /** Bytes of the body, if the head says so; otherwise 0. */
  readonly length: number;
  readonly #incoming: IncomingMessage;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #end: Error | 'complete' | null = null;
  #wake: () => void = () => {};

  /**
   * Keeps what arrived: Node loses its own buffer if the connection is cut off, and the answer may
   * be in it.
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
   * The next piece of the body; null after the last. One call at a time.
   * @throws if the connection ended first.
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
