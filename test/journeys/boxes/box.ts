/**
 * A home with two databases, of which a box reaches one; and clients of the box's socket from
 * outside a box: socat, HTTP as curl does it, either SDK.
 */

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { BoxView } from '../../../shared/control-commands.ts';
import { missingPrograms } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';

export const bring = 'SALLYPORT_TEST_INSTALL=1 make test installs it';
export const missingSocat = missingPrograms(['socat'], bring);

/** @param pathBytes length of the home's path. */
export async function homeWithShop(pathBytes = 0): Promise<RealHome> {
  const home = realHome(pathBytes);
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  for (const [name, row] of [
    ['Shop', 'Ada'],
    ['Payroll', 'IBAN-DE89'],
  ] as const) {
    const file = join(home.folder, `${name}.db`);
    const database = new SqliteFile(file);
    database.exec(`create table customers (name text); insert into customers values ('${row}')`);
    database.close();
    await home.json(['connections', 'add', `sqlite:${file}`, '--name', name, '--external-clients', 'read-write']);
  }
  return home;
}

export type SocketBox = BoxView & { readonly socket: string };

export type TokenBox = BoxView & { readonly tokenFile: string };

export async function addTokenBox(home: RealHome, name: string, ...options: string[]): Promise<TokenBox> {
  return (await addBox(home, name, '--token', ...options)) as BoxView as TokenBox;
}

/** As `docker run --env-file` reads it. */
export function tokenIn({ tokenFile }: TokenBox): string {
  const [, token = ''] = /^SALLYPORT_TOKEN=(.*)\n$/.exec(readFileSync(tokenFile, 'utf8')) ?? [];
  return token;
}

export function addBox(home: RealHome, name: string, ...options: string[]): Promise<SocketBox> {
  return home.json(['boxes', 'add', name, '--connections', 'Shop', ...options]);
}

/** An SDK's client of the socket, as `sallyport connect --box` configures it. */
export async function clientOf(socket: string, kind: 'v1' | 'v2') {
  const started = { command: 'socat', args: ['-', `UNIX-CONNECT:${socket}`], stderr: 'ignore' as const };
  const info = { name: `agent ${kind}`, version: '1' };
  const client = kind === 'v1' ? new OldClient(info) : new Client(info, { versionNegotiation: { mode: 'auto' } });
  const transport = kind === 'v1' ? new OldTransport(started) : new StdioClientTransport(started);
  // The two SDKs' types differ; the members called here don't.
  const either = client as Client;
  await either.connect(transport as StdioClientTransport);
  return {
    async query(connection: string, sql: string): Promise<string> {
      const { content } = await either.callTool({ name: 'execute_query', arguments: { connection, sql } });
      return JSON.stringify(content);
    },
    client: either,
    close: () => either.close(),
  };
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** @param to the path of a socket, or a port. */
export function post(
  to: string | number,
  body: unknown,
  { path = '/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...(typeof to === 'number' ? { host: '127.0.0.1', port: to } : { socketPath: to }),
        method: 'POST',
        path,
        agent: false,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Host: 'localhost',
          ...(isCall(body) && modernHeaders),
          ...headers,
        },
      },
      response => {
        let text = '';
        response.setEncoding('utf8').on('data', piece => {
          text += piece;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.once('error', reject);
      },
    );
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

const modernHeaders = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'execute_query' };

function isCall(body: unknown): boolean {
  return JSON.stringify(body).includes('"tools/call"');
}

export const call = (connection: string, sql: string, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'execute_query',
    arguments: { connection, sql },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'lines', version: '1' } },
};

export interface Lines {
  readonly socket: Socket;
  say(message: unknown): void;
  heard(): string;
  readonly closed: Promise<void>;
}

/** Raw lines, without socat. */
export function lines(path: string): Lines {
  const socket = connect({ path, allowHalfOpen: true });
  let heard = '';
  socket.setEncoding('utf8').on('data', piece => {
    heard += piece;
  });
  socket.on('error', () => {});
  return {
    socket,
    say: message => void socket.write(`${JSON.stringify(message)}\n`),
    heard: () => heard,
    closed: new Promise(resolve => {
      socket.once('close', () => resolve());
      socket.once('end', () => socket.end());
    }),
  };
}
