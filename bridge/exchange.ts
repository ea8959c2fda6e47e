/** One request and its response on a connection: the bytes come in as they arrive and are given out as they are asked for. */

import { bridgeLimits } from './limits.ts';
import { ResponseBody } from './response-body.ts';
import { MalformedResponse, type ResponseHead, readHead } from './response-head.ts';

export interface Response {
  readonly head: ResponseHead;
  /** The next piece of the body; null after its last. Asked for one at a time. @throws when the connection ended before it. */
  next(): Promise<Buffer | null>;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

export class Exchange implements Response {
  readonly response: Promise<Response>;
  #settle: Waiting<Response> | null = null;
  #partOfHead: Buffer | null = null;
  /** Of all heads so far. */
  #headBytes = 0;
  #head: ResponseHead | null = null;
  #body: ResponseBody | null = null;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #waiting: Waiting<Buffer | null> | null = null;
  #failure: Error | null = null;
  readonly #onRoom: () => void;

  /** @param onRoom called whenever there is room for more after `isFull`. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  get head(): ResponseHead {
    if (this.#head === null) throw new Error('no response yet');
    return this.#head;
  }

  get isComplete(): boolean {
    return this.#body?.isComplete ?? false;
  }

  get isFull(): boolean {
    return this.#heldBytes > bridgeLimits.maxHeldBytes;
  }

  /** @returns what follows the response, which is nothing of its own. @throws MalformedResponse */
  push(bytes: Buffer): Buffer {
    let rest = bytes;
    while (this.#body === null) {
      const after = this.#readHead(rest);
      if (after === null) return Buffer.alloc(0);
      rest = after;
    }
    rest = this.#body.push(rest, piece => this.#take(piece));
    if (this.#body.isComplete) this.#complete();
    return rest;
  }

  /** The connection has ended in order, which some bodies wait for. */
  end(): void {
    this.#body?.end();
    if (this.isComplete) this.#complete();
  }

  fail(error: Error): void {
    if (this.isComplete || this.#failure !== null) return;
    this.#failure = error;
    this.#settle?.reject(error);
    this.#settle = null;
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  next(): Promise<Buffer | null> {
    const piece = this.#held.shift();
    if (piece !== undefined) {
      const wasFull = this.isFull;
      this.#heldBytes -= piece.length;
      if (wasFull && !this.isFull) this.#onRoom();
      return Promise.resolve(piece);
    }
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.isComplete) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** An interim response (1xx) is read and forgotten (RFC 9110 §15.2). @returns what follows the head; null before its end. */
  #readHead(bytes: Buffer): Buffer | null {
    const whole = this.#partOfHead === null ? bytes : Buffer.concat([this.#partOfHead, bytes]);
    const end = whole.indexOf('\r\n\r\n');
    if (this.#headBytes + (end === -1 ? whole.length : end) > bridgeLimits.maxResponseHeadBytes)
      throw new MalformedResponse('its head is too long');
    this.#partOfHead = end === -1 ? whole : null;
    if (end === -1) return null;
    this.#headBytes += end;
    const head = readHead(whole.toString('latin1', 0, end));
    if (head.status === 101) throw new MalformedResponse('it would change the protocol');
    if (head.status >= 200) {
      this.#head = head;
      this.#body = new ResponseBody(head.framing);
      this.#settle?.resolve(this);
      this.#settle = null;
    }
    return whole.subarray(end + 4);
  }

  #take(piece: Buffer): void {
    if (this.#waiting === null) {
      this.#held.push(piece);
      this.#heldBytes += piece.length;
    } else {
      this.#waiting.resolve(piece);
      this.#waiting = null;
    }
  }

  #complete(): void {
    this.#waiting?.resolve(null);
    this.#waiting = null;
  }
}
