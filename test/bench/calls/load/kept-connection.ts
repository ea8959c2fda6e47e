/**
 * One kept connection to an HTTP server of this machine, one request at a time. Node's own client
 * takes as much time per call as some of the measured servers, on the same processors.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  /** As received, one header per line. */
  readonly headers: string;
  readonly body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

export class KeptConnection {
  readonly #socket: Socket;
  #waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | null = null;
  #received: Buffer[] = [];
  #length = 0;
  #head: {
    readonly status: number;
    readonly headers: string;
    readonly end: number;
    readonly bytes: number | null;
  } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#take(chunk));
    socket.on('error', error => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
  }

  static async open(port: number): Promise<KeptConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new KeptConnection(socket);
  }

  /** @param head request line and headers, each ended by CR LF, without Content-Length. */
  post(head: string, body: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#length += chunk.length;
    this.#head ??= this.#readHead();
    const head = this.#head;
    if (head === null) return;
    if (head.bytes !== null && this.#length < head.end + head.bytes) return;
    const isLast = head.bytes !== null || this.#together().subarray(-lastChunk.length).equals(lastChunk);
    if (!isLast) return;
    const rest = this.#together().subarray(head.end);
    const body = head.bytes === null ? withoutChunks(rest) : rest;
    this.#received = [];
    this.#length = 0;
    this.#head = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: head.status, headers: head.headers, body });
  }

  #together(): Buffer {
    const [first = Buffer.alloc(0)] = this.#received;
    if (this.#received.length === 1) return first;
    const all = Buffer.concat(this.#received);
    this.#received = [all];
    return all;
  }

  #readHead() {
    const end = this.#together().indexOf(headEnd);
    if (end === -1) return null;
    const headers = this.#together().toString('latin1', 0, end);
    const length = /^content-length: *(\d+)/im.exec(headers)?.[1];
    const bytes = length === undefined ? null : Number(length);
    const status = Number(headers.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const isEmpty = bytes === null && !/^transfer-encoding: *chunked/im.test(headers);
    return { status, headers, end: end + headEnd.length, bytes: isEmpty ? 0 : bytes };
  }
}

function withoutChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
