/**
 * Lets the bytes of a server, or of a SQLite process, in: in portions, so other calls get their
 * turn, and not at all while the reader is full.
 */

import type { Readable } from 'node:stream';

/** libuv would read on for 2 MB if that much has arrived: some 20 ms of rows. */
const portionBytes = 256 * 1024;

export class Intake {
  readonly #stream: Pick<Readable, 'pause' | 'resume'>;
  #held = false;
  #bytes = 0;
  /** When something came last, or could come again. */
  #heardAt = 0;

  constructor(stream: Pick<Readable, 'pause' | 'resume'>) {
    this.#stream = stream;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Milliseconds for which nothing came since then, though it would have been read. */
  silentSince(at: number): number {
    return this.#held ? 0 : performance.now() - Math.max(at, this.#heardAt);
  }

  /** Call it for each chunk of the stream. */
  took(bytes: number): void {
    this.#heardAt = performance.now();
    this.#bytes += bytes;
    if (this.#bytes < portionBytes) return;
    this.#bytes = 0;
    this.#stream.pause();
    setImmediate(() => {
      if (!this.#held) this.#stream.resume();
    });
  }

  /** Reads nothing more from the stream until `release`. */
  hold(): void {
    this.#held = true;
    this.#stream.pause();
  }

  release(): void {
    this.#held = false;
    this.#heardAt = performance.now();
    this.#stream.resume();
  }
}
