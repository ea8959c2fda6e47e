/**
 * Every refusal of the HTTP door as it is sent (spec §3, §4): status, headers and body. The body is
 * a JSON-RPC error for MCP, and has OAuth's form elsewhere. This decides nothing.
 */

import { errorCodes, protocolVersions } from '../../../shared/codes.ts';
import { shownName } from '../../../shared/shown-text.ts';

export type HttpRefusal =
  | { readonly kind: 'method_not_allowed'; readonly allow: string }
  | { readonly kind: 'path_unknown' }
  | { readonly kind: 'expectation_unknown' }
  | { readonly kind: 'forbidden_host' }
  | { readonly kind: 'forbidden_origin' }
  | { readonly kind: 'body_too_large'; readonly capBytes: number }
  /** The body has more members or levels than we read. */
  | { readonly kind: 'body_too_complex'; readonly sentence: string }
  /** `number` is as it is written in the body. */
  | { readonly kind: 'inexact_number'; readonly number: string }
  | { readonly kind: 'body_incomplete' }
  | { readonly kind: 'body_too_slow' }
  /** On the exchange path; the sentence says what is wrong with the body. */
  | { readonly kind: 'invalid_exchange'; readonly sentence: string }
  | { readonly kind: 'challenge_mismatch' }
  | { readonly kind: 'code_not_found' }
  | { readonly kind: 'code_expired' }
  /** `reason` is for the log; the wire doesn't tell a guess from a revoked token. */
  | { readonly kind: 'unauthenticated'; readonly reason: UnauthenticatedReason }
  | { readonly kind: 'token_expired' }
  /** `tokenMadeAt` is in ISO 8601, and later than this machine's clock. */
  | { readonly kind: 'clock_behind'; readonly tokenMadeAt: string }
  | {
      readonly kind: 'limited';
      readonly limit: 'lockout' | 'rate' | 'concurrency';
      readonly sentence: string;
      readonly retryAfterSeconds: number;
    }
  | { readonly kind: 'exchange_limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'switched_off'; readonly why: keyof typeof offSentences }
  | { readonly kind: 'not_json_content' }
  | { readonly kind: 'not_json' }
  | { readonly kind: 'not_a_message' }
  | { readonly kind: 'batch' }
  | { readonly kind: 'protocol_version'; readonly requested: string }
  | { readonly kind: 'invalid_initialize' }
  | { readonly kind: 'two_versions'; readonly header: string; readonly body: string }
  | { readonly kind: 'session_missing' }
  | { readonly kind: 'session_unknown' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'internal'; readonly requestId: string };

type UnauthenticatedReason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'dead_bridge_token';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type RequestId = string | number;

/**
 * @param id of the JSON-RPC request, if it could be read; without one the member is left out, as
 *   MCP demands.
 * @param remark follows the message of a JSON-RPC error.
 */
export function refuse(refusal: HttpRefusal, id: RequestId | null = null, remark = ''): HttpAnswer {
  const rpc = (status: number, code: number, message: string, headers = {}, data: unknown = undefined): HttpAnswer =>
    answerJson(
      status,
      {
        jsonrpc: '2.0',
        ...(id !== null && { id }),
        error: { code, message: message + remark, ...(data !== undefined && { data }) },
      },
      headers,
    );

  switch (refusal.kind) {
    case 'method_not_allowed':
      return plain(405, 'method_not_allowed', 'Only POST is served here, and on /mcp the GET of a session.', {
        Allow: refusal.allow,
      });
    case 'path_unknown':
      return plain(404, 'not_found', 'Sallyport serves /mcp and nothing at this path.');
    case 'expectation_unknown':
      return plain(417, 'expectation_failed', 'Of the Expect header only 100-continue is served.', {
        Connection: 'close',
      });
    case 'forbidden_host':
      return plain(403, 'forbidden_host', 'The Host header must name 127.0.0.1, localhost or [::1], once.');
    case 'forbidden_origin':
      return plain(403, 'forbidden_origin', 'Requests from web pages are refused.');
    case 'body_too_large':
      return rpc(
        413,
        errorCodes.tooLarge,
        `The request is larger than ${refusal.capBytes} bytes; send less in it, such as fewer bound values.`,
      );
    case 'body_too_complex':
      return rpc(400, errorCodes.invalidParams, refusal.sentence);
    case 'inexact_number':
      return rpc(
        400,
        errorCodes.invalidParams,
        `The number ${shownName(refusal.number)} would be rounded where it is read; send it as a string.`,
      );
    case 'body_incomplete':
      return rpc(400, errorCodes.parseError, 'The request body ended before it was complete.');
    case 'body_too_slow':
      return plain(408, 'timeout', 'The request took too long to arrive.', { Connection: 'close' });
    case 'invalid_exchange':
      return plain(400, 'invalid_request', refusal.sentence, noStore);
    case 'challenge_mismatch':
      return plain(403, 'challenge_mismatch', 'Challenge mismatch', noStore);
    case 'code_not_found':
      return plain(404, 'code_not_found', 'Pairing code not found', noStore);
    case 'code_expired':
      return plain(410, 'code_expired', 'Pairing code expired', noStore);
    case 'unauthenticated':
      return rpc(401, errorCodes.unauthenticated, unauthenticatedSentence(refusal.reason), {
        'WWW-Authenticate': refusal.reason === 'missing' ? challenge : `${challenge}, error="invalid_token"`,
      });
    case 'token_expired':
      return rpc(
        401,
        errorCodes.tokenExpired,
        'This token has expired. Only the user can give this client another, in Sallyport.',
        {
          'WWW-Authenticate': `${challenge}, error="invalid_token", error_description="The token expired"`,
        },
      );
    case 'clock_behind':
      return rpc(
        503,
        errorCodes.switchedOff,
        `This token was made at ${refusal.tokenMadeAt}, and this machine's clock shows an earlier time; set the clock, then try again.`,
      );
    case 'limited':
      return rpc(429, errorCodes.rateLimited, refusal.sentence, { 'Retry-After': String(refusal.retryAfterSeconds) });
    case 'exchange_limited':
      return plain(
        429,
        'rate_limited',
        `Too many pairing codes were refused; try again in ${refusal.retryAfterSeconds} s.`,
        { ...noStore, 'Retry-After': String(refusal.retryAfterSeconds) },
      );
    case 'switched_off':
      return rpc(503, errorCodes.switchedOff, offSentences[refusal.why], {}, { reason: offReason(refusal.why) });
    case 'not_json_content':
      return rpc(415, errorCodes.invalidRequest, 'The Content-Type must be application/json, once.');
    case 'not_json':
      return rpc(400, errorCodes.parseError, 'The request body is not valid JSON in UTF-8.');
    case 'not_a_message':
      return rpc(400, errorCodes.invalidRequest, 'The request body is not a JSON-RPC 2.0 message.');
    case 'batch':
      return rpc(
        400,
        errorCodes.invalidRequest,
        'Batches are not supported; send each message in a request of its own.',
      );
    case 'protocol_version':
      return rpc(
        400,
        errorCodes.unsupportedProtocolVersion,
        versionSentence(refusal.requested),
        {},
        {
          supported: protocolVersions,
          requested: refusal.requested,
        },
      );
    case 'invalid_initialize':
      return rpc(200, errorCodes.invalidParams, 'initialize needs protocolVersion, capabilities and clientInfo.');
    case 'two_versions':
      return rpc(
        400,
        errorCodes.invalidRequest,
        `MCP-Protocol-Version names ${shownName(refusal.header)} and initialize ${shownName(refusal.body)}; name one version in both.`,
      );
    case 'session_missing':
      return rpc(400, errorCodes.invalidRequest, 'Send initialize first, then its Mcp-Session-Id with every request.');
    case 'session_unknown':
      return rpc(404, errorCodes.sessionUnknown, 'This session is unknown or has ended; send initialize again.');
    case 'cancelled':
      return rpc(200, errorCodes.cancelled, 'The request was cancelled.');
    case 'internal':
      return rpc(
        500,
        errorCodes.internal,
        `Something went wrong inside Sallyport; see request ${refusal.requestId} in its log.`,
      );
  }
}

/**
 * How a client learns that nobody is let in. `data.reason` is for a program with its own words,
 * such as `sallyport query`.
 */
export const offSentences = {
  stopping: 'Sallyport is stopping.',
  switched_off: 'The user switched the MCP server off.',
  paused: 'Sallyport is paused: the user lets no client in for now, and only they can end that.',
  paused_by_itself:
    "Sallyport is paused: what it keeps isn't as it was left, so it lets no client in until the user has looked at it.",
  moved: 'Sallyport has moved to another port.',
} as const;

function offReason(why: keyof typeof offSentences): string {
  return why === 'paused_by_itself' ? 'paused' : why;
}

/** An error outside JSON-RPC. */
export function plain(
  status: number,
  error: string,
  sentence: string,
  headers: Record<string, string> = {},
): HttpAnswer {
  return answerJson(status, { error, error_description: sentence }, headers);
}

/** For what is said about a pairing code: no cache may keep it. */
export const noStore = { 'Cache-Control': 'no-store' };
const challenge = 'Bearer realm="Sallyport"';

export function answerJson(status: number, body: unknown, headers: Readonly<Record<string, string>>): HttpAnswer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function unauthenticatedSentence(reason: UnauthenticatedReason): string {
  return reason === 'missing'
    ? 'A bearer token is needed. Only the user can give this client one, in Sallyport.'
    : 'This token is not valid here. Only the user can give this client another, in Sallyport.';
}

function versionSentence(requested: string): string {
  const short = requested.length > 32 ? `${requested.slice(0, 32)}…` : requested;
  return `Protocol version ${JSON.stringify(short)} is not supported; use one of ${protocolVersions.join(', ')}.`;
}
