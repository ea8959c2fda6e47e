/** Standard input as lines, read no faster than they are handled. Doesn't look into them. */

import type { Readable } from 'node:stream';
import { LineSplitter } from '../../shared/lines.ts';
import type { Relay } from '../relay.ts';
import { IdFinder } from './id-finder.ts';

/**
 * While input is paused, the bridge still reads up to this much without handling it: only a read
 * shows that stdin has ended.
 */
const maxReadAheadBytes = 4 * 1024 * 1024;

export class Input {
  readonly #stream: Readable;
  readonly #relay: Relay;
  readonly #lines: LineSplitter;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(stream: Readable, relay: Relay) {
    this.#stream = stream;
    this.#relay = relay;
    this.#lines = new LineSplitter(
      relay.limits.maxLineBytes,
      () => {
        const finder = new IdFinder();
        return { more: part => finder.read(part), end: () => relay.refuseTooLong(finder.idText) };
      },
      text => relay.refuseNotUtf8(text),
    );
    stream.on('data', (chunk: Buffer) => {
      this.#held.push(chunk);
      this.#heldBytes += chunk.length;
      this.goOn();
    });
  }

  /** Call it whenever there may be room again. */
  goOn(): void {
    while (!this.#relay.isFull) {
      const chunk = this.#held.shift();
      if (chunk === undefined) break;
      this.#heldBytes -= chunk.length;
      for (const line of this.#lines.push(chunk)) this.#relay.accept(line);
    }
    if (this.#heldBytes > maxReadAheadBytes) this.#stream.pause();
    else if (this.#stream.isPaused()) this.#stream.resume();
  }
}
