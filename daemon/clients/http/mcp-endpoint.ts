/**
 * Serves /mcp behind the gate: reads the message of a POST, finds out which era of MCP it belongs
 * to, has it answered, and words refusals (spec §4). A GET has no message: it opens its session's
 * stream.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { callMillisecondsOf } from '../../../shared/call-time.ts';
import { modernProtocolVersion } from '../../../shared/codes.ts';
import { isObject } from '../../../shared/json.ts';
import type { AccessInUse } from '../../access/access-in-use.ts';
import type { PresentClients } from '../../access/limits/present-clients.ts';
import type { Principal } from '../../access/tokens/token.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { stoppedOnItsWay } from '../../statement/waiting-words.ts';
import type { Work } from '../../work.ts';
import { cleanClientName } from '../mcp/client-name.ts';
import { extentOf } from '../mcp/json-extent.ts';
import { inexactNumberIn } from '../mcp/json-numbers.ts';
import { factsOfError, type Log } from '../mcp/log.ts';
import { acceptsEvents } from './accept.ts';
import { dropRest, jsonIn, readBody } from './body.ts';
import { tooLarge } from './gate.ts';
import { headerOf } from './header.ts';
import { httpLimits } from './http-limits.ts';
import { isJsonContent } from './json-content.ts';
import { isClosed, type LegacyEndpoint } from './legacy.ts';
import type { AnswerMaker, McpExchange } from './mcp-exchange.ts';
import { claimsModernEra, type ModernEndpoint, metaOf, plainModernCallOf } from './modern.ts';
import { pausedCallAnswer } from './paused-call.ts';
import type { CallEndpoint } from './plain-calls.ts';
import { type HttpAnswer, type HttpRefusal, type RequestId, refuse } from './refuse.ts';
import { costOf, type ReservedQuota } from './request-quota.ts';
import type { EndCause, RequestsInFlight } from './requests-in-flight.ts';
import { settlesWithin } from './settles-within.ts';

interface McpEndpointPorts {
  readonly calls: CallEndpoint;
  readonly beginClock: () => McpExchange['clock'];
  readonly modern: ModernEndpoint;
  readonly legacy: LegacyEndpoint;
  readonly inFlight: RequestsInFlight;
  readonly accessInUse: Pick<AccessInUse, 'principalNow'>;
  readonly clients: Pick<PresentClients, 'begin'>;
  readonly log: Log;
  readonly work: Work;
  readonly newId: () => string;
  readonly bodySeconds: number;
  /**
   * Called for a request that turned out to be over a limit once its body was read, and for a
   * fault, with the id that the daemon's log has.
   */
  readonly refused: (principal: Principal, refusal: HttpRefusal) => void;
}

export type ResponseMaker = (request: Request) => Promise<Response>;

/** What the gate found out about a request that it let in. */
interface Admitted {
  readonly principal: Principal;
  readonly quota: Pick<ReservedQuota, 'beforeBody' | 'settle'>;
}

export function mcpEndpoint(ports: McpEndpointPorts) {
  const oneByOne = oneAtATime();
  /**
   * Waits for a turn of the event loop of its own. Otherwise long messages that arrive together
   * would be answered in one turn, and the sender of a short one would wait for all.
   */
  const turn = (): Promise<void> => oneByOne(() => nextTurn());

  /** @returns null if the answer has been written already. */
  return async (
    { principal, quota }: Admitted,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<ResponseMaker | null> => {
    // This begins before the body is read, as the token may be revoked while it arrives.
    const inFlight = ports.inFlight.begin(principal.tokenId, outgoing);
    const { signal } = inFlight;
    const clock = ports.beginClock();
    const present = ports.clients.begin(principal);
    outgoing.once('close', present.end);
    const refusing = (refusal: HttpRefusal, id: RequestId | null): ResponseMaker => {
      return async () => respond(refusal, id);
    };
    const tooMuch = (refusal: HttpRefusal, id: RequestId | null): ResponseMaker => {
      ports.refused(principal, refusal);
      return refusing(refusal, id);
    };
    if (incoming.method === 'GET') {
      const late = await quota.settle('subscription', signal);
      if (signal.aborted) return async () => ended(signal, null);
      if (late !== null) return tooMuch(late, null);
      const now = ports.accessInUse.principalNow(principal);
      const stream = ports.legacy.listen({ incoming, outgoing, principal: now, inFlight, saw: present.saw });
      return stream instanceof Response ? async () => stream : refusing(stream, null);
    }
    const early = await quota.beforeBody(signal);
    if (signal.aborted) return async () => ended(signal, null);
    if (early !== null) return tooMuch(early, null);
    const read = await readBytes(incoming, ports.bodySeconds);
    const isLong = read.kind === 'complete' && read.bytes.length > httpLimits.shortBodyBytes;
    if (isLong) await turn();
    const message =
      read.kind === 'complete' ? ports.work.during('reading a request', () => messageOf(read.bytes)) : read;
    if (signal.aborted) return async () => ended(signal, null);
    if (message.kind === 'refused') return refusing(message.refusal, null);
    const { body } = message;
    const id = requestIdOf(body);
    const isModern = claimsModernEra(body, headerOf(incoming, 'mcp-protocol-version'));
    const exchange = { incoming, outgoing, principal, body, inFlight, clock, saw: present.saw };
    const session = isModern ? null : ports.legacy.enter(exchange, id);
    const late = await quota.settle(costOf(body, isModern), signal, callMillisecondsOf(body.params));
    if (isLong && late === null) await turn();
    if (signal.aborted) return async () => ended(signal, id, null, exchange);
    if (late !== null) return tooMuch(late, id);
    try {
      const answer = await ports.work.during('beginning an answer', () =>
        isModern ? modern(current(exchange)) : ports.legacy.answer(current(exchange), session),
      );
      if (answer === null) return null;
      if (signal.aborted) return async () => stopped();
      return typeof answer === 'function' ? request => made(answer, request) : refusing(answer, id);
    } catch (error) {
      return async () => broken(error);
    }

    async function made(answer: AnswerMaker, request: Request): Promise<Response> {
      // The SDK ends an exchange by its request's signal; ours also covers cancellation, a revoked
      // token and the daemon's stop.
      Object.defineProperty(request, 'signal', { value: signal });
      try {
        const response = await ports.work.during('beginning an answer', () => answer(request));
        if (signal.aborted) return await stopped();
        return response instanceof Response ? response : respond(response, id);
      } catch (error) {
        return broken(error);
      }
    }

    /** Answers a request that was ended. The engine has to hear of that to know what may stay. */
    async function stopped(): Promise<Response> {
      if (clock.mayStay) await settlesWithin(clock.over, httpLimits.outcomeMilliseconds);
      return ended(signal, id, clock.mayStay, exchange);
    }

    async function broken(error: unknown): Promise<Response> {
      if (signal.aborted && isClosed(error)) return stopped();
      const fault = { kind: 'internal', requestId: ports.newId() } as const;
      ports.log.error({ requestId: fault.requestId, ...factsOfError(error) }, 'a request failed');
      ports.refused(principal, fault);
      return respond(fault, id);
    }
  };

  /** The exchange with its token's present rights, which may have changed while it waited. */
  function current(exchange: McpExchange): McpExchange {
    return { ...exchange, principal: ports.accessInUse.principalNow(exchange.principal) };
  }

  function modern({
    incoming,
    outgoing,
    principal,
    body,
    inFlight,
    clock,
    saw,
  }: McpExchange): Promise<AnswerMaker | null> {
    const claimed = metaOf(body)?.[CLIENT_INFO_META_KEY];
    const client = isObject(claimed) ? cleanClientName(claimed.name) : null;
    saw(client, modernProtocolVersion);
    const caller = { principal, client, clock, takesEvents: acceptsEvents(headerOf(incoming, 'accept')) };
    const call = plainModernCallOf(body, incoming.headers);
    if (call === null) return Promise.resolve(request => ports.modern.handle(request, caller, body));
    return ports.calls.modern({ call, caller, signal: inFlight.signal, outgoing }, (request, outcome) =>
      ports.modern.handle(request, { ...caller, outcome }, body),
    );
  }
}

type Refused = { readonly kind: 'refused'; readonly refusal: HttpRefusal };
type Message = { readonly kind: 'message'; readonly body: Record<string, unknown> } | Refused;

const refused = (refusal: HttpRefusal): Refused => ({ kind: 'refused', refusal });

async function readBytes(
  incoming: IncomingMessage,
  bodySeconds: number,
): Promise<{ readonly kind: 'complete'; readonly bytes: Buffer } | Refused> {
  if (!isJsonContent(incoming)) {
    await dropRest(incoming);
    return refused({ kind: 'not_json_content' });
  }
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
  if (!isObject(body)) return refused({ kind: 'not_a_message' });
  // Some clients write null for an absent value.
  if (body.params === null) delete body.params;
  const number = inexactNumberIn(bytes.toString('latin1'));
  return number === null ? { kind: 'message', body } : refused({ kind: 'inexact_number', number });
}

/** Looks before the body is parsed: building and walking a large value would block everybody. */
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

/**
 * The answer to a request that was ended from outside; nobody reads it if the client itself left.
 * @param mayStay whether a statement of it may have taken effect; null if it had not begun.
 */
function ended(
  signal: AbortSignal,
  id: RequestId | null,
  mayStay: boolean | null = null,
  exchange: Pick<McpExchange, 'incoming' | 'body'> | null = null,
): Response {
  const cause: EndCause = signal.reason;
  const remark = mayStay === null ? '' : ` ${stoppedOnItsWay(mayStay)}`;
  if (cause === 'paused' && exchange !== null) {
    const { incoming, body } = exchange;
    const call = pausedCallAnswer(body, headerOf(incoming, 'mcp-protocol-version'), cause, mayStay);
    if (call !== null) return responseOf(call);
  }
  switch (cause) {
    case 'disconnected':
      return new Response(null, { status: 499 });
    // HTTP needs an answer even if a cancelled JSON-RPC request gets none.
    case 'cancelled':
      return respond({ kind: 'cancelled' }, id);
    case 'revoked':
      return respond({ kind: 'unauthenticated', reason: 'revoked' }, id, remark);
    case 'expired':
      return respond({ kind: 'token_expired' }, id, remark);
    default:
      return respond({ kind: 'switched_off', why: cause }, id, remark);
  }
}

function respond(refusal: HttpRefusal, id: RequestId | null, remark = ''): Response {
  return responseOf(refuse(refusal, id, remark));
}

function responseOf({ status, headers, body }: HttpAnswer): Response {
  return new Response(body, { status, headers });
}

function requestIdOf({ id, method }: Record<string, unknown>): RequestId | null {
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
