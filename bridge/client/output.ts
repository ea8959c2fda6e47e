/** Standard output, which carries protocol lines and nothing else. */

import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Nothing more is asked for while a client leaves so much unread. */
const maxUnreadBytes = 4 * 1024 * 1024;

/**
 * `process.stdout` blocks on a full pipe, and a blocked bridge would notice neither a cancellation
 * nor its client's end: a pipe is opened so that writing never blocks. A terminal or a file is left
 * as it is.
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
   * Writes one message. Line breaks can only be spaces between its tokens, and would end the line:
   * they become spaces.
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
   * For large messages: the next is gathered when the one before was written, and the client has
   * read it.
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
   * Resolves once the client has read so much that more may be written; who reads upstream waits
   * for it.
   */
  async drained(): Promise<void> {
    if (this.#drain !== null) await this.#drain;
  }
}
