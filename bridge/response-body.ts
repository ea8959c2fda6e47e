/** The body of an HTTP/1.1 response, taken out of its connection's bytes (RFC 9112 §6, §7.1). Keeps nothing of it. */

import { bridgeLimits } from './limits.ts';
import { type Framing, MalformedResponse, readField } from './response-head.ts';

const noBytes: Buffer = Buffer.alloc(0);

export class ResponseBody {
  readonly #framing: Framing['kind'];
  /** Bytes to come, of the body or of its present chunk. */
  #remaining: number;
  #expected: 'size' | 'end of chunk' | 'trailer' = 'size';
  #trailerBytes = 0;
  #partOfLine: Buffer = noBytes;
  #isComplete: boolean;

  constructor(framing: Framing) {
    this.#framing = framing.kind;
    this.#remaining = framing.kind === 'length' ? framing.bytes : 0;
    this.#isComplete = framing.kind === 'length' && framing.bytes === 0;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * @param take given each piece of the body.
   * @returns what follows the body; empty before its end.
   * @throws MalformedResponse
   */
  push(bytes: Buffer, take: (piece: Buffer) => void): Buffer {
    let rest = bytes;
    while (rest.length > 0 && !this.#isComplete) {
      rest = this.#framing === 'chunked' && this.#remaining === 0 ? this.#line(rest) : this.#piece(rest, take);
    }
    return rest;
  }

  /** The connection has ended in order. */
  end(): void {
    if (this.#framing === 'until the end') this.#isComplete = true;
  }

  #piece(bytes: Buffer, take: (piece: Buffer) => void): Buffer {
    if (this.#framing === 'until the end') {
      take(bytes);
      return noBytes;
    }
    const piece = bytes.subarray(0, this.#remaining);
    this.#remaining -= piece.length;
    if (this.#remaining === 0 && this.#framing === 'length') this.#isComplete = true;
    take(piece);
    return bytes.subarray(piece.length);
  }

  #line(bytes: Buffer): Buffer {
    const whole = this.#partOfLine.length === 0 ? bytes : Buffer.concat([this.#partOfLine, bytes]);
    const end = whole.indexOf('\r\n');
    if ((end === -1 ? whole.length : end) > bridgeLimits.maxChunkLineBytes)
      throw new MalformedResponse('a chunk of it has no size');
    this.#partOfLine = end === -1 ? whole : noBytes;
    if (end === -1) return noBytes;
    this.#read(whole.toString('latin1', 0, end));
    return whole.subarray(end + 2);
  }

  #read(line: string): void {
    if (this.#expected === 'trailer') this.#readTrailer(line);
    else if (this.#expected === 'end of chunk') {
      if (line !== '') throw new MalformedResponse('a chunk of it is longer than it says');
      this.#expected = 'size';
    } else {
      const size = /^([0-9a-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new MalformedResponse('a chunk of it has no size');
      this.#remaining = Number.parseInt(size, 16);
      this.#expected = this.#remaining === 0 ? 'trailer' : 'end of chunk';
    }
  }

  /** Its fields mean nothing here, but what is none may be the start of something else. */
  #readTrailer(line: string): void {
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > bridgeLimits.maxResponseHeadBytes) throw new MalformedResponse('its trailer is too long');
    if (line === '') this.#isComplete = true;
    else readField(line);
  }
}
