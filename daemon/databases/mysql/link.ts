/**
 * One authenticated connection: sends a command, hands the server's bytes to the answer's reader, and knows when it is
 * of no more use. mysql2 has dialled it; from here on its packet layer is left out, because that holds whole rows in
 * memory, where one cell of 200 MB would grow the daemon by several times that.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Endpoint } from '../../access/connection.ts';
import { type AnswerLimits, AnswerReader, type AnswerSink, type ServerAnswer } from './answer.ts';
import { commandPackets, PacketSplitter, ProtocolViolation } from './packets.ts';

const command = { query: 0x03, reset: 0x1f } as const;

export type ServerKind = 'mariadb' | 'mysql';

/** What carries the bytes, and the TCP or Unix socket under it, which is another object where it is TLS. */
interface Wire {
  readonly stream: Duplex;
  readonly socket: Socket;
}

/** What the handshake told of the server. */
export interface Hello {
  readonly connectionId: number;
  readonly serverVersion: string;
}

/** What an answer was, and what came with it. */
export interface Reply {
  readonly answer: ServerAnswer;
  readonly invalidUtf8: boolean;
}

const ignoreRows: AnswerSink = { columns: () => {}, row: () => true };
/** For our own commands, whose answers are short. */
const ownLimits: AnswerLimits = { cellBytes: 16 * 1024 * 1024, wireBytes: 64 * 1024 * 1024 };

export class Link {
  /** The server that it is with, of the connection's several. */
  readonly endpoint: Endpoint;
  /** The server's number of this connection, for `KILL`. */
  readonly threadId: number;
  readonly server: ServerKind;
  readonly serverVersion: string;
  /** What a SET of ours gave the session's time limits, which a reset undoes; null before the first. */
  /** Once the server has refused one: Galera and TiDB have none. */
  lacksXa = false;
  timeLimits: string | null = null;
  readonly #wire: Wire;
  readonly #splitter = new PacketSplitter();
  #reader: AnswerReader | null = null;
  #settle: ((reply: Reply) => void) | null = null;
  #reject: ((error: unknown) => void) | null = null;
  #dead = false;
  #whenDead: (() => void) | null = null;

  /** @param wire its stream has no reader: the next bytes answer our next command. */
  constructor(wire: Wire, endpoint: Endpoint, hello: Hello) {
    this.#wire = wire;
    this.endpoint = endpoint;
    this.threadId = hello.connectionId;
    this.serverVersion = hello.serverVersion;
    this.server = /mariadb/i.test(hello.serverVersion) ? 'mariadb' : 'mysql';
    wire.stream.on('data', chunk => this.#receive(chunk));
    wire.stream.on('error', () => this.#lose('The connection to the server broke.'));
    wire.stream.on('end', () => this.#lose('The server closed the connection.'));
    wire.stream.on('close', () => this.#lose('The server closed the connection.'));
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Called once when the connection dies while nothing runs on it. */
  whenDead(notice: (() => void) | null): void {
    this.#whenDead = notice;
  }

  /** One statement through the text protocol; the server refuses several, as we never negotiated them. */
  query(sql: string, sink: AnswerSink = ignoreRows, limits: AnswerLimits = ownLimits): Promise<Reply> {
    return this.#send(command.query, Buffer.from(sql, 'utf8'), sink, limits);
  }

  /** Rolls back, unlocks, and forgets variables, temporary tables and prepared statements; not the default database. */
  reset(): Promise<Reply> {
    return this.#send(command.reset, Buffer.alloc(0), ignoreRows, ownLimits);
  }

  /** A socket in use keeps the process alive, an idle one doesn't. */
  keepsProcess(keeps: boolean): void {
    if (keeps) this.#wire.socket.ref();
    else this.#wire.socket.unref();
  }

  /** Idempotent; a command under way ends as lost. */
  destroy(): void {
    this.#lose('The connection was closed.');
  }

  #send(kind: number, body: Buffer, sink: AnswerSink, limits: AnswerLimits): Promise<Reply> {
    if (this.#dead) {
      return Promise.resolve({
        answer: { kind: 'lost', message: 'The server closed the connection.' },
        invalidUtf8: false,
      });
    }
    if (this.#reader !== null) throw new Error('a MySQL connection runs one command at a time');
    const { bytes, count } = commandPackets(kind, body);
    this.#splitter.expect(count);
    this.#reader = new AnswerReader(sink, limits);
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
      this.#wire.stream.write(bytes);
    });
  }

  #receive(chunk: Buffer): void {
    const reader = this.#reader;
    if (this.#dead) return;
    // Nothing was asked: a server that goes down says so, and anything else is not to be trusted.
    if (reader === null) {
      this.#lose('The server closed the connection.');
      return;
    }
    let read = 0;
    try {
      reader.beforeChunk(chunk.length);
      read = this.#splitter.push(chunk, reader);
      reader.afterChunk();
    } catch (error) {
      if (error instanceof ProtocolViolation) {
        this.#lose(`The server broke the MySQL protocol: ${error.message}.`);
      } else {
        this.#fail(error);
      }
      return;
    }
    const answer = reader.answer;
    if (answer === null) {
      this.#waitWhileFull(reader);
      return;
    }
    // Bytes behind the end of an answer belong to no question of ours.
    if (answer.kind === 'stopped' || read < chunk.length || !this.#splitter.idle) this.#kill();
    this.#finish(answer);
  }

  #waitWhileFull(reader: AnswerReader): void {
    const { full } = reader;
    if (full === null) return;
    const { stream } = this.#wire;
    stream.pause();
    void full.then(() => stream.resume());
  }

  #finish(answer: ServerAnswer): void {
    const reader = this.#reader;
    const settle = this.#settle;
    this.#reader = null;
    this.#settle = null;
    settle?.({ answer, invalidUtf8: reader?.notes.invalidUtf8 ?? false });
  }

  /** The caller's sink threw: its bug, told to it alone. */
  #fail(error: unknown): void {
    this.#kill();
    this.#reader = null;
    this.#settle = null;
    this.#reject?.(error);
  }

  #lose(message: string): void {
    if (this.#dead) return;
    this.#kill();
    if (this.#settle !== null) this.#finish({ kind: 'lost', message });
    else this.#whenDead?.();
  }

  #kill(): void {
    this.#dead = true;
    this.#wire.stream.destroy();
    this.#wire.socket.destroy();
  }
}
