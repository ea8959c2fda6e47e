/** A server that speaks just enough MySQL to be dialled, and then sends whatever a test says. */

import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Script {
  /** Replaces the greeting. */
  readonly greeting?: Buffer;
  /** Claims to support TLS. */
  readonly tls?: boolean;
  /** Sent in one piece with the greeting. */
  readonly behindGreeting?: Buffer;
  /** Sent after the client's handshake response, in place of OK; sequence numbers start at 2. */
  readonly afterLogin?: readonly Buffer[];
  readonly mariadb?: boolean;
  /** True: it ends no XA transaction. */
  readonly keepsXa?: boolean;
  /** The result of `XA START`, if not a read-only transaction. */
  readonly xa?: 'refused' | 'writable';
  /** A variable that this server doesn't have. */
  readonly lacks?: string;
  /** The answer to a query that says `attack`. */
  readonly attack?: (send: Sender) => void;
}

export interface Sender {
  /** One packet each, numbered from 1. */
  packets(...payloads: Buffer[]): void;
  raw(bytes: Buffer): void;
  readonly socket: Socket;
}

export interface FakeServer {
  readonly port: number;
  /** Everything that clients sent. */
  received(): Buffer;
  stop(): Promise<void>;
}

export function packet(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = sequence;
  return Buffer.concat([header, payload]);
}

export const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

const inReadOnlyTransaction = 0x2003;
export const ok = (status = 2): Buffer => Buffer.from([0, 0, 0, status & 0xff, status >> 8, 0, 0]);
export const eof = (status = 2): Buffer => Buffer.from([0xfe, 0, 0, status & 0xff, status >> 8]);
/** A `varchar` column of utf8mb4. */
export const column = (name: string): Buffer =>
  Buffer.concat([
    ...['def', '', '', '', name, ''].map(text),
    Buffer.from([0x0c, 45, 0, 200, 0, 0, 0, 253, 0, 0, 0, 0, 0]),
  ]);
export const oneColumn: readonly Buffer[] = [Buffer.from([1]), column('a'), eof(inReadOnlyTransaction)];
export const lastEof = eof(inReadOnlyTransaction);

/**
 * PROTOCOL_41, CONNECT_WITH_DB, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH, CONNECT_ATTRS; and
 * LOCAL_FILES; SSL if claimed.
 */
function greeting(plugin: string, { tls = false, mariadb = false }: Script): Buffer {
  const flags = (tls ? 0x800 : 0) | 0x1 | 0x8 | 0x80 | 0x200 | 0x2000 | 0x8000 | 0x80000 | 0x100000;
  const capabilities = Buffer.alloc(4);
  capabilities.writeUInt32LE(flags);
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from(mariadb ? '10.11.99-MariaDB-fake\0' : '8.0.99-fake\0'),
    Buffer.from([7, 0, 0, 0]),
    Buffer.from('12345678\0'),
    capabilities.subarray(0, 2),
    Buffer.from([45, 2, 0]),
    capabilities.subarray(2),
    Buffer.from([21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from(`${plugin}\0`),
  ]);
}

const unknownVariable = Buffer.concat([Buffer.from([0xff, 0xa9, 0x04]), Buffer.from('#HY000Unknown system variable')]);

const readOnlyTransaction = Buffer.concat([Buffer.from([0xff, 0x00, 0x07]), Buffer.from('#25006it only reads')]);

const noXa = Buffer.concat([Buffer.from([0xff, 0x28, 0x04]), Buffer.from('#42000no XA here')]);

function beginXa({ xa }: Script): Buffer {
  if (xa === 'refused') return noXa;
  return ok(xa === 'writable' ? 0x3 : inReadOnlyTransaction);
}

/** Answers our own set-up as a real server would. */
function answer(sender: Sender, sql: string, script: Script): void {
  if (sql.includes('attack')) script.attack?.(sender);
  else if (script.lacks !== undefined && sql.includes(script.lacks)) sender.packets(unknownVariable);
  else if (sql.startsWith('XA START')) sender.packets(beginXa(script));
  else if (sql.startsWith('XA END') && script.keepsXa) sender.packets(noXa);
  else if (sql === 'START TRANSACTION READ ONLY') sender.packets(ok(inReadOnlyTransaction));
  else if (sql.startsWith('CREATE TEMPORARY TABLE')) sender.packets(readOnlyTransaction);
  else sender.packets(ok());
}

export async function startFakeServer(script: Script): Promise<FakeServer> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    let loggedIn = false;
    socket.on('error', () => {});
    const hello = script.greeting ?? greeting('mysql_native_password', script);
    socket.write(Buffer.concat([packet(0, hello), script.behindGreeting ?? Buffer.alloc(0)]));
    socket.on('data', chunk => {
      received.push(chunk);
      if (!loggedIn) {
        loggedIn = true;
        const replies = script.afterLogin ?? [ok()];
        socket.write(Buffer.concat(replies.map((payload, index) => packet(2 + index, payload))));
        return;
      }
      if (script.afterLogin !== undefined) return;
      const sender: Sender = {
        socket,
        packets: (...payloads) => {
          socket.write(Buffer.concat(payloads.map((payload, index) => packet(index + 1, payload))));
        },
        raw: bytes => void socket.write(bytes),
      };
      // Several commands may arrive in one write.
      for (let rest = chunk; rest.length > 4; rest = rest.subarray(4 + rest.readUIntLE(0, 3))) {
        if (rest[4] === 0x1f) sender.packets(ok());
        else answer(sender, rest.subarray(5, 4 + rest.readUIntLE(0, 3)).toString('utf8'), script);
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(received),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
