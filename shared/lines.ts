/** Cuts a byte stream into lines of bounded length. Doesn't look into them. */

import { isUtf8 } from 'node:buffer';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A line that was too long to keep. */
interface DroppedLine {
  more(part: Buffer): void;
  end(): void;
}

/**
 * Feed it chunks as they come. It handles characters split between chunks, CRLF and empty lines;
 * empty lines are dropped.
 */
export class LineSplitter {
  #maxLineBytes: number;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #dropped: DroppedLine | null = null;
  readonly #dropTooLong: (() => DroppedLine) | null;
  readonly #dropNotUtf8: ((repaired: string) => void) | null;

  /**
   * @param dropTooLong called for each line over the limit, of which nothing is kept; without it
   *   such a line throws.
   * @param dropNotUtf8 called for each line that isn't UTF-8, which is dropped; without it
   *   unreadable bytes become U+FFFD.
   */
  constructor(
    maxLineBytes: number,
    dropTooLong: (() => DroppedLine) | null = null,
    dropNotUtf8: ((repaired: string) => void) | null = null,
  ) {
    this.#maxLineBytes = maxLineBytes;
    this.#dropTooLong = dropTooLong;
    this.#dropNotUtf8 = dropNotUtf8;
  }

  /** For a peer that has proved itself; bytes pushed before stay in place. */
  raiseLimit(maxLineBytes: number): void {
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * @throws LineTooLong if a line, finished or not, is over the limit and not dropped: then this
   *   peer can't be read any further.
   */
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
    this.#partBytes += part.length;
    if (this.#dropped !== null) this.#dropped.more(part);
    else if (this.#partBytes > this.#maxLineBytes) this.#tooLong(part);
    else if (part.length > 0) this.#parts.push(part);
  }

  #tooLong(last: Buffer): void {
    if (this.#dropTooLong === null) throw new LineTooLong(this.#maxLineBytes);
    this.#dropped = this.#dropTooLong();
    for (const part of [...this.#parts, last]) this.#dropped.more(part);
    this.#parts = [];
  }

  #finish(): string {
    const [parts, bytes, dropped] = [this.#parts, this.#partBytes, this.#dropped];
    this.#parts = [];
    this.#partBytes = 0;
    this.#dropped = null;
    if (dropped !== null) {
      dropped.end();
      return '';
    }
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, bytes);
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
