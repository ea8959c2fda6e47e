/**
 * How the bytes of a server, or of a SQLite process, are let in: in portions, between which other
 * calls have their turn, and not at all while the reader is full.
 */

import type { Readable } from 'node:stream';

/** libuv would read on for 2 MB where as much has arrived: some 20 ms of rows. */
const portionBytes = 256 * 1024;

export class Intake {
  readonly #stream: Pick<Readable, 'pause' | 'resume'>;
  #held = false;
  #bytes = 0;

  constructor(stream: Pick<Readable, 'pause' | 'resume'>) {
    this.#stream = stream;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Called for each chunk that the stream gives. */
  took(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < portionBytes) return;
    this.#bytes = 0;
    this.#stream.pause();
    setImmediate(() => {
      if (!this.#held) this.#stream.resume();
    });
  }

  /** Nothing more is taken off the stream until `release`. */
  hold(): void {
    this.#held = true;
    this.#stream.pause();
  }

  release(): void {
    this.#held = false;
    this.#stream.resume();
  }
}
