/**
 * Serves the 2025 revisions on /mcp (spec §4): initialize opens a session, and every later request
 * names it and gets its own server instance. Older revisions are refused. The bearer was accepted
 * and the body parsed before.
 */

import {
  classifyInboundRequest,
  isInitializeRequest,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server';
import { newestLegacyProtocolVersion, protocolVersions } from '../../../shared/codes.ts';
import { isObject } from '../../../shared/json.ts';
import { cleanClientName } from '../mcp/client-name.ts';
import { type PlainCall, plainCallOf } from '../mcp/plain-call.ts';
import { canElicit, type McpCaller, type ServerMaker } from '../mcp/server.ts';
import { acceptsEvents } from './accept.ts';
import { headerOf } from './header.ts';
import { elicitOn, takeAnswer } from './legacy-elicitation.ts';
import type { LegacySession, LegacySessions } from './legacy-sessions.ts';
import type { AnswerMaker, McpExchange } from './mcp-exchange.ts';
import type { CallEndpoint } from './plain-calls.ts';
import type { HttpRefusal, RequestId } from './refuse.ts';
import type { Subscriptions } from './subscription.ts';

type GetExchange = Omit<McpExchange, 'body' | 'clock'>;

export type LegacyEndpoint = ReturnType<typeof legacyEndpoint>;

/** Oldest first; what is served besides the modern revision. */
const served: readonly string[] = protocolVersions.filter(version => version <= newestLegacyProtocolVersion).toSorted();
const accepted: AnswerMaker = async () => new Response(null, { status: 202 });

interface LegacyPorts {
  readonly makeServer: ServerMaker;
  readonly calls: CallEndpoint;
  readonly sessions: LegacySessions;
  readonly subscriptions: Pick<Subscriptions, 'begin'>;
  readonly newId: () => string;
}

export function legacyEndpoint({ makeServer, calls, sessions, subscriptions, newId }: LegacyPorts) {
  return { enter, answer, listen };

  /**
   * The session that a message names; null if there is none. From here on its request can be
   * cancelled while it waits for a slot.
   *
   * @param id of the request; null for any other message.
   */
  function enter(exchange: McpExchange, id: RequestId | null): LegacySession | null {
    const { incoming, principal, body } = exchange;
    const sessionId = headerOf(incoming, 'mcp-session-id');
    const opensAnother = id !== null && body.method === 'initialize';
    if (sessionId === null || opensAnother) return null;
    const session = sessions.find(sessionId, principal);
    if (session !== null && id !== null) remember(session, id, exchange);
    return session;
  }

  /** The stream of a session's changes. It takes the place of the session's former one. */
  function listen({ incoming, outgoing, principal, inFlight, saw }: GetExchange): Response | HttpRefusal {
    const version = headerOf(incoming, 'mcp-protocol-version');
    if (version !== null && !served.includes(version)) return { kind: 'protocol_version', requested: version };
    const session = sessions.find(headerOf(incoming, 'mcp-session-id') ?? '', principal);
    if (session === null) return { kind: 'session_unknown' };
    saw(session.client, version);
    session.endStream?.();
    const end = (): void => inFlight.abort('cancelled');
    session.endStream = end;
    outgoing.once('close', () => {
      if (session.endStream === end) session.endStream = null;
    });
    const client = session.client ?? principal.tokenName;
    return subscriptions.begin({ id: null, principal, client, signal: inFlight.signal });
  }

  /** @returns null if the answer was written, else what makes it, or why there is none. */
  async function answer(
    exchange: McpExchange,
    session: LegacySession | null,
  ): Promise<AnswerMaker | HttpRefusal | null> {
    const { incoming, body, saw } = exchange;
    const call = plainCallOf(body, []);
    const route = call === null ? classifyInboundRequest({ httpMethod: 'POST', body }) : plainRoute;
    if (route.kind !== 'legacy') return { kind: 'not_a_message' };
    if (route.reason === 'initialize') return initialize(exchange);

    const version = headerOf(incoming, 'mcp-protocol-version');
    if (version !== null && !served.includes(version)) return { kind: 'protocol_version', requested: version };
    if (session === null)
      return { kind: headerOf(incoming, 'mcp-session-id') === null ? 'session_missing' : 'session_unknown' };
    saw(session.client, version);
    if (route.reason === 'notification') return notified(session, body);
    if (route.reason === 'response') takeAnswer(session, body);
    if (!isRequest(body)) return accepted;
    return run(exchange, session, body, call);
  }

  async function initialize({
    incoming,
    principal,
    body,
    clock,
    saw,
  }: McpExchange): Promise<AnswerMaker | HttpRefusal> {
    if (!isRequest(body) || !isInitializeRequest(body)) return { kind: 'invalid_initialize' };
    const { protocolVersion, clientInfo, capabilities } = body.params;
    const named = headerOf(incoming, 'mcp-protocol-version');
    if (named !== null && named !== protocolVersion) {
      return { kind: 'two_versions', header: named, body: protocolVersion };
    }
    // Versions are dates. One older than all of ours is refused; for a newer one the SDK offers
    // ours.
    if (protocolVersion < (served[0] ?? '')) return { kind: 'protocol_version', requested: protocolVersion };
    const client = cleanClientName(clientInfo.name);
    saw(client, served.includes(protocolVersion) ? protocolVersion : newestLegacyProtocolVersion);
    return async request => {
      const takesEvents = acceptsEvents(headerOf(incoming, 'accept'));
      const response = await answerOnce(request, perRequest(), { principal, client, clock, takesEvents }, body);
      const session = sessions.open(principal, { client, canElicit: canElicit(capabilities) });
      if (session === null) return { kind: 'unauthenticated', reason: 'revoked' };
      response.headers.set('Mcp-Session-Id', session.id);
      return response;
    };
  }

  function run(
    exchange: McpExchange,
    session: LegacySession,
    message: JSONRPCRequest,
    call: PlainCall | null,
  ): AnswerMaker | Promise<AnswerMaker | null> {
    const transport = perRequest();
    const caller = callerOf(exchange, session);
    const elicit = caller.takesEvents && session.canElicit ? elicitOn(transport, session, message.id, newId) : null;
    if (call === null) {
      return request => answerOnce(request, transport, { ...caller, ...(elicit && { elicit }) }, message);
    }
    const { inFlight, outgoing } = exchange;
    return calls.legacy({ call, caller, signal: inFlight.signal, outgoing }, elicit, (request, outcome) =>
      answerOnce(request, transport, { ...caller, outcome }, message),
    );
  }

  async function answerOnce(
    request: Request,
    transport: PerRequestHTTPServerTransport,
    caller: McpCaller,
    message: JSONRPCRequest,
  ): Promise<Response> {
    await makeServer(caller, message.method, 'legacy').connect(transport);
    const response = await transport.handleMessage(message, { request });
    // The SDK answers an unknown method with 404, as in the modern revision. In these revisions 404
    // means that the session is gone.
    return response.status === 404 ? new Response(response.body, { headers: response.headers }) : response;
  }
}

const plainRoute = { kind: 'legacy', reason: 'no-claim' } as const;
const perRequest = (): PerRequestHTTPServerTransport =>
  new PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });

function callerOf({ incoming, principal, clock }: McpExchange, { client }: LegacySession): McpCaller {
  return { principal, client, clock, takesEvents: acceptsEvents(headerOf(incoming, 'accept')) };
}

/** Remembers a running request, so that it can be cancelled until its answer has been sent. */
function remember({ running }: LegacySession, id: RequestId, { inFlight, outgoing }: McpExchange): void {
  const cancel = (): void => inFlight.abort('cancelled');
  running.set(id, cancel);
  outgoing.once('close', () => {
    if (running.get(id) === cancel) running.delete(id);
  });
}

function notified(session: LegacySession, body: Record<string, unknown>): AnswerMaker {
  if (body.method === 'notifications/cancelled' && isObject(body.params)) {
    const { requestId } = body.params;
    if (typeof requestId === 'string' || typeof requestId === 'number') session.running.get(requestId)?.();
  }
  return accepted;
}

/** The SDK's classifier has checked the shape. */
function isRequest(body: unknown): body is JSONRPCRequest {
  return isObject(body) && typeof body.method === 'string' && 'id' in body;
}

/** The exchange ended before there was an answer: the SDK's error if its stream is closed. */
export function isClosed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}
