/**
 * One HTTP connection to the daemon, proven after it was made and before its first byte (spec §2 Trust): a daemon that is switched
 * off, stops or moves to another port leaves its old port to whoever takes it, while its control connection still stands. Carries
 * one request at a time.
 */

import { connect, type Socket } from 'node:net';
import { elapsedMilliseconds } from './elapsed.ts';
import { Exchange, type Response } from './exchange.ts';
import { bridgeLimits } from './limits.ts';
import { NotSent } from './sending-failures.ts';

const nothing = () => {};

export class ProvenConnection {
  readonly #socket: Socket;
  #exchange: Exchange | null = null;
  #onOver: () => void = nothing;
  /** On `elapsedMilliseconds()`. */
  #idleUntil = Number.POSITIVE_INFINITY;

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, keepAlive: true });
    this.#socket.on('data', bytes => this.#hear(bytes));
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('error', error => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  /**
   * To be awaited before the first request.
   * @param prove asked once the connection stands; false, and it is dropped unused.
   * @throws NotSent
   */
  proven(prove: () => Promise<boolean>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('close', () => reject(new NotSent('no connection to the proven daemon')));
      this.#socket.once('connect', async () => {
        // What has ended meanwhile can carry nothing, and nothing has left yet.
        if ((await prove().catch(() => false)) && this.isUsable) resolve();
        else this.drop();
      });
    });
  }

  get isUsable(): boolean {
    const { destroyed, readableEnded } = this.#socket;
    return !destroyed && !readableEnded && elapsedMilliseconds() < this.#idleUntil;
  }

  /**
   * @param onOver called once, when nothing more of this request comes.
   * @returns once the head of the response is there. @throws when the connection ends before.
   */
  send(request: Buffer, onOver: () => void): Promise<Response> {
    const exchange = new Exchange(() => this.#socket.resume());
    this.#exchange = exchange;
    this.#onOver = onOver;
    this.#socket.write(request);
    return exchange.response;
  }

  drop(): void {
    this.#socket.destroy();
    this.#fail(new Error('the connection was dropped'));
  }

  #hear(bytes: Buffer): void {
    const exchange = this.#exchange;
    // Bytes that answer nothing: the response to the next request could not be told from them.
    if (exchange === null) {
      this.drop();
      return;
    }
    try {
      const rest = exchange.push(bytes);
      if (exchange.isComplete) this.#completed(exchange, rest.length === 0);
      else if (exchange.isFull) this.#socket.pause();
    } catch (error) {
      this.#fail(error as Error);
      this.#socket.destroy();
    }
  }

  #completed({ head: { idleSeconds } }: Exchange, wasAll: boolean): void {
    // An answer that came before its request was sent leaves the rest of that in the way of the next.
    if (!wasAll || idleSeconds === 0 || this.#socket.writableLength > 0) this.#socket.destroy();
    this.#idleUntil = elapsedMilliseconds() + idleSeconds * 1_000 - bridgeLimits.crossingMilliseconds;
    this.#over();
  }

  #ended(): void {
    this.#exchange?.end();
    this.#fail(new Error('the connection ended'));
  }

  /** Nothing, to a response that is complete. */
  #fail(error: Error): void {
    this.#exchange?.fail(error);
    this.#over();
  }

  #over(): void {
    const onOver = this.#onOver;
    this.#exchange = null;
    this.#onOver = nothing;
    onOver();
  }
}
