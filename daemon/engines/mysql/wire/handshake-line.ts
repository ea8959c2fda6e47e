/**
 * The packets of a sign-in, one at a time and whole: reads the next, sends the next, and moves to
 * TLS between two. Bounds what is kept. Knows no packet's meaning.
 */

import type { Duplex } from 'node:stream';
import { framed, ProtocolViolation } from './packets.ts';

/**
 * A handshake takes some hundred bytes; a server that sends this much before we are in is hostile.
 */
const mostBytes = 256 * 1024;

export const closedUnanswered = 'the server closed the connection before it was ready';

export class HandshakeLine {
  #stream: Duplex;
  #bytes = Buffer.alloc(0);
  #received = 0;
  #sequence = 0;
  #end: Error | null = null;
  #wake: () => void = () => {};
  readonly #onData = (chunk: Buffer): void => {
    this.#received += chunk.length;
    if (this.#received > mostBytes) this.fail(new ProtocolViolation('it sent too much before the sign-in'));
    else this.#bytes = Buffer.concat([this.#bytes, chunk]);
    this.#wake();
  };
  readonly #onError = (error: Error): void => this.fail(error);
  readonly #onClose = (): void => this.fail(new Error(closedUnanswered));

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.#listen();
  }

  /** Ends the reading with this error, unless it has ended. */
  fail(error: Error): void {
    this.#end ??= error;
    this.#wake();
  }

  /** @returns the next packet's payload. @throws ProtocolViolation; what ended the stream. */
  async packet(): Promise<Buffer> {
    for (;;) {
      const payload = this.#next();
      if (payload !== null) return payload;
      if (this.#end !== null) throw this.#end;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  send(payload: Buffer): void {
    this.#stream.write(framed(this.#sequence, payload));
    this.#sequence += 1;
  }

  /**
   * An attacker on the line could put clear-text packets behind the greeting, to be read as the
   * server's once TLS stands.
   * @returns the stream, which this no longer reads. @throws if more came than was read.
   */
  leave(): Duplex {
    if (this.#end !== null) throw this.#end;
    if (this.#bytes.length > 0) throw new ProtocolViolation('it sent more than it was asked for');
    this.#stream.off('data', this.#onData);
    return this.#stream;
  }

  /** Goes on over a stream that lies on the one it left. */
  moveTo(stream: Duplex): void {
    this.#stream = stream;
    this.#listen();
  }

  #listen(): void {
    this.#stream.on('data', this.#onData);
    this.#stream.on('error', this.#onError);
    this.#stream.on('close', this.#onClose);
  }

  #next(): Buffer | null {
    if (this.#bytes.length < 4) return null;
    const length = this.#bytes.readUIntLE(0, 3);
    if (length > mostBytes) throw new ProtocolViolation('it sent too much before the sign-in');
    if (this.#bytes[3] !== (this.#sequence & 0xff)) throw new ProtocolViolation('a packet arrived out of order');
    if (this.#bytes.length < 4 + length) return null;
    const payload = this.#bytes.subarray(4, 4 + length);
    this.#bytes = this.#bytes.subarray(4 + length);
    this.#sequence += 1;
    return payload;
  }
}
