/** Standard output. It carries protocol lines only. */

import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** While a client leaves this much unread, the bridge asks for nothing more. */
const maxUnreadBytes = 4 * 1024 * 1024;

/**
 * `process.stdout` blocks on a full pipe, and a blocked bridge would miss a cancellation or its
 * client's end. So a pipe is opened non-blocking; a terminal or a file is left as it is.
 */
export function openStandardOutput(): Writable {
  const stats = fstatSync(1);
  return stats.isFIFO() || stats.isSocket() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}

export class Output {
  readonly #stream: Writable;
  #drain: Promise<void> | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /**
   * Writes one message. Its line breaks can only be spaces between tokens and would end the line,
   * so they become spaces.
   */
  line(message: string): void {
    const line = /[\r\n]/.test(message) ? message.replace(/[\r\n]+/g, ' ') : message;
    if (this.#stream.write(`${line}\n`) || this.#drain !== null) return;
    this.#drain = new Promise(resolve => {
      this.#stream.once('drain', () => {
        this.#drain = null;
        resolve();
      });
    });
  }

  /**
   * For large messages: gathers the next one when the one before is written and the client has read
   * it.
   */
  inTurn<Result>(gatherAndWrite: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(() => this.drained()).then(gatherAndWrite);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  get isFull(): boolean {
    return this.#stream.writableLength > maxUnreadBytes;
  }

  /**
   * Resolves once the client has read enough for more to be written; readers of the daemon's
   * answers wait for it.
   */
  async drained(): Promise<void> {
    if (this.#drain !== null) await this.#drain;
  }
}
