/**
 * One authenticated connection to MySQL or MariaDB. It sends commands, hands the server's bytes to
 * the answer's reader, and knows when it has become useless. It never holds a whole row: a cell of
 * 200 MB would grow the daemon by several times that.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Endpoint } from '../../access/connection.ts';
import { Intake } from '../intake.ts';
import { type AnswerLimits, AnswerReader, type AnswerSink, type ServerAnswer } from './wire/answer-reader.ts';
import { commandPackets, PacketSplitter, ProtocolViolation } from './wire/packets.ts';

const command = { query: 0x03, reset: 0x1f } as const;

export type ServerKind = 'mariadb' | 'mysql';

/** The time limits that a new session has from the server, in seconds; infinite for none. */
export interface OwnLimits {
  readonly statement: number;
  readonly rowLock: number;
  readonly tableLock: number;
}

export const unlimited: OwnLimits = {
  statement: Number.POSITIVE_INFINITY,
  rowLock: Number.POSITIVE_INFINITY,
  tableLock: Number.POSITIVE_INFINITY,
};

/** The stream of bytes, and the TCP or Unix socket beneath it (a different object under TLS). */
interface Wire {
  readonly stream: Duplex;
  readonly socket: Socket;
}

/** What the handshake said about the server. */
export interface Hello {
  readonly connectionId: number;
  readonly serverVersion: string;
}

/** An answer and what came with it. */
export interface Reply {
  readonly answer: ServerAnswer;
  readonly invalidUtf8: boolean;
}

const ignoreRows: AnswerSink = { columns: () => {}, row: () => true };
/** Limits for our own commands, whose answers are short. */
const ownLimits: AnswerLimits = { cellBytes: 16 * 1024 * 1024, wireBytes: 64 * 1024 * 1024 };

/** When each server was heard last, on whichever connection; monotonic milliseconds. */
const heardAt = new WeakMap<Endpoint, number>();

/** A command that was sent, and its caller. */
interface Sent {
  readonly reader: AnswerReader;
  /** Sequence number of the answer's first packet. */
  readonly sequence: number;
  readonly mustSucceed: boolean;
  settle(reply: Reply): void;
  reject(error: unknown): void;
}

export class Session {
  /** Which of the connection's servers this is. */
  readonly endpoint: Endpoint;
  /** The server's id of this connection, for `KILL`. */
  readonly threadId: number;
  readonly server: ServerKind;
  readonly serverVersion: string;
  /** True once the server has refused an XA transaction; Galera and TiDB have none. */
  lacksXa = false;
  /** The server's words if it has refused transactions that only read, as TiDB does; else null. */
  readOnlyRefused: string | null = null;
  /** True if the server didn't show that this transaction only reads. */
  hidesReadOnly = false;
  /** A read-only XA transaction that waits for the next read; null if there is none. */
  waitingRead: string | null = null;
  /** True once the server has answered several commands that were sent in one write. */
  takesSeveral = false;
  /** Our last SET of the session's time limits, which a reset undoes; null before the first. */
  timeLimits: string | null = null;
  /** The limits that a new session has before we set any. */
  own: OwnLimits = unlimited;
  /** For a connection that ended: how long nothing had come in answer to its command. */
  silentMilliseconds = 0;
  /** For a connection that ended: how long nothing had come on any connection to its server. */
  serverSilentMilliseconds = 0;
  /** Called once when the connection has become useless, for whatever reason. */
  onEnd: () => void = () => {};
  readonly #wire: Wire;
  readonly #intake: Intake;
  readonly #splitter = new PacketSplitter();
  /** Commands without an answer yet; the one that is being answered comes first. */
  #sent: Sent[] = [];
  readonly #ahead: { readonly packets: Packets; readonly mustSucceed: boolean }[] = [];
  readonly #behind: { readonly packets: Packets; readonly sink: AnswerSink; settle(reply: Reply): void }[] = [];
  #sentAt = 0;
  #dead = false;
  #whenDead: (() => void) | null = null;

  /** @param wire its stream has no reader: the next bytes answer our next command. */
  constructor(wire: Wire, endpoint: Endpoint, hello: Hello) {
    this.#wire = wire;
    this.endpoint = endpoint;
    this.threadId = hello.connectionId;
    this.serverVersion = hello.serverVersion;
    this.server = /mariadb/i.test(hello.serverVersion) ? 'mariadb' : 'mysql';
    this.#intake = new Intake(wire.stream);
    wire.stream.on('data', chunk => this.#receive(chunk));
    wire.stream.on('error', () => this.#lose('The connection to the server broke.'));
    wire.stream.on('end', () => this.#lose(closed));
    wire.stream.on('close', () => this.#lose(closed));
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** @param notice called once if the connection dies while nothing runs on it. */
  whenDead(notice: (() => void) | null): void {
    this.#whenDead = notice;
  }

  /**
   * Runs one statement by the text protocol. The server refuses several in one text, since we never
   * negotiate that. A lost connection is an answer, too; rejects only with what the sink threw.
   */
  async query(sql: string, sink: AnswerSink = ignoreRows, limits: AnswerLimits = ownLimits): Promise<Reply> {
    const [reply] = this.#send([queryPackets(sql)], sink, limits);
    return (await reply) ?? lostReply(closed);
  }

  /** Runs a statement of ours, and drops its rows if it gives any. */
  async ask(sql: string): Promise<ServerAnswer> {
    return (await this.query(sql)).answer;
  }

  /**
   * Resets the session (rolls back, unlocks, forgets variables, temporary tables and prepared
   * statements; keeps the default database), then runs statements of ours, each regardless of the
   * ones before. All travel in one write.
   * @returns the answers in order, the reset's first
   */
  reset(statements: readonly string[] = []): Promise<readonly ServerAnswer[]> {
    return answersOf(this.#send(resetPackets(statements), ignoreRows, ownLimits));
  }

  /**
   * Does the same as `reset`, but sends it behind the next command, in the same write. It runs
   * whatever that command's answer is.
   */
  resetBehind(statements: readonly string[]): Promise<readonly ServerAnswer[]> {
    const behind = resetPackets(statements);
    return answersOf(behind.map(packets => this.#replyBehind(packets, ignoreRows)));
  }

  /** Sends a question of ours behind the next command, in the same write. */
  queryBehind(sql: string, sink: AnswerSink): Promise<Reply> {
    return this.#replyBehind(queryPackets(sql), sink);
  }

  #replyBehind(packets: Packets, sink: AnswerSink): Promise<Reply> {
    return new Promise(settle => void this.#behind.push({ packets, sink, settle }));
  }

  /**
   * Sends a statement of ours ahead of the next command, in its write, without waiting for the
   * answer.
   * @param mustSucceed if it fails, the connection ends, and what was sent behind it counts as lost
   */
  sendAhead(sql: string, mustSucceed: boolean): void {
    this.#ahead.push({ packets: queryPackets(sql), mustSucceed });
  }

  /** A socket in use keeps the process alive; an idle one doesn't. */
  keepsProcess(keeps: boolean): void {
    if (keeps) this.#wire.socket.ref();
    else this.#wire.socket.unref();
  }

  /** Idempotent; a running command ends as lost. */
  destroy(): void {
    this.#lose('The connection was closed.');
  }

  #send(commands: readonly Packets[], sink: AnswerSink, limits: AnswerLimits): Promise<Reply>[] {
    if (this.#sent.length > 0) throw new Error('a MySQL connection takes one command at a time');
    const ahead = this.#ahead.splice(0);
    const behind = this.#behind.splice(0);
    if (this.#dead) {
      for (const { settle } of behind) settle(lostReply(closed));
      return commands.map(async () => lostReply(closed));
    }
    for (const { packets, mustSucceed } of ahead) void this.#replyTo(packets, ignoreRows, ownLimits, mustSucceed);
    const replies = commands.map(packets => this.#replyTo(packets, sink, limits));
    for (const { packets, sink: own, settle } of behind) void this.#replyTo(packets, own, ownLimits).then(settle);
    this.#sentAt = performance.now();
    this.#splitter.expect(this.#sent[0]?.sequence ?? 0);
    const all = [...ahead.map(({ packets }) => packets), ...commands, ...behind.map(({ packets }) => packets)];
    this.#wire.stream.write(Buffer.concat(all.map(({ bytes }) => bytes)));
    return replies;
  }

  #replyTo({ count }: Packets, sink: AnswerSink, limits: AnswerLimits, mustSucceed = false): Promise<Reply> {
    return new Promise((settle, reject) => {
      const reader = new AnswerReader(sink, limits);
      this.#sent.push({ reader, sequence: count, mustSucceed, settle, reject });
    });
  }

  #receive(chunk: Buffer): void {
    this.#intake.took(chunk.length);
    heardAt.set(this.endpoint, performance.now());
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#dead) return;
      const [sent] = this.#sent;
      // Nothing was asked. A server that shuts down may announce that; anything else is not to be
      // trusted. Either way the connection is of no more use.
      if (sent === undefined) {
        this.#lose(closed);
        return;
      }
      rest = rest.subarray(this.#read(rest, sent));
    }
  }

  /** @returns how many bytes belong to this answer; the rest belong to the next. */
  #read(chunk: Buffer, sent: Sent): number {
    const { reader } = sent;
    let read = 0;
    try {
      reader.beforeChunk(chunk.length);
      read = this.#splitter.push(chunk, reader);
      reader.afterChunk();
    } catch (error) {
      if (error instanceof ProtocolViolation) this.#lose(`The server broke the MySQL protocol: ${error.message}.`);
      else this.#fail(sent, error);
      return chunk.length;
    }
    const { answer } = reader;
    if (answer === null) {
      this.#waitWhileFull(reader);
      return chunk.length;
    }
    const next = this.#sent[1];
    // Bytes after the answer's end belong to no question, unless another was sent.
    const isForeign = next === undefined && read < chunk.length;
    this.#sent.shift();
    const isOver = answer.kind === 'stopped' || (sent.mustSucceed && answer.kind !== 'ok');
    if (isOver || isForeign || !this.#splitter.idle) this.#kill('The connection was closed.');
    else if (next !== undefined) this.#splitter.expect(next.sequence);
    sent.settle({ answer, invalidUtf8: reader.notes.invalidUtf8 });
    return this.#dead ? chunk.length : read;
  }

  #waitWhileFull(reader: AnswerReader): void {
    const { full } = reader;
    if (full === null) return;
    this.#intake.hold();
    void full.then(() => this.#intake.release());
  }

  /** The caller's sink threw: only that caller gets the error. */
  #fail(sent: Sent, error: unknown): void {
    this.#sent.shift();
    this.#kill('The connection was closed.');
    sent.reject(error);
  }

  #lose(message: string): void {
    if (this.#dead) return;
    const isIdle = this.#sent.length === 0;
    this.#kill(message);
    if (isIdle) this.#whenDead?.();
  }

  #kill(message: string): void {
    // A sink may end its session and then throw.
    if (this.#dead) return;
    this.#dead = true;
    if (this.#sent.length > 0) this.silentMilliseconds = this.#intake.silentSince(this.#sentAt);
    this.serverSilentMilliseconds = performance.now() - (heardAt.get(this.endpoint) ?? 0);
    this.onEnd();
    for (const { settle } of [...this.#sent.splice(0), ...this.#behind.splice(0)]) settle(lostReply(message));
    this.#wire.stream.destroy();
    this.#wire.socket.destroy();
  }
}

type Packets = ReturnType<typeof commandPackets>;

const closed = 'The server closed the connection.';

function queryPackets(sql: string): Packets {
  return commandPackets(command.query, Buffer.from(sql, 'utf8'));
}

function resetPackets(statements: readonly string[]): Packets[] {
  return [commandPackets(command.reset, Buffer.alloc(0)), ...statements.map(queryPackets)];
}

async function answersOf(replies: readonly Promise<Reply>[]): Promise<readonly ServerAnswer[]> {
  return (await Promise.all(replies)).map(({ answer }) => answer);
}

function lostReply(message: string): Reply {
  return { answer: { kind: 'lost', message }, invalidUtf8: false };
}
