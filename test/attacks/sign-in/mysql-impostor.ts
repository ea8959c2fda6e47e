/**
 * Who answers in the place of a MySQL or MariaDB server: speaks the sign-in as a script says, over
 * TLS with a certificate of its own if wanted, and records what a client sends, decrypted. And a
 * relay that stands between a client and the real server.
 */

import { createHash, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, connect as secureClient, TLSSocket } from 'node:tls';
import { packet } from '../../engines/mysql/fake-server.ts';
import type { Certificate } from '../../servers/certificates.ts';

/** One session of a client: reads its packets, and sends ours with the right numbers. */
export interface Visit {
  /** The client's next packet; rejects if it is gone. */
  read(): Promise<Buffer>;
  send(payload: Buffer): void;
}

interface Manners {
  /** The method that the greeting names. */
  readonly usual?: string;
  /** Offers TLS with this certificate. */
  readonly tls?: Certificate | undefined;
  readonly version?: string;
  /** After the client's login. */
  readonly answer: (visit: Visit) => Promise<void>;
  /** A file, in place of a free port of 127.0.0.1. */
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
}

export interface Impostor {
  readonly port: number;
  /** Every byte that clients sent, decrypted. */
  received(): Buffer;
  /** Their packets, as far as they were read. */
  packets(): readonly Buffer[];
  /** How many logins came. */
  logins(): number;
  stop(): Promise<void>;
}

export const scramble = Buffer.from('abcdefghijklmnopqrst');
export const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
/** With a text at its end, where MariaDB has its proof. */
export const okWith = (text: string): Buffer =>
  Buffer.concat([ok, Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
export const fast = Buffer.from([1, 3]);
export const full = Buffer.from([1, 4]);

export function switchTo(method: string): Buffer {
  return Buffer.concat([Buffer.from([0xfe]), Buffer.from(`${method}\0`), scramble, Buffer.from([0])]);
}

/** An RSA key of the impostor's own; `opened` undoes what a client encrypted for it. */
export function ownKey(): { readonly pem: Buffer; opened(encrypted: Buffer): string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  return { pem: Buffer.concat([Buffer.from([1]), Buffer.from(pem)]), opened: bytes => openedWith(privateKey, bytes) };
}

function openedWith(key: KeyObject, bytes: Buffer): string {
  try {
    const plain = privateDecrypt({ key, oaepHash: 'sha1' }, bytes);
    return Buffer.from(plain.map((byte, at) => byte ^ (scramble[at % scramble.length] ?? 0))).toString();
  } catch {
    return '';
  }
}

/** What a client sends by `mysql_native_password`: SHA-1 of the password, and a mask. */
export function nativeAnswer(password: string): Buffer {
  const sha1 = (...parts: readonly Buffer[]): Buffer => createHash('sha1').update(Buffer.concat(parts)).digest();
  const once = sha1(Buffer.from(password));
  const mask = sha1(scramble, sha1(once));
  return Buffer.from(once.map((byte, at) => byte ^ (mask[at] ?? 0)));
}

function greeting({ usual = 'caching_sha2_password', tls, version = '9.7.0' }: Manners): Buffer {
  const flags = Buffer.alloc(4);
  const isMariadb = version.includes('MariaDB');
  flags.writeUInt32LE(
    ((tls === undefined ? 0 : 0x800) | (isMariadb ? 0 : 1) | 0x4 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x3b0000) >>> 0,
  );
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from(`${version}\0`),
    Buffer.from([7, 0, 0, 0]),
    scramble.subarray(0, 8),
    Buffer.from([0]),
    flags.subarray(0, 2),
    Buffer.from([45, 2, 0]),
    flags.subarray(2),
    Buffer.from([21]),
    Buffer.alloc(10),
    scramble.subarray(8),
    Buffer.from([0]),
    Buffer.from(`${usual}\0`),
  ]);
}

/** Packets of one direction. A new stream continues the numbers. */
class Talk implements Visit {
  #stream: Duplex;
  #bytes = Buffer.alloc(0);
  #next = 0;
  #wake: () => void = () => {};
  #isGone = false;
  readonly #seen: (chunk: Buffer) => void;
  readonly packets: Buffer[] = [];

  constructor(stream: Duplex, seen: (chunk: Buffer) => void) {
    this.#stream = stream;
    this.#seen = seen;
    this.#listen();
  }

  async read(): Promise<Buffer> {
    for (;;) {
      const length = this.#bytes.length < 4 ? Number.POSITIVE_INFINITY : this.#bytes.readUIntLE(0, 3);
      if (this.#bytes.length >= 4 + length) {
        const payload = this.#bytes.subarray(4, 4 + length);
        this.#next = ((this.#bytes[3] ?? 0) + 1) & 0xff;
        this.#bytes = this.#bytes.subarray(4 + length);
        this.packets.push(payload);
        return payload;
      }
      if (this.#isGone) throw new Error('the client is gone');
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  send(payload: Buffer): void {
    this.#stream.write(packet(this.#next, payload));
    this.#next += 1;
  }

  secure(certificate: Certificate): void {
    this.#stream.removeAllListeners('data').pause();
    // The client's hello may have come with its request.
    if (this.#bytes.length > 0) this.#stream.unshift(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#stream = serverSide(this.#stream, certificate);
    this.#listen();
  }

  #listen(): void {
    const gone = (): void => {
      this.#isGone = true;
      this.#wake();
    };
    this.#stream.on('error', gone).on('close', gone);
    this.#stream.on('data', (chunk: Buffer) => {
      this.#seen(chunk);
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
  }
}

export async function startImpostor(manners: Manners): Promise<Impostor> {
  const received: Buffer[] = [];
  const talks: Talk[] = [];
  let logins = 0;
  const serve = async (socket: Socket): Promise<void> => {
    const talk = new Talk(socket, chunk => received.push(chunk));
    talks.push(talk);
    talk.send(greeting(manners));
    // The request for TLS is as long as a login's fixed part.
    if (manners.tls !== undefined && (await talk.read()).length === 32) talk.secure(manners.tls);
    await talk.read();
    logins += 1;
    await manners.answer(talk);
    // Whatever comes now is a command; it is recorded, and answered with OK.
    for (;;) {
      await talk.read();
      talk.send(ok);
    }
  };
  const server = await listening(manners, socket => void serve(socket).catch(() => socket.destroy()));
  return {
    port: server.port,
    received: () => Buffer.concat(received),
    packets: () => talks.flatMap(({ packets }) => packets),
    logins: () => logins,
    stop: server.stop,
  };
}

/**
 * Between a client and a real server that offers TLS: ends TLS on both sides with a certificate of
 * its own, or strikes TLS from the greeting, and passes all else on.
 * @param tls null to strike it
 * @param alters what the server says after its greeting, in pieces as they arrive
 */
export async function startRelay(
  target: { readonly port: number },
  tls: Certificate | null,
  alters: (said: Buffer) => Buffer = said => said,
): Promise<Omit<Impostor, 'logins' | 'packets'>> {
  const received: Buffer[] = [];
  const relay = async (socket: Socket): Promise<void> => {
    const upstream = connect({ host: '127.0.0.1', port: target.port });
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy()).on('error', () => socket.destroy());
    const [hello] = (await once(upstream, 'data')) as [Buffer];
    // Header, version and its end, id, half of the scramble and its end; then the flags.
    const flags = hello.indexOf(0, 5) + 1 + 4 + 8 + 1;
    if (tls === null) hello[flags + 1] = (hello[flags + 1] ?? 0) & ~0x08;
    socket.write(hello);
    const [both] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const request = both.subarray(0, 4 + both.readUIntLE(0, 3));
    if (both.length > request.length) socket.unshift(both.subarray(request.length));
    received.push(request);
    upstream.write(request);
    const client = tls === null ? socket : serverSide(socket, tls);
    const server = tls === null ? upstream : secureClient({ socket: upstream, rejectUnauthorized: false });
    for (const stream of [client, server]) stream.on('error', () => socket.destroy());
    client.on('data', (chunk: Buffer) => received.push(chunk));
    client.pipe(server).on('data', (said: Buffer) => client.write(alters(said)));
  };
  const server = await listening({}, socket => void relay(socket).catch(() => socket.destroy()));
  return { port: server.port, received: () => Buffer.concat(received), stop: server.stop };
}

function serverSide(socket: Duplex, { certificateFile, keyFile }: Certificate): TLSSocket {
  const secureContext = createSecureContext({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
  return new TLSSocket(socket as Socket, { isServer: true, secureContext });
}

async function listening(
  { socketPath, host = '127.0.0.1', port = 0 }: Pick<Manners, 'socketPath' | 'host' | 'port'>,
  serve: (socket: Socket) => void,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  if (socketPath === undefined) server.listen(port, host);
  else server.listen(socketPath);
  await once(server, 'listening');
  return {
    port: socketPath === undefined ? (server.address() as AddressInfo).port : 0,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
