/** POST /mcp after the gate: reads the message, finds its era, and says why where the answer is no (spec §4). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_INFO_META_KEY, isJsonContentType } from '@modelcontextprotocol/server';
import { modernProtocolVersion } from '../../shared/codes.ts';
import type { PresentClients, PresentRequest } from '../access/present-clients.ts';
import type { Principal } from '../access/token.ts';
import { cleanClientName } from '../mcp/client-name.ts';
import { factsOfError, type Log } from '../mcp/log.ts';
import type { ServerMaker } from '../mcp/server.ts';
import type { Work } from '../work.ts';
import { isPlainObject, parseJson, readBody } from './body.ts';
import { capOf, mcpPath, tooLarge } from './gate.ts';
import { isClosed, legacyEndpoint } from './legacy.ts';
import type { LegacySessions } from './legacy-sessions.ts';
import { costOf, type Load } from './load.ts';
import { claimsModernEra, type ModernEndpoint, metaOf } from './modern.ts';
import { type HttpRefusal, pausedSentence, type RequestId, refuse } from './refuse.ts';
import type { EndCause, RequestsInFlight } from './requests-in-flight.ts';

export interface McpEndpointPorts {
  readonly makeServer: ServerMaker;
  readonly modern: ModernEndpoint;
  readonly sessions: LegacySessions;
  readonly inFlight: RequestsInFlight;
  readonly clients: Pick<PresentClients, 'begin'>;
  readonly log: Log;
  readonly work: Work;
  readonly newId: () => string;
  /** Told of a request that turned out to be one too many once its body was read, and of a fault under the id it is logged by. */
  readonly refused: (incoming: IncomingMessage, principal: Principal, refusal: HttpRefusal) => void;
}

export type McpEndpoint = (
  request: Request,
  admitted: Admitted,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<Response>;

/** What the gate found out. */
export interface Admitted {
  readonly principal: Principal;
  readonly load: Pick<Load, 'settle'>;
}

export function mcpEndpoint(ports: McpEndpointPorts): McpEndpoint {
  const legacy = legacyEndpoint(ports.makeServer, ports.sessions, ports.newId);

  return async (request, { principal, load }, incoming, outgoing) => {
    // Before the body is read: a token may be revoked while it arrives.
    const signal = ports.inFlight.begin(principal.tokenId, outgoing);
    // The SDK ends an exchange by its request's signal; ours also tells of a revoked token and of the daemon's stop.
    Object.defineProperty(request, 'signal', { value: signal });
    const present = ports.clients.begin(principal);
    outgoing.once('close', present.end);
    const message = await readMessage(incoming, ports.work);
    if (signal.aborted) return ended(signal, null);
    if (message.kind === 'refused') return respond(message.refusal, null);
    const { body } = message;
    const id = requestIdOf(body);
    const tooMuch = load.settle(costOf(body, claimsModernEra(body, request.headers.get('mcp-protocol-version'))));
    if (tooMuch !== null) {
      ports.refused(incoming, principal, tooMuch);
      return respond(tooMuch, id);
    }
    try {
      const answer = await ports.work.during('beginning an answer', () => serve(request, principal, body, present));
      if (signal.aborted) return ended(signal, id);
      return answer instanceof Response ? answer : respond(answer, id);
    } catch (error) {
      if (signal.aborted && isClosed(error)) return ended(signal, id);
      const fault = { kind: 'internal', requestId: ports.newId() } as const;
      ports.log.error({ requestId: fault.requestId, ...factsOfError(error) }, 'a request failed');
      ports.refused(incoming, principal, fault);
      return respond(fault, id);
    }
  };

  function serve(
    request: Request,
    principal: Principal,
    body: Record<string, unknown>,
    present: PresentRequest,
  ): Promise<Response | HttpRefusal> {
    if (!claimsModernEra(body, request.headers.get('mcp-protocol-version')))
      return legacy({ request, principal, body, saw: present.saw });
    const claimed = metaOf(body)?.[CLIENT_INFO_META_KEY];
    const client = isPlainObject(claimed) ? cleanClientName(claimed.name) : null;
    present.saw(client, modernProtocolVersion);
    return ports.modern.handle(request, { principal, client }, body);
  }
}

type Message =
  | { readonly kind: 'message'; readonly body: Record<string, unknown> }
  | { readonly kind: 'refused'; readonly refusal: HttpRefusal };

async function readMessage(incoming: IncomingMessage, work: Work): Promise<Message> {
  const refused = (refusal: HttpRefusal): Message => ({ kind: 'refused', refusal });
  if (!isJsonContentType(incoming.headers['content-type'] ?? null)) return refused({ kind: 'not_json_content' });
  const read = await readBody(incoming, capOf(mcpPath));
  if (read.kind === 'too_large') return refused(tooLarge(mcpPath));
  if (read.kind === 'incomplete') return refused({ kind: 'body_incomplete' });
  const body = work.during('reading a request', () => parseJson(read.bytes));
  if (body === undefined) return refused({ kind: 'not_json' });
  if (Array.isArray(body)) return refused({ kind: 'batch' });
  return isPlainObject(body) ? { kind: 'message', body } : refused({ kind: 'not_a_message' });
}

/** What a client is told whose request was ended from outside; nobody hears it where the client itself left. */
function ended(signal: AbortSignal, id: RequestId | null): Response {
  const cause: EndCause = signal.reason;
  switch (cause) {
    case 'disconnected':
      return new Response(null, { status: 499 });
    case 'revoked':
      return respond({ kind: 'unauthenticated', reason: 'revoked' }, id);
    case 'expired':
      return respond({ kind: 'token_expired' }, id);
    case 'stopping':
      return respond({ kind: 'switched_off', sentence: 'Sallyport is stopping.' }, id);
    case 'switched_off':
      return respond({ kind: 'switched_off', sentence: 'The user switched the MCP server off.' }, id);
    case 'paused':
      return respond({ kind: 'switched_off', sentence: pausedSentence }, id);
    case 'moved':
      return respond({ kind: 'switched_off', sentence: 'Sallyport has moved to another port.' }, id);
  }
}

function respond(refusal: HttpRefusal, id: RequestId | null): Response {
  const { status, headers, body } = refuse(refusal, id);
  return new Response(body, { status, headers });
}

function requestIdOf({ id, method }: Record<string, unknown>): RequestId | null {
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
