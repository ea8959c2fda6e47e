/**
 * PostgreSQL's protocol as an attacker speaks it: any bytes, and what came back. It checks nothing
 * and asks for nothing by itself.
 */

import { connect, type Socket } from 'node:net';
import { here } from '../../waiting/limits.ts';

/** PostgreSQL 3.0 in a start-up packet. */
const protocolVersion = 196608;
const patienceMilliseconds = 10_000;

const integer = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const bytesOf = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text);

export function message(type: string, body: Buffer | string = ''): Buffer {
  const bytes = bytesOf(body);
  return Buffer.concat([Buffer.from(type), integer(bytes.length + 4), bytes]);
}

export const sync = message('S');
export const query = (sql: string | Buffer): Buffer => message('Q', Buffer.concat([bytesOf(sql), Buffer.of(0)]));
export const parse = (sql: string | Buffer, name = ''): Buffer =>
  message('P', Buffer.concat([Buffer.from(`${name}\0`), bytesOf(sql), Buffer.of(0, 0, 0)]));
export const bind = (name = '', portal = ''): Buffer =>
  message('B', Buffer.concat([Buffer.from(`${portal}\0${name}\0`), Buffer.alloc(6)]));
export const execute = (portal = '', mostRows = 0): Buffer =>
  message('E', Buffer.concat([Buffer.from(`${portal}\0`), integer(mostRows)]));
export const describePortal = (portal = ''): Buffer => message('D', `P${portal}\0`);
export const closeStatement = (name: string): Buffer => message('C', `S${name}\0`);
/** A statement of the extended protocol, without its Sync. */
export const extended = (sql: string): Buffer => Buffer.concat([parse(sql), bind(), execute()]);

export function startUp(parameters: readonly (readonly [string, string])[], version = protocolVersion): Buffer {
  const named = parameters.map(([name, value]) => `${name}\0${value}\0`).join('');
  const body = Buffer.concat([integer(version), Buffer.from(`${named}\0`)]);
  return Buffer.concat([integer(body.length + 4), body]);
}

export interface Heard {
  /** The messages' types in order, each once in a row. */
  readonly types: string;
  readonly errors: readonly { readonly code: string; readonly text: string }[];
  /** What each ReadyForQuery said: I, T or E. */
  readonly states: string;
  readonly tags: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The whole answer as latin1, to search for what must not be in it. */
  readonly raw: string;
  readonly end: 'answered' | 'closed' | 'silent';
}

export class RawClient {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);
  #isClosed = false;
  #woken: () => void = () => {};
  /** Of the server's BackendKeyData. */
  key: Buffer = Buffer.alloc(8);
  readonly parameters = new Map<string, string>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', bytes => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      this.#woken();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#woken();
    });
  }

  /** @param path of the socket, with its file's name. */
  static async dial(path: string): Promise<RawClient> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawClient(socket);
  }

  /** Dials and begins a session. @throws if it isn't let in. */
  static async open(
    path: string,
    given: { user: string; database: string },
    more: readonly (readonly [string, string])[] = [],
  ): Promise<RawClient> {
    const client = await RawClient.dial(path);
    client.send(startUp([['user', given.user], ['database', given.database], ...more]));
    const heard = await client.hear();
    if (heard.end === 'answered') return client;
    client.end();
    throw new Error(`not let in: ${heard.end} ${JSON.stringify(heard.errors)}`);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get socket(): Socket {
    return this.#socket;
  }

  send(...parts: readonly Buffer[]): void {
    this.#socket.write(Buffer.concat(parts));
  }

  /** Sends, and hears until as many ReadyForQuery as given; refuses to copy in. */
  async ask(bytes: Buffer, readies = 1): Promise<Heard> {
    this.send(bytes);
    return this.hear(readies);
  }

  async hear(readies = 1, milliseconds = patienceMilliseconds): Promise<Heard> {
    const answer = new Answer();
    const deadline = performance.now() + here(milliseconds);
    for (;;) {
      for (let one = this.#next(); one !== null; one = this.#next()) {
        answer.take(one.type, one.body);
        if (one.type === 'K') this.key = one.body;
        if (one.type === 'S') {
          const [name = '', value = ''] = one.body.toString().split('\0');
          this.parameters.set(name, value);
        }
        if (one.type === 'G') this.send(message('f', 'no\0'));
        if (answer.states.length === readies) return answer.ended('answered');
      }
      if (this.#isClosed) return answer.ended('closed');
      const left = deadline - performance.now();
      if (left <= 0) return answer.ended('silent');
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, left);
        this.#woken = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  #next(): { type: string; body: Buffer } | null {
    if (this.#bytes.length < 5) return null;
    const length = this.#bytes.readInt32BE(1) + 1;
    if (this.#bytes.length < length) return null;
    const type = String.fromCharCode(this.#bytes[0] ?? 0);
    const body = this.#bytes.subarray(5, length);
    this.#bytes = this.#bytes.subarray(length);
    return { type, body };
  }

  end(): void {
    this.#socket.destroy();
  }
}

class Answer {
  types = '';
  states = '';
  readonly errors: { code: string; text: string }[] = [];
  readonly tags: string[] = [];
  readonly rows: (string | null)[][] = [];
  readonly #raw: string[] = [];

  take(type: string, body: Buffer): void {
    this.#raw.push(body.toString('latin1'));
    if (!this.types.endsWith(type)) this.types += type;
    if (type === 'Z') this.states += body.toString('latin1');
    if (type === 'C') this.tags.push(body.subarray(0, -1).toString());
    if (type === 'D') this.rows.push(cellsOf(body));
    if (type === 'E') {
      const fields = new Map(
        body
          .toString()
          .split('\0')
          .map(field => [field.slice(0, 1), field.slice(1)]),
      );
      this.errors.push({ code: fields.get('C') ?? '', text: fields.get('M') ?? '' });
    }
  }

  ended(end: Heard['end']): Heard {
    const { types, errors, states, tags, rows } = this;
    return { types, errors, states, tags, rows, raw: this.#raw.join('\n'), end };
  }
}

function cellsOf(body: Buffer): (string | null)[] {
  const cells: (string | null)[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    cells.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(length, 0);
  }
  return cells;
}
