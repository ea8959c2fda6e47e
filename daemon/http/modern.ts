/** Serves 2026-07-28 on /mcp: the SDK's stateless entry, which checks envelope and headers, one server instance a request. */

import type { IncomingHttpHeaders } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { errorCodes, modernProtocolVersion, protocolVersions } from '../../shared/codes.ts';
import { isObject } from '../../shared/json.ts';
import type { Log } from '../mcp/log.ts';
import { type PlainCall, plainCallOf } from '../mcp/plain-call.ts';
import type { McpCaller, ServerMaker } from '../mcp/server.ts';

export interface ModernEndpoint {
  handle(request: Request, caller: McpCaller, body: Record<string, unknown>): Promise<Response>;
  /** Ends subscriptions with their last word. */
  close(): Promise<void>;
}

export function modernEndpoint(makeServer: ServerMaker, log: Log): ModernEndpoint {
  const asked = new WeakMap<Request, { readonly caller: McpCaller; readonly method: string }>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const found = requestInfo && asked.get(requestInfo);
      if (found === undefined) throw new TypeError('A request reached the MCP handler without its caller');
      return makeServer(found.caller, found.method, 'modern');
    },
    { legacy: 'reject', onerror: ({ name }) => log.info({ error: name }, 'an MCP request was not served') },
  );
  return {
    async handle(request, caller, body) {
      asked.set(request, { caller, method: String(body.method) });
      return asOurs(await handler.fetch(request, { parsedBody: body }));
    },
    close: () => handler.close(),
  };
}

/** The body decides, and for one that says nothing the header: what the SDK's own classification does, without its cost. */
export function claimsModernEra(body: Record<string, unknown>, versionHeader: string | null): boolean {
  if (versionHeader !== null && versionHeader >= modernProtocolVersion) return true;
  const meta = metaOf(body);
  return meta !== null && PROTOCOL_VERSION_META_KEY in meta;
}

export function metaOf(body: Record<string, unknown>): Record<string, unknown> | null {
  if (!isObject(body.params)) return null;
  const { _meta } = body.params;
  return isObject(_meta) ? _meta : null;
}

/**
 * Where the SDK knows no id it writes null, which MCP's schema and so its clients refuse; and where it doesn't serve a version it
 * names the modern ones alone, though `server/discover` and every other refusal name all.
 */
async function asOurs(response: Response): Promise<Response> {
  if (response.status < 400 || response.body === null) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (!isObject(body)) return response;
  const { id, error, ...rest } = body;
  const known = id === null ? {} : { id };
  return Response.json({ ...rest, ...known, error: withEveryVersion(error) }, { status: response.status });
}

function withEveryVersion(error: unknown): unknown {
  if (!isObject(error) || error.code !== errorCodes.unsupportedProtocolVersion) return error;
  return { ...error, data: { ...(isObject(error.data) && error.data), supported: protocolVersions } };
}

/** What clients said of themselves and the SDK found right: they say the same with every call. The oldest first. */
const knownClients = new Set<string>();
const mostKnownClients = 256;
const longestKnownClient = 1_024;
const envelope = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY];

/** @returns null for what the SDK must judge. */
export function plainModernCallOf(body: Record<string, unknown>, headers: IncomingHttpHeaders): PlainCall | null {
  const call = plainCallOf(body, envelope);
  if (call === null || call.meta[PROTOCOL_VERSION_META_KEY] !== modernProtocolVersion) return null;
  if (headers['mcp-protocol-version'] !== modernProtocolVersion) return null;
  if (headers['mcp-method'] !== 'tools/call' || headers['mcp-name'] !== call.name) return null;
  const client = JSON.stringify([call.meta[CLIENT_CAPABILITIES_META_KEY], call.meta[CLIENT_INFO_META_KEY]]);
  if (!knownClients.has(client)) {
    if (client.length > longestKnownClient) return null;
    if (classifyInboundRequest({ httpMethod: 'POST', body }).kind !== 'modern') return null;
    knownClients.add(client);
    const [oldest] = knownClients;
    if (knownClients.size > mostKnownClients && oldest !== undefined) knownClients.delete(oldest);
  }
  return call;
}
