/** One connection to the control socket, for `identify` only. The caller judges the answer. */

import { createConnection, type Socket } from 'node:net';
import { controlProtocolVersion, type IdentifyParams, maxControlLineBytes, sshAgentHere } from './control.ts';
import { isObject } from './json.ts';
import { LineSplitter } from './lines.ts';

/** No answer came in time, and the connection is still open: the daemon is busy, or hangs. */
export const silence = Symbol('silence');

export class ControlLink {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #asked = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const lines = new LineSplitter(maxControlLineBytes);
    socket.on('data', chunk => {
      try {
        for (const line of lines.push(chunk)) this.#hear(line);
      } catch {
        socket.destroy();
      }
    });
    socket.on('close', () => this.#settleAll());
  }

  /** Null if nobody listens at the path. */
  static open(path: string): Promise<ControlLink | null> {
    return new Promise(resolve => {
      const socket = createConnection(path);
      socket.once('connect', () => resolve(new ControlLink(socket)));
      socket.on('error', () => resolve(null));
    });
  }

  get closed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  onClose(listener: () => void): void {
    this.#socket.once('end', listener);
    this.#socket.once('close', listener);
  }

  /**
   * The result of `identify` unchanged; `{ error }` if it was refused; `silence`; null if the
   * connection ended.
   */
  identify(nonce: string, timeoutMilliseconds: number): Promise<unknown> {
    if (this.closed) return Promise.resolve(null);
    const id = ++this.#asked;
    const params: IdentifyParams = { nonce, protocol: controlProtocolVersion, ...sshAgentHere(process.env) };
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#settle(id, silence), timeoutMilliseconds);
      this.#waiting.set(id, answer => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'identify', params })}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(line: string): void {
    const message: unknown = JSON.parse(line);
    if (!isObject(message) || typeof message.id !== 'number') return;
    const { result, error } = message;
    this.#settle(message.id, error === undefined ? result : { error });
  }

  #settle(id: number, answer: unknown): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.(answer);
  }

  #settleAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
  }
}
