/**
 * The other end of a PostgreSQL client's line, as an impostor or a relay has it: reads message by
 * message what the client sends, in the clear, and keeps all of it.
 */

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What clients have sent to one place, after any TLS. */
export class Journal {
  #bytes: Buffer[] = [];
  /** Letters of the messages after the start-up. */
  letters: string[] = [];

  add(bytes: Buffer): void {
    this.#bytes.push(bytes);
  }

  get text(): string {
    return Buffer.concat(this.#bytes).toString('latin1');
  }

  clear(): void {
    this.#bytes = [];
    this.letters = [];
  }
}

interface ServedCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

const sslRequestBytes = 8;

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function message(letter: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

/** What a server says once it has let a client in. */
export const ready = Buffer.concat([
  message('S', 'server_encoding\0UTF8\0'),
  message('K', int32(1), int32(2)),
  message('Z', 'I'),
]);
export const letIn = Buffer.concat([message('R', int32(0)), ready]);

export class Visitor {
  readonly #journal: Journal;
  #line: Socket;
  #read: Buffer = Buffer.alloc(0);
  #told: () => void = () => {};
  #isGone = false;

  constructor(socket: Socket, journal: Journal) {
    this.#journal = journal;
    this.#line = this.#listen(socket);
  }

  get line(): Socket {
    return this.#line;
  }

  #listen(line: Socket): Socket {
    line.on('data', (bytes: Buffer) => {
      this.#read = Buffer.concat([this.#read, bytes]);
      this.#told();
    });
    line.on('error', () => {});
    line.on('close', () => {
      this.#isGone = true;
      this.#told();
    });
    return line;
  }

  async #take(count: number): Promise<Buffer> {
    while (this.#read.length < count) {
      if (this.#isGone) throw new Error('the client left');
      await new Promise<void>(resolve => {
        this.#told = resolve;
      });
    }
    const taken = this.#read.subarray(0, count);
    this.#read = this.#read.subarray(count);
    return taken;
  }

  /**
   * @param tls answers the client's wish for it; null says that there is none.
   * @returns the start-up message, whole.
   */
  async startUp(tls: ServedCertificate | null): Promise<Buffer> {
    const length = await this.#take(4);
    const rest = await this.#take(length.readInt32BE(0) - 4);
    const first = Buffer.concat([length, rest]);
    if (first.length !== sslRequestBytes) {
      this.#journal.add(first);
      return first;
    }
    if (tls === null) {
      this.#line.write('N');
    } else {
      const socket = this.#line;
      socket.removeAllListeners('data');
      const secure = new TLSSocket(socket, { isServer: true, ...tls });
      socket.write('S');
      this.#line = this.#listen(secure);
    }
    return this.startUp(tls);
  }

  /** The next message, whole. */
  async message(): Promise<Buffer> {
    const header = await this.#take(5);
    const whole = Buffer.concat([header, await this.#take(header.readInt32BE(1) - 4)]);
    this.#journal.add(whole);
    this.#journal.letters.push(String.fromCharCode(whole[0] ?? 0));
    return whole;
  }

  send(...parts: readonly Buffer[]): void {
    this.#line.write(Buffer.concat(parts));
  }

  /** Reads on until the client leaves. */
  async hearOut(): Promise<void> {
    for (;;) await this.message();
  }
}
