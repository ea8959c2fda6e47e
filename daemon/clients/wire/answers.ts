/**
 * Takes what the server says, in the order in which it was asked. It passes on what answers the
 * program, keeps what answers us, and puts a refusal in place of the error that our mark caused.
 * Rows pass as they come and are kept nowhere; while the program is slow, the server isn't read.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Gathered, gathered } from './gathered.ts';
import { errorResponse, headerBytes, letter, type SqlError, textAt } from './messages.ts';
import { wireLimits } from './wire-limits.ts';

/** One answer that is waited for. */
export interface Expected {
  readonly kind: 'parse' | 'bind' | 'describe' | 'execute' | 'close' | 'sync';
  /** Whom it answers. A simple `query` hears of no Parse or Bind, nor that there are no rows. */
  readonly whose: 'client' | 'query' | 'ours';
  /** What the program is told instead of the server's error. */
  readonly refusal?: SqlError;
  /** True if its notices are about our texts, and not for the program. */
  readonly isMuted?: boolean;
  /** For an Execute of ours: gets each row. */
  readonly row?: (row: Buffer) => void;
  /** @param tag the command tag that ended an Execute; '' for anything else. */
  readonly done?: (tag: string) => void;
  /** @param error the server's, or ours; null if it was skipped behind another's error. */
  readonly failed?: (error: Buffer | null) => void;
}

export interface AnswerEvents {
  /** The server skips everything up to the next Sync. */
  failed(): void;
  /** @param status of the transaction, as the server has it. */
  ready(status: string): void;
  /** The server contradicts the protocol or a fixed setting, or a result is too large. */
  broken(error: SqlError): void;
}

/** The server has sent what the protocol doesn't allow here. */
class OutOfTurn extends Error {}

/** Which message ends the answer to which question. */
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
/** Messages within an answer, which end none. */
const within: Readonly<Record<string, Expected['kind']>> = { t: 'describe', H: 'execute', c: 'execute' };
const hiddenFromQuery = '12n3t';
/** Settings that stay as they are: with another value a text would not mean what the guard read. */
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
  /** The bytes of the present Execute's rows so far. */
  #resultBytes = 0;
  /** What goes to the program: our words at a Sync's end share a packet with the rows before. */
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

  /** For how many milliseconds the server has worked on the answer that comes next. */
  get waitedFor(): number {
    return this.#queue.length === 0 ? 0 : performance.now() - this.#since;
  }

  /** True while nothing is read from the server, since the program doesn't read. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Says something to the program, behind what the server has said so far. */
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
    /** Where the part begins that passes as it is, up to `at`. */
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
    if (kind === 'execute') this.#resultBytes = 0;
    if (type === 'Z') {
      this.#events.ready(String.fromCharCode(message[headerBytes] ?? 0));
      return 'keep';
    }
    // The server has parsed a mark that no server can parse.
    if (head.refusal !== undefined) throw new OutOfTurn('what was refused went through');
    head.done?.(type === 'C' ? message.toString('utf8', headerBytes, message.length - 1) : '');
    if (head.whose === 'ours') return 'keep';
    return head.whose === 'query' && hiddenFromQuery.includes(type) ? 'keep' : 'pass';
  }

  /** Takes an error. The server skips everything behind the failed message, up to the Sync. */
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
    // This one changes whenever a superuser's transaction of ours begins to read as another role.
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
