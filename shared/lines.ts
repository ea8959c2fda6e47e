/** Cuts a byte stream into lines of bounded length. Knows nothing of what a line says. */

import { isUtf8 } from 'node:buffer';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Feed it chunks as they come: characters split between chunks, CRLF and empty lines are handled; empty lines are dropped. */
export class LineSplitter {
  #maxLineBytes: number;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #dropping = false;
  readonly #dropTooLong: (() => void) | null;
  readonly #dropNotUtf8: ((repaired: string) => void) | null;

  /**
   * @param dropTooLong told once of each line over the limit, which is then dropped; without it such a line throws.
   * @param dropNotUtf8 told of each line that is no UTF-8, which is then dropped; without it what can't be read becomes U+FFFD.
   */
  constructor(
    maxLineBytes: number,
    dropTooLong: (() => void) | null = null,
    dropNotUtf8: ((repaired: string) => void) | null = null,
  ) {
    this.#maxLineBytes = maxLineBytes;
    this.#dropTooLong = dropTooLong;
    this.#dropNotUtf8 = dropNotUtf8;
  }

  /** For a peer that has proved itself; what was pushed before keeps its place. */
  raiseLimit(maxLineBytes: number): void {
    this.#maxLineBytes = maxLineBytes;
  }

  /** @throws LineTooLong when a line, finished or not, is over the limit and not dropped: the peer can't be followed any further. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#take(chunk.subarray(start, end));
      const line = this.#finish();
      if (line !== '') lines.push(line);
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
    return lines;
  }

  #take(part: Buffer): void {
    if (this.#dropping) return;
    this.#partBytes += part.length;
    if (this.#partBytes > this.#maxLineBytes) this.#tooLong();
    else if (part.length > 0) this.#parts.push(part);
  }

  #tooLong(): void {
    if (this.#dropTooLong === null) throw new LineTooLong(this.#maxLineBytes);
    this.#dropping = true;
    this.#parts = [];
    this.#dropTooLong();
  }

  #finish(): string {
    const whole = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, this.#partBytes);
    this.#parts = [];
    this.#partBytes = 0;
    this.#dropping = false;
    const end = whole.length > 0 && whole[whole.length - 1] === carriageReturn ? whole.length - 1 : whole.length;
    const text = whole.toString('utf8', 0, end);
    if (this.#dropNotUtf8 === null || isUtf8(whole)) return text;
    this.#dropNotUtf8(text);
    return '';
  }
}

export class LineTooLong extends Error {
  constructor(maxLineBytes: number) {
    super(`a line is longer than ${maxLineBytes} bytes`);
    this.name = 'LineTooLong';
  }
}
