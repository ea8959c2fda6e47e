/**
 * A peer on real sockets with faults that a daemon never has: invalid proofs, tokens that change
 * meanwhile, ports that others take over. It speaks the control socket's `identify` and answers
 * POSTs as the test says.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net';
import { socketPlace } from '../../daemon/storage/runtime-folders.ts';
import { locationsIn } from '../../shared/locations.ts';
import { identifyProof } from '../../shared/proofs.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answering = (received: Received, response: ServerResponse) => void;

export class TestPeer {
  readonly home: string;
  readonly received: Received[] = [];
  readonly identifies: string[] = [];
  answering: Answering = (received, response) => answerWith(response, received, { content: [] });
  /**
   * What `identify` answers: a result, an Error to refuse our protocol version, undefined for no
   * answer.
   */
  identifying: (honest: Record<string, unknown>) => unknown = honest => honest;
  /** How many requests lost their connection before an answer. */
  dropped = 0;
  /** The last listener's port, even after its end. */
  port = 1;
  token = newToken();
  instance: string = randomUUID();
  protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18'];
  expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  #http: Server | null = null;
  #control: SocketServer | null = null;
  readonly #controlSockets = new Set<Socket>();

  constructor(home: string) {
    this.home = home;
  }

  async start(): Promise<this> {
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    await this.startControl();
    await this.startHttp();
    this.writeHandshake();
    return this;
  }

  async startHttp(port = 0): Promise<void> {
    this.#http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(chunks).toString() };
        this.received.push(received);
        response.on('close', () => {
          if (!response.writableFinished) this.dropped++;
        });
        this.answering(received, response);
      });
    });
    this.#http.keepAliveTimeout = 75_000;
    this.#http.listen(port, '127.0.0.1');
    await once(this.#http, 'listening');
    const address = this.#http.address() as AddressInfo;
    this.port = address.port;
  }

  async startControl(): Promise<void> {
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    const { controlSocket } = socketPlace(this.home);
    rmSync(controlSocket, { force: true });
    this.#control = createSocketServer(socket => {
      this.#controlSockets.add(socket);
      socket.on('close', () => this.#controlSockets.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.on('data', chunk => {
        for (const line of chunk.toString().split('\n').filter(Boolean)) this.#identify(socket, JSON.parse(line));
      });
    });
    this.#control.listen(controlSocket);
    await once(this.#control, 'listening');
  }

  writeHandshake(changes: Record<string, unknown> = {}, mode = 0o600): void {
    const { port, token, instance, protocolVersions, expiresAt } = this;
    const handshake = { version: 1, port, token, pid: process.pid, instance, protocolVersions, expiresAt, ...changes };
    const path = locationsIn(this.home).handshake;
    writeFileSync(`${path}.new`, JSON.stringify(handshake), { mode });
    renameSync(`${path}.new`, path);
  }

  rotate(): void {
    this.token = newToken();
    this.writeHandshake();
  }

  closeControl(): Promise<void> {
    for (const socket of this.#controlSockets) socket.destroy();
    return new Promise(resolve => (this.#control === null ? resolve() : this.#control.close(() => resolve())));
  }

  closeHttp(): Promise<void> {
    this.#http?.closeAllConnections();
    return new Promise(resolve => (this.#http === null ? resolve() : this.#http.close(() => resolve())));
  }

  /** HTTP connections, with or without a request in progress. */
  connectionCount(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#http?.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.closeControl(), this.closeHttp()]);
    rmSync(locationsIn(this.home).handshake, { force: true });
  }

  #identify(socket: Socket, { id, params }: { id: number; params: { nonce: string } }): void {
    this.identifies.push(params.nonce);
    const honest = {
      server: 'on',
      protocol: '2',
      version: '0.1.0',
      instance: this.instance,
      port: this.port,
      proof: identifyProof(this.token, params.nonce, this.instance, this.port),
    };
    const result = this.identifying(honest);
    const answer = result instanceof Error ? { error: { code: -32022, message: result.message } } : { result };
    if (result !== undefined) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  }
}

export function newToken(): string {
  return `sp_${randomBytes(32).toString('base64url')}`;
}

export function idOf(received: Received): unknown {
  return JSON.parse(received.body).id;
}

export function answerWith(response: ServerResponse, received: Received, result: object): void {
  sendJson(
    response,
    200,
    JSON.stringify({ jsonrpc: '2.0', id: idOf(received), result: { resultType: 'complete', ...result } }),
  );
}

export function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}

export function sendEvent(response: ServerResponse, data: string): boolean {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  return response.write(`event: message\ndata: ${data}\n\n`);
}
