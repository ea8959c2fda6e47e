/**
 * Serves 2026-07-28 on /mcp by the SDK's stateless entry, which checks envelope and headers; one
 * server instance per request.
 */

import type { IncomingHttpHeaders } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { errorCodes, modernProtocolVersion, protocolVersions } from '../../../shared/codes.ts';
import { isObject } from '../../../shared/json.ts';
import type { Log } from '../mcp/log.ts';
import { type PlainCall, plainCallOf } from '../mcp/plain-call.ts';
import type { McpCaller, ServerMaker } from '../mcp/server.ts';
import type { RequestId } from './refuse.ts';
import { listenMethod, type Subscriptions, wantsListChanges } from './subscription.ts';

export type ModernEndpoint = ReturnType<typeof modernEndpoint>;

interface ModernPorts {
  readonly makeServer: ServerMaker;
  readonly subscriptions: Pick<Subscriptions, 'begin'>;
  readonly log: Log;
}

interface Asked {
  readonly caller: McpCaller;
  readonly method: string;
}

export function modernEndpoint({ makeServer, subscriptions, log }: ModernPorts) {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const asked = authInfo?.extra as Asked | undefined;
      if (asked === undefined) throw new TypeError('A request reached the MCP handler without its caller');
      return makeServer(asked.caller, asked.method, 'modern');
    },
    { legacy: 'reject', onerror: ({ name }) => log.info({ error: name }, 'an MCP request was not served') },
  );
  return {
    async handle(request: Request, caller: McpCaller, body: Record<string, unknown>): Promise<Response> {
      const extra: Asked = { caller, method: String(body.method) };
      // The SDK hands on `extra` alone; the gate has read the token.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { ...extra } };
      const response = await handler.fetch(request, { parsedBody: body, authInfo });
      return body.method === listenMethod && response.headers.get('content-type') === 'text/event-stream'
        ? subscribed(request, caller, body, response)
        : asOurs(response);
    },
    close: () => handler.close(),
  };

  /**
   * @param accepted the SDK's stream: envelope, headers and filter are valid. If nothing of the
   *   filter is honoured, the stream says so and ends.
   */
  function subscribed(
    request: Request,
    { principal, client }: McpCaller,
    body: Record<string, unknown>,
    accepted: Response,
  ): Response {
    if (!wantsListChanges(body)) return accepted;
    void accepted.body?.cancel();
    const { signal } = request;
    return subscriptions.begin({ id: body.id as RequestId, principal, client: client ?? principal.tokenName, signal });
  }
}

/** Decided by the body, else by the header: as the SDK classifies, without its cost. */
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
 * For an unknown id the SDK writes null, which MCP's schema and so clients refuse. For an unknown
 * version it names only the modern ones, though `server/discover` and every other refusal name all.
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

/** Clients' self-descriptions that the SDK accepted: they repeat with every call. Oldest first. */
const knownClients = new Set<string>();
const mostKnownClients = 256;
const longestKnownClient = 1_024;
const envelope = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY];

/** @returns null if the SDK must check it. */
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
