/** An MCP client over HTTP, with only what a benchmark needs, in either era. */

import type { Target } from '../targets/target.ts';
import type { Workload } from '../workloads.ts';
import { type HttpAnswer, KeptConnection } from './kept-connection.ts';

export interface ToolResult {
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class Client {
  readonly #connection: KeptConnection;
  readonly #target: Target;
  readonly #bearer: string;
  #session = '';
  #id = 0;

  private constructor(connection: KeptConnection, target: Target, token: string | undefined) {
    this.#connection = connection;
    this.#target = target;
    this.#bearer = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  }

  /** @param index its number among several clients. */
  static async open(target: Target, index = 0): Promise<Client> {
    const token = target.tokens[index % target.tokens.length];
    const client = new Client(await KeptConnection.open(target.port), target, token);
    if (target.era === '2025-11-25') await client.#initialize(target.era);
    return client;
  }

  /** @returns a function that sends the workload's call, each time with a new id. */
  caller(workload: Workload): () => Promise<HttpAnswer> {
    const { tool, args } = this.#target.call(workload);
    const isModern = this.#target.era === '2026-07-28';
    const params = { name: tool, arguments: args, ...(isModern && { _meta: envelope }) };
    const head = this.#head(isModern ? `Mcp-Method: tools/call\r\nMcp-Name: ${tool}\r\n` : this.#session);
    const rest = `,"method":"tools/call","params":${JSON.stringify(params)}}`;
    return () => this.#connection.post(head, `{"jsonrpc":"2.0","id":${++this.#id}${rest}`);
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  async #initialize(era: string): Promise<void> {
    const params = { protocolVersion: era, capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    const initialize = { jsonrpc: '2.0', id: ++this.#id, method: 'initialize', params };
    const { status, headers } = await this.#connection.post(this.#head(''), JSON.stringify(initialize));
    if (status !== 200) throw new Error(`${this.#target.name}: initialize was answered with HTTP ${status}.`);
    const session = /^mcp-session-id: *(\S+)/im.exec(headers)?.[1];
    this.#session = session === undefined ? '' : `Mcp-Session-Id: ${session}\r\n`;
    const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await this.#connection.post(this.#head(this.#session), initialized);
  }

  #head(more: string): string {
    const { path, era } = this.#target;
    const types = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
    return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nMCP-Protocol-Version: ${era}\r\n${types}${this.#bearer}${more}`;
  }
}

/** @throws if it is no result, or if the result says it is an error. */
export function resultOf({ status, headers, body }: HttpAnswer): ToolResult {
  const text = body.toString();
  if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 300)}`);
  const isStream = /^content-type: *text\/event-stream/im.test(headers);
  const json = isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  const { result } = JSON.parse(json);
  if (result === undefined || result.isError) throw new Error(json.slice(0, 300));
  return result;
}

/** Tells the same of an answer under load, without reading all of it. */
export function isResult({ status, body }: HttpAnswer): boolean {
  if (status !== 200) return false;
  const ends = body.toString('latin1', 0, 600) + body.toString('latin1', Math.max(600, body.length - 400));
  return !/"isError" ?: ?true|"error" ?: ?\{/.test(ends);
}
