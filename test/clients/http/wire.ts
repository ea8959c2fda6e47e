/**
 * Speaks HTTP to the server as bytes or as plain requests, and adds nothing that a test didn't ask
 * for.
 */

import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; an empty object if it isn't JSON. */
  readonly json: Reply;
}

/** The parts of a JSON-RPC answer, or of an HTTP error body, that tests look at. */
export interface Reply {
  readonly id?: string | number | null;
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly structuredContent?: Record<string, unknown>;
    readonly _meta?: Record<string, unknown>;
    readonly [member: string]: unknown;
  };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  } & string;
  readonly error_description?: string;
}

export interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** Left out, no connection is kept. */
  readonly agent?: Agent;
}

export function send(url: string, { method = 'POST', path, headers = {}, body = '', agent }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: agent ?? false, ...(path !== undefined && { path }) } as const;
    const sent = request(url, options, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: jsonOf(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function jsonOf(text: string): Reply {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const jsonHeaders = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** A request of 2026-07-28 with everything it needs; the given members replace the defaults. */
export function modern(
  token: string,
  method: string,
  params: Record<string, unknown> = {},
  more: {
    readonly headers?: Record<string, string>;
    readonly meta?: Record<string, unknown>;
    readonly id?: unknown;
  } = {},
): Sending {
  const source = params.name ?? params.uri;
  const name = typeof source === 'string' ? { 'Mcp-Name': source } : {};
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'wire test', version: '1' },
    ...more.meta,
  };
  return {
    headers: {
      ...jsonHeaders,
      Authorization: `Bearer ${token}`,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...name,
      ...more.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: more.id ?? 7, method, params: { ...params, _meta } }),
  };
}

/** A message of the 2025 revisions, unchanged. */
export function legacy(token: string, message: unknown, headers: Record<string, string> = {}): Sending {
  return {
    headers: { ...jsonHeaders, Authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(message),
  };
}

export function initialize(version: string, id = 1): Record<string, unknown> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old client', version: '1' } };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

export async function openSession(url: string, token: string): Promise<Record<string, string>> {
  const { headers } = await send(url, legacy(token, initialize('2025-11-25')));
  return { 'Mcp-Session-Id': String(headers['mcp-session-id']), 'MCP-Protocol-Version': '2025-11-25' };
}

/** A connection that sends bytes unchanged and keeps what comes back. */
export interface RawConnection {
  readonly socket: Socket;
  received(): string;
  write(bytes: string): void;
  /** Resolves when the received text contains this, or the connection has closed. */
  until(text: string): Promise<string>;
  closed(): Promise<string>;
  end(): void;
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', chunk => {
    received += chunk.toString('latin1');
  });
  // A reset is one form of refusal.
  socket.on('error', () => {});
  const closing = new Promise<void>(resolve => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    socket,
    received: () => received,
    write: bytes => void socket.write(bytes, 'latin1'),
    async until(text) {
      while (!received.includes(text) && !socket.destroyed) {
        await Promise.race([closing, new Promise<void>(resolve => socket.once('data', () => resolve()))]);
      }
      return received;
    },
    closed: () => closing.then(() => received),
    end: () => void socket.destroy(),
  };
}

export function statusOf(received: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}
