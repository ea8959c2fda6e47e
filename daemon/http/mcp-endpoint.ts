/** POST /mcp after the gate: reads the message, finds its era, and says why where the answer is no (spec §4). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_INFO_META_KEY, isJsonContentType } from '@modelcontextprotocol/server';
import { modernProtocolVersion } from '../../shared/codes.ts';
import { isObject } from '../../shared/json.ts';
import type { PresentClients, PresentRequest } from '../access/limits/present-clients.ts';
import type { Principal } from '../access/tokens/token.ts';
import { cleanClientName } from '../mcp/client-name.ts';
import { factsOfError, type Log } from '../mcp/log.ts';
import type { ServerMaker } from '../mcp/server.ts';
import type { Work } from '../work.ts';
import { acceptsEvents } from './accept.ts';
import { jsonIn, readBody } from './body.ts';
import { eventLoopTurns } from './event-loop-turns.ts';
import { tooLarge } from './gate.ts';
import { extentOf } from './json-extent.ts';
import { isClosed, legacyEndpoint } from './legacy.ts';
import type { LegacySessions } from './legacy-sessions.ts';
import { httpLimits } from './limits.ts';
import { costOf, type Load } from './load.ts';
import { claimsModernEra, type ModernEndpoint, metaOf } from './modern.ts';
import { type HttpRefusal, pausedSentence, type RequestId, refuse } from './refuse.ts';
import type { EndCause, RequestsInFlight } from './requests-in-flight.ts';

interface McpEndpointPorts {
  readonly makeServer: ServerMaker;
  readonly modern: ModernEndpoint;
  readonly sessions: LegacySessions;
  readonly inFlight: RequestsInFlight;
  readonly clients: Pick<PresentClients, 'begin'>;
  readonly log: Log;
  readonly work: Work;
  readonly newId: () => string;
  readonly bodySeconds: number;
  /** Told of a request that turned out to be one too many once its body was read, and of a fault under the id it is logged by. */
  readonly refused: (incoming: IncomingMessage, principal: Principal, refusal: HttpRefusal) => void;
}

type McpEndpoint = (
  request: Request,
  admitted: Admitted,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<Response>;

/** What the gate found out. */
export interface Admitted {
  readonly principal: Principal;
  readonly load: Pick<Load, 'beforeBody' | 'settle'>;
}

export function mcpEndpoint(ports: McpEndpointPorts): McpEndpoint {
  const legacy = legacyEndpoint(ports.makeServer, ports.sessions, ports.newId);
  const turn = eventLoopTurns();

  return async (request, { principal, load }, incoming, outgoing) => {
    // Before the body is read: a token may be revoked while it arrives.
    const signal = ports.inFlight.begin(principal.tokenId, outgoing);
    // The SDK ends an exchange by its request's signal; ours also tells of a revoked token and of the daemon's stop.
    Object.defineProperty(request, 'signal', { value: signal });
    const present = ports.clients.begin(principal);
    outgoing.once('close', present.end);
    const tooMuch = (refusal: HttpRefusal, id: RequestId | null): Response => {
      ports.refused(incoming, principal, refusal);
      return respond(refusal, id);
    };
    const early = await load.beforeBody(signal);
    if (signal.aborted) return ended(signal, null);
    if (early !== null) return tooMuch(early, null);
    const read = await readBytes(incoming, ports.bodySeconds);
    const isLong = read.kind === 'complete' && read.bytes.length > httpLimits.shortBodyBytes;
    if (isLong) await turn();
    const message =
      read.kind === 'complete' ? ports.work.during('reading a request', () => messageOf(read.bytes)) : read;
    if (signal.aborted) return ended(signal, null);
    if (message.kind === 'refused') return respond(message.refusal, null);
    const { body } = message;
    const id = requestIdOf(body);
    const cost = costOf(body, claimsModernEra(body, request.headers.get('mcp-protocol-version')));
    const late = await load.settle(cost, signal);
    if (isLong && late === null) await turn();
    if (signal.aborted) return ended(signal, id);
    if (late !== null) return tooMuch(late, id);
    try {
      const answer = await ports.work.during('beginning an answer', () => serve(request, principal, body, present));
      if (signal.aborted) return ended(signal, id, underWay);
      return answer instanceof Response ? answer : respond(answer, id);
    } catch (error) {
      if (signal.aborted && isClosed(error)) return ended(signal, id, underWay);
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
    const client = isObject(claimed) ? cleanClientName(claimed.name) : null;
    present.saw(client, modernProtocolVersion);
    const takesEvents = acceptsEvents(request.headers.get('accept'));
    return ports.modern.handle(request, { principal, client, takesEvents }, body);
  }
}

type Refused = { readonly kind: 'refused'; readonly refusal: HttpRefusal };
type Message = { readonly kind: 'message'; readonly body: Record<string, unknown> } | Refused;

const refused = (refusal: HttpRefusal): Refused => ({ kind: 'refused', refusal });

async function readBytes(
  incoming: IncomingMessage,
  bodySeconds: number,
): Promise<{ readonly kind: 'complete'; readonly bytes: Buffer } | Refused> {
  if (!isJsonContentType(incoming.headers['content-type'] ?? null)) return refused({ kind: 'not_json_content' });
  const read = await readBody(incoming, tooLarge.capBytes, bodySeconds);
  switch (read.kind) {
    case 'complete':
      return read;
    case 'too_large':
      return refused(tooLarge);
    case 'too_slow':
      return refused({ kind: 'body_too_slow' });
    case 'incomplete':
      return refused({ kind: 'body_incomplete' });
  }
}

function messageOf(bytes: Buffer): Message {
  const complexity = tooComplex(bytes);
  if (complexity !== null) return refused(complexity);
  const body = jsonIn(bytes);
  if (body === undefined) return refused({ kind: 'not_json' });
  if (Array.isArray(body)) return refused({ kind: 'batch' });
  return isObject(body) ? { kind: 'message', body } : refused({ kind: 'not_a_message' });
}

/** Before it is parsed: what it would be made into holds everybody up. */
function tooComplex(bytes: Buffer): HttpRefusal | null {
  const most = { members: httpLimits.mcpBodyMembers, levels: httpLimits.mcpBodyLevels };
  const { members, levels } = extentOf(bytes, most);
  if (levels > most.levels) {
    const sentence = `The request is nested more than ${most.levels} levels deep; send it with fewer.`;
    return { kind: 'body_too_complex', sentence };
  }
  if (members <= most.members) return null;
  const sentence = `The request has more than ${most.members} members and list elements; send fewer.`;
  return { kind: 'body_too_complex', sentence };
}

/** Else a client takes a write that was cut off for one that never ran. */
const underWay = ' This request was under way, so it may have taken effect: look before you repeat it.';

/** What a client is told whose request was ended from outside; nobody hears it where the client itself left. */
function ended(signal: AbortSignal, id: RequestId | null, remark = ''): Response {
  const cause: EndCause = signal.reason;
  switch (cause) {
    case 'disconnected':
      return new Response(null, { status: 499 });
    case 'revoked':
      return respond({ kind: 'unauthenticated', reason: 'revoked' }, id, remark);
    case 'expired':
      return respond({ kind: 'token_expired' }, id, remark);
    case 'stopping':
      return respond({ kind: 'switched_off', sentence: 'Sallyport is stopping.' }, id, remark);
    case 'switched_off':
      return respond({ kind: 'switched_off', sentence: 'The user switched the MCP server off.' }, id, remark);
    case 'paused':
      return respond({ kind: 'switched_off', sentence: pausedSentence }, id, remark);
    case 'moved':
      return respond({ kind: 'switched_off', sentence: 'Sallyport has moved to another port.' }, id, remark);
  }
}

function respond(refusal: HttpRefusal, id: RequestId | null, remark = ''): Response {
  const { status, headers, body } = refuse(refusal, id, remark);
  return new Response(body, { status, headers });
}

function requestIdOf({ id, method }: Record<string, unknown>): RequestId | null {
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
