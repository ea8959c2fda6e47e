/**
 * Counts the bytes one statement brings over the wire and says when it must be cut (spec §7): at the limit, and before
 * it as soon as a cell announces a length that would pass it and no more of that cell would be kept.
 */

export class WireLimit {
  readonly #limitBytes: number;
  #seenBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  count(bytes: number): void {
    this.#seenBytes += bytes;
  }

  get passed(): boolean {
    return this.#seenBytes > this.#limitBytes;
  }

  /** Whether `bytesToCome` more would pass the limit. */
  wouldPass(bytesToCome: number): boolean {
    return this.#seenBytes + bytesToCome > this.#limitBytes;
  }
}
