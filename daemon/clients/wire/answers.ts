/**
 * What the server says, in the order in which it was asked: passes on what answers the program,
 * keeps what answers us, and puts our words in place of an error that quotes our mark. Rows pass as
 * they come and are kept nowhere; a slow program stops the server.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Gathered, gathered } from './gathered.ts';
import { errorResponse, fieldOf, headerBytes, letter, type SqlError, textAt } from './messages.ts';
import { wireLimits } from './wire-limits.ts';

export interface Expected {
  readonly kind: 'parse' | 'bind' | 'describe' | 'execute' | 'close' | 'sync';
  /** `query`: of a simple Query, which hears of no Parse, Bind or missing rows. */
  readonly whose: 'client' | 'query' | 'ours';
  /** Said instead of the server's error. */
  readonly refusal?: SqlError;
  /** Its notices are about us. */
  readonly isMuted?: boolean;
  /** Ours: gets each row. */
  readonly row?: (row: Buffer) => void;
  /** @param tag of an Execute. @param bytes of its rows. */
  readonly done?: (tag: string, bytes: number) => void;
  /** @param error the server's, or ours; null if it was skipped behind another's error. */
  readonly failed?: (error: Buffer | null) => void;
}

export interface AnswerEvents {
  /** The server skips everything up to the next Sync. */
  failed(): void;
  /** @param status of the transaction, as the server has it. */
  ready(status: string): void;
  /** The server contradicts the protocol, or what we hold fixed; or the result is too large. */
  broken(error: SqlError): void;
}

class OutOfTurn extends Error {}

/** Which answer ends which question. `t` and a COPY's messages end none. */
const ends: Readonly<Record<string, Expected['kind']>> = {
  '1': 'parse',
  '2': 'bind',
  '3': 'close',
  n: 'describe',
  T: 'describe',
  C: 'execute',
  I: 'execute',
  s: 'execute',
  Z: 'sync',
};
const within: Readonly<Record<string, Expected['kind']>> = { t: 'describe', H: 'execute', c: 'execute' };
const hiddenFromQuery = '12n3t';
/** With another value a text means something else than to the guard. */
const fixed: ReadonlyMap<string, string> = new Map([
  ['client_encoding', 'UTF8'],
  ['standard_conforming_strings', 'on'],
]);

export class Answers {
  readonly #line: Duplex;
  readonly #client: Socket;
  readonly #events: AnswerEvents;
  readonly #queue: Expected[] = [];
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of a row that are still to come, and whether they are the program's. */
  #passing = 0;
  #passes = false;
  /** Of the present Execute. */
  #resultBytes = 0;
  /** What a Sync's end makes us say goes in one packet with the rows before it. */
  readonly #out: Gathered;
  #isHeld = false;
  /** Since when the server works on what it is to answer next. */
  #since = performance.now();

  constructor(line: Duplex, client: Socket, events: AnswerEvents) {
    this.#line = line;
    this.#client = client;
    this.#events = events;
    this.#out = gathered(client, () => this.#hold());
    line.on('data', (chunk: Buffer) => this.#receive(chunk));
    client.on('drain', () => this.#release());
    line.resume();
  }

  expect(expected: Expected): void {
    if (this.#queue.length === 0) this.#since = performance.now();
    this.#queue.push(expected);
  }

  get isWaiting(): boolean {
    return this.#queue.length > 0;
  }

  /** How many answers are waited for. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Milliseconds. */
  get waitedFor(): number {
    return this.#queue.length === 0 ? 0 : performance.now() - this.#since;
  }

  /** True while nothing is read from the server, since the program doesn't read. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** To the program, behind what the server has said so far. */
  say(...bytes: readonly Buffer[]): void {
    for (const each of bytes) this.#out.add(each);
  }

  /** Call it before the program's side is ended. */
  flush(): void {
    this.#out.flush();
  }

  #hold(): void {
    if (this.#client.writableLength <= wireLimits.waitingBytes || this.#isHeld) return;
    this.#isHeld = true;
    this.#line.pause();
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#line.resume();
  }

  #receive(received: Buffer): void {
    const chunk = this.#rest.length === 0 ? received : Buffer.concat([this.#rest, received]);
    let at = 0;
    /** Everything between it and `at` passes as it is. */
    let from = 0;
    const passTo = (end: number): void => {
      if (end > from) this.#out.add(chunk.subarray(from, end));
      from = end;
    };
    try {
      while (at < chunk.length) {
        if (this.#passing > 0) {
          const bytes = Math.min(this.#passing, chunk.length - at);
          this.#passing -= bytes;
          if (!this.#passes) passTo(at);
          at += bytes;
          if (!this.#passes) from = at;
          continue;
        }
        if (chunk.length - at < headerBytes) break;
        const bytes = 1 + chunk.readInt32BE(at + 1);
        if (bytes < headerBytes) throw new OutOfTurn('an impossible length');
        const code = chunk[at];
        const [head] = this.#queue;
        if (code === dataRow || code === copyData) {
          if (head?.kind !== 'execute') throw new OutOfTurn('rows that nobody asked for');
          if (head.row === undefined) {
            this.#count(bytes, head);
            this.#passing = bytes;
            this.#passes = head.whose !== 'ours';
            continue;
          }
        }
        if (bytes > wireLimits.answerBytes) throw new OutOfTurn('a message that is too long');
        if (chunk.length - at < bytes) break;
        const message = chunk.subarray(at, at + bytes);
        const answer = code === dataRow ? this.#ownRow(message) : this.#answer(message);
        if (answer === 'pass') {
          at += bytes;
          continue;
        }
        passTo(at);
        at += bytes;
        from = at;
        if (answer !== 'keep') this.#out.add(answer);
      }
      passTo(at);
      this.#rest = chunk.subarray(at);
    } catch (error) {
      passTo(at);
      this.#rest = Buffer.alloc(0);
      this.#out.flush();
      const isTooLarge = error instanceof TooLarge;
      if (!(isTooLarge || error instanceof OutOfTurn || error instanceof RangeError)) throw error;
      const said = `The server spoke out of turn: ${error.message}.`;
      this.#events.broken(isTooLarge ? tooLarge : { code: '08P01', message: said });
      return;
    }
  }

  #count(bytes: number, { whose }: Expected): void {
    this.#resultBytes += bytes;
    if (whose !== 'ours' && this.#resultBytes > wireLimits.resultBytes) throw new TooLarge();
  }

  #ownRow(message: Buffer): 'keep' {
    this.#queue[0]?.row?.(message);
    return 'keep';
  }

  #answer(message: Buffer): 'pass' | 'keep' | Buffer {
    const type = letter(message);
    switch (type) {
      case 'E':
        return this.#fail(message);
      case 'N':
        return this.#queue[0]?.isMuted === true || this.#queue[0]?.whose === 'ours' ? 'keep' : 'pass';
      case 'S':
        return this.#parameter(message);
      case 'A':
        return 'keep';
    }
    const [head] = this.#queue;
    const kind = ends[type] ?? within[type];
    if (head === undefined || kind !== head.kind) throw new OutOfTurn(`a message ${JSON.stringify(type)}`);
    if (ends[type] === undefined)
      return head.whose === 'client' || (head.whose === 'query' && type !== 't') ? 'pass' : 'keep';
    this.#queue.shift();
    this.#since = performance.now();
    const bytes = this.#resultBytes;
    if (kind === 'execute') this.#resultBytes = 0;
    if (type === 'Z') {
      this.#events.ready(String.fromCharCode(message[headerBytes] ?? 0));
      return 'keep';
    }
    // A text that can't be parsed was.
    if (head.refusal !== undefined) throw new OutOfTurn('what was refused went through');
    head.done?.(type === 'C' ? message.toString('utf8', headerBytes, message.length - 1) : '', bytes);
    if (head.whose === 'ours') return 'keep';
    return head.whose === 'query' && hiddenFromQuery.includes(type) ? 'keep' : 'pass';
  }

  /** Everything behind it up to the Sync is skipped. */
  #fail(error: Buffer): 'pass' | 'keep' | Buffer {
    const [head] = this.#queue;
    this.#resultBytes = 0;
    if (head === undefined) return 'pass';
    if (head.kind !== 'sync') this.#queue.shift();
    this.#events.failed();
    const said = head.refusal === undefined ? error : errorResponse(head.refusal);
    head.failed?.(said);
    while (this.#queue.length > 0 && this.#queue[0]?.kind !== 'sync') this.#queue.shift()?.failed?.(null);
    return head.refusal === undefined ? 'pass' : said;
  }

  #parameter(message: Buffer): 'pass' | 'keep' {
    const name = textAt(message, headerBytes);
    const { text: value } = textAt(message, name.next);
    const only = fixed.get(name.text);
    if (only !== undefined && only !== value) throw new OutOfTurn(`${name.text} is ${value}`);
    // It changes whenever a superuser's transaction begins to read as somebody else.
    return name.text === 'is_superuser' ? 'keep' : 'pass';
  }

  /** The line has ended: nothing that is waited for will come. */
  end(): void {
    for (const expected of this.#queue.splice(0)) expected.failed?.(null);
  }
}

const dataRow = 0x44; // 'D'
const copyData = 0x64; // 'd'

class TooLarge extends Error {}

const tooLarge: SqlError = {
  code: '54000',
  message: `A result has more than ${wireLimits.resultBytes / 1024 / 1024} MiB, the most here, so this connection ends.`,
  hint: 'Read it in parts.',
};

/** The SQLSTATE of an error that is passed on. */
export const codeOf = (error: Buffer): string => fieldOf(error, 'C');
