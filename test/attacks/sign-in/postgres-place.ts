/**
 * One address, at which a test puts the real server, an impostor or a relay, one after the other;
 * and connections to it that remember their server as the daemon's do.
 */

import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Connection } from '../../../daemon/access/connection.ts';
import { type KnownServers, openKnownServers } from '../../../daemon/access/known-servers.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { identityOf } from '../../../daemon/engines/server-identity.ts';
import { connectionWith } from '../../access/principals.ts';
import type { Certificate } from '../../servers/certificates.ts';
import { int32, Journal, message, Visitor } from './postgres-visitor.ts';

type Behaviour = (visitor: Visitor, socket: Socket) => Promise<void>;

export interface Place {
  readonly port: number;
  readonly journal: Journal;
  /** Who answers from now on; sockets that are open stay with whom they met. */
  is(behaviour: Behaviour): void;
  /** Cuts every line. */
  cut(): void;
  close(): Promise<void>;
}

/** @param at a host with a port (0 for a free one), or the path of a socket. */
export async function openPlace(at: { host: string; port: number } | { path: string }): Promise<Place> {
  const journal = new Journal();
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = async () => {};
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    behaviour(new Visitor(socket, journal), socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    journal,
    is(next) {
      behaviour = next;
    },
    cut,
    async close() {
      cut();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export function served({ certificateFile, keyFile }: Certificate): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
}

interface Relayed {
  /** Shown to the client; null says that there is no TLS. */
  readonly certificate: Certificate | null;
  readonly isTlsBehind: boolean;
  /** Takes SCRAM-SHA-256-PLUS out of what the server offers. */
  readonly strikesBinding?: boolean;
  /** Changes what the server says; pieces as they arrive. */
  readonly alters?: ((said: Buffer) => Buffer) | undefined;
}

/** Passes on byte for byte: the real server, as far as a client can see. */
export function throughTo(port: number): Behaviour {
  return async (_visitor, socket) => {
    socket.removeAllListeners('data');
    const behind = connect(port, '127.0.0.1').on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
    socket.on('close', () => behind.destroy());
  };
}

/** Stands between a client and the real server and reads what both say. */
export function relayTo(
  port: number,
  { certificate, isTlsBehind, strikesBinding = false, alters = said => said }: Relayed,
): Behaviour {
  return async visitor => {
    const start = await visitor.startUp(certificate === null ? null : served(certificate));
    const behind = await lineTo(port, isTlsBehind);
    let isFirst = true;
    behind.on('data', (bytes: Buffer) => {
      visitor.send(isFirst && strikesBinding ? withoutBinding(bytes) : alters(bytes));
      isFirst = false;
    });
    behind.on('error', () => {}).on('close', () => visitor.line.destroy());
    visitor.line.on('close', () => behind.destroy());
    behind.write(start);
    for (;;) behind.write(await visitor.message());
  };
}

function withoutBinding(offer: Buffer): Buffer {
  if (!offer.includes('SCRAM-SHA-256-PLUS')) throw new Error('the server offers no channel binding');
  return message('R', int32(10), 'SCRAM-SHA-256\0\0');
}

async function lineTo(port: number, isTls: boolean): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  if (!isTls) return socket;
  socket.write(Buffer.concat([int32(8), int32(80_877_103)]));
  await new Promise(resolve => socket.once('data', resolve));
  const secure = connectTls({ socket, rejectUnauthorized: false });
  await new Promise((resolve, reject) => secure.once('secureConnect', resolve).once('error', reject));
  return secure;
}

export interface Remembering {
  readonly database: Database;
  readonly servers: KnownServers;
  readonly connection: Connection;
  /** As while a person tests the connection. */
  asPerson<T>(work: () => Promise<T>): Promise<T>;
}

/** Connections of one home, whose memory lasts as long as they do. */
export async function remembering(
  password: string,
  changes: Partial<Connection>,
  shared: KnownServers | null = null,
): Promise<Remembering> {
  const servers =
    shared ??
    (await openKnownServers(
      { load: async () => new Map(), keep: async () => {}, forget: async () => {} },
      { now: Date.now },
    ));
  const connection = connectionWith(changes);
  const identity = identityOf(connection, address => servers.at(connection, address));
  const database = openPostgres(connection, { password: async () => password, now: () => performance.now(), identity });
  return { database, servers, connection, asPerson: work => servers.whilePinning(connection.id, work) };
}
