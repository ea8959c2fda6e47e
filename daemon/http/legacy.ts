/**
 * Serves the 2025 revisions on /mcp (spec §4): initialize opens a session, every later request names it, and is answered by
 * a server instance of its own. Older revisions are refused. The bearer was believed and the body parsed before.
 */

import {
  classifyInboundRequest,
  isInitializeRequest,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server';
import { newestLegacyProtocolVersion, protocolVersions } from '../../shared/codes.ts';
import { isObject } from '../../shared/json.ts';
import type { Principal } from '../access/tokens/token.ts';
import { cleanClientName } from '../mcp/client-name.ts';
import { canElicit, type ServerMaker } from '../mcp/server.ts';
import { acceptsEvents } from './accept.ts';
import { elicitOn, takeAnswer } from './legacy-elicitation.ts';
import type { LegacySession, LegacySessions } from './legacy-sessions.ts';
import type { HttpRefusal, RequestId } from './refuse.ts';

interface LegacyExchange {
  readonly request: Request;
  readonly principal: Principal;
  readonly body: unknown;
  /** Told who the client says it is, and the revision it speaks, once that is known. */
  readonly saw: (client: string | null, protocol: string | null) => void;
}

type LegacyAnswer = Response | HttpRefusal;

/** The oldest first: what is served besides the modern revision. */
const served: readonly string[] = protocolVersions.filter(version => version <= newestLegacyProtocolVersion).toSorted();
const accepted = (): Response => new Response(null, { status: 202 });

export function legacyEndpoint(makeServer: ServerMaker, sessions: LegacySessions, newId: () => string) {
  return async ({ request, principal, body, saw }: LegacyExchange): Promise<LegacyAnswer> => {
    const route = classifyInboundRequest({ httpMethod: 'POST', body });
    if (route.kind !== 'legacy') return { kind: 'not_a_message' };
    if (route.reason === 'initialize') return initialize(request, principal, body, saw);

    const version = request.headers.get('mcp-protocol-version');
    if (version !== null && !served.includes(version)) return { kind: 'protocol_version', requested: version };
    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId === null) return { kind: 'session_missing' };
    const session = sessions.find(sessionId, principal);
    if (session === null) return { kind: 'session_unknown' };
    saw(session.client, version);
    if (route.reason === 'notification') return notified(session, body);
    if (route.reason === 'response' && isObject(body)) takeAnswer(session, body);
    return isRequest(body) ? run(request, principal, session, body) : accepted();
  };

  async function initialize(
    request: Request,
    principal: Principal,
    body: unknown,
    saw: LegacyExchange['saw'],
  ): Promise<LegacyAnswer> {
    if (!isRequest(body) || !isInitializeRequest(body)) return { kind: 'invalid_initialize' };
    const { protocolVersion, clientInfo, capabilities } = body.params;
    const named = request.headers.get('mcp-protocol-version');
    if (named !== null && named !== protocolVersion) {
      return { kind: 'two_versions', header: named, body: protocolVersion };
    }
    // Versions are dates: one that is older than all of ours is refused, one that is newer is offered ours by the SDK.
    if (protocolVersion < (served[0] ?? '')) return { kind: 'protocol_version', requested: protocolVersion };
    const client = cleanClientName(clientInfo.name);
    saw(client, served.includes(protocolVersion) ? protocolVersion : newestLegacyProtocolVersion);
    const response = await answerOnce(request, principal, client, body);
    const session = sessions.open(principal, { client, canElicit: canElicit(capabilities) });
    if (session === null) return { kind: 'unauthenticated', reason: 'revoked' };
    response.headers.set('Mcp-Session-Id', session.id);
    return response;
  }

  async function run(
    request: Request,
    principal: Principal,
    session: LegacySession,
    message: JSONRPCRequest,
  ): Promise<LegacyAnswer> {
    try {
      return await answerOnce(request, principal, session.client, message, session);
    } catch (error) {
      // HTTP wants an answer where a cancelled JSON-RPC request would get none.
      if (isClosed(error) && !request.signal.aborted) return { kind: 'cancelled' };
      throw error;
    }
  }

  async function answerOnce(
    request: Request,
    principal: Principal,
    client: string | null,
    message: JSONRPCRequest,
    session?: LegacySession,
  ): Promise<Response> {
    const transport = new PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });
    const takesEvents = acceptsEvents(request.headers.get('accept'));
    const elicit = takesEvents && session?.canElicit ? { elicit: elicitOn(transport, session, message.id, newId) } : {};
    const server = makeServer({ principal, client, takesEvents, ...elicit }, message.method);
    if (session !== undefined) {
      const cancel = (): void => void transport.close();
      session.running.set(message.id, cancel);
      // Told when the exchange is over, which for a stream is later than when its response begins.
      server.onclose = () => forget(session, message.id, cancel);
    }
    await server.connect(transport);
    const response = await transport.handleMessage(message, { request });
    // The SDK answers an unknown method with 404, as the modern revision does. To these revisions that says that the session is gone.
    return response.status === 404 ? new Response(response.body, { headers: response.headers }) : response;
  }
}

function forget(session: LegacySession, id: RequestId, cancel: () => void): void {
  if (session.running.get(id) === cancel) session.running.delete(id);
}

function notified(session: LegacySession, body: unknown): Response {
  if (isObject(body) && body.method === 'notifications/cancelled' && isObject(body.params)) {
    const { requestId } = body.params;
    if (typeof requestId === 'string' || typeof requestId === 'number') session.running.get(requestId)?.();
  }
  return accepted();
}

/** The SDK's classifier checked the shape before. */
function isRequest(body: unknown): body is JSONRPCRequest {
  return isObject(body) && typeof body.method === 'string' && 'id' in body;
}

/** The exchange ended before there was an answer: what the SDK says when its stream is closed under it. */
export function isClosed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}
