/**
 * The checks that every request passes before its body is read (spec §4, in that order): method and
 * path, Host, Origin, size, bearer and its lockout, pause, rate. The first check that fails
 * answers. A further check is one more line in the list.
 */

import type { IncomingMessage } from 'node:http';
import type { Admission } from '../../access/limits/admission.ts';
import type { Lineage } from '../../access/limits/crowd.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { acceptsEvents } from './accept.ts';
import { bearerOf, boxOwnerOf, isTokenOfBox, type RefusedToken } from './bearer.ts';
import { headerOf } from './header.ts';
import { isOneHost, namesHostOfContainer, namesThisMachine, originIsOwn } from './host-and-origin.ts';
import { httpLimits } from './http-limits.ts';
import type { HttpRefusal } from './refuse.ts';
import { type ReservedQuota, reserveQuota } from './request-quota.ts';

export const mcpPath = '/mcp';
export const exchangePath = '/v1/integrations/exchange';

/** What is known about a request so far. */
export interface Passage {
  readonly incoming: IncomingMessage;
  readonly path: string;
  /**
   * The host that a target in absolute form names (`http://127.0.0.1:4000/mcp`); null for a mere
   * path.
   */
  readonly authority: string | null;
  /** The box whose socket it came through; the socket is the credential. Null for the port. */
  readonly boxId: string | null;
  /** Null until a bearer was accepted, and always on the exchange path. */
  principal: Principal | null;
  /** A known token that is no longer valid: revoked or expired. */
  refusedToken: RefusedToken | null;
  /**
   * The request's share of its principal's limits; release it when the request is answered. Null
   * while there is no principal.
   */
  quota: ReservedQuota | null;
}

/**
 * The box whose socket a connection came through, as whoever accepted it says; absent at the port.
 */
export interface BoxConnection {
  readonly boxId?: string;
}

/** Where the bridge at its other end stands among the processes, once that was looked up. */
export interface PlacedConnection {
  readonly lineage?: Lineage | undefined;
}

type GateCheck = (passage: Passage) => HttpRefusal | null;

type Gate = (incoming: IncomingMessage) => { readonly passage: Passage; readonly refusal: HttpRefusal | null };

export function makeGate(
  tokens: Pick<TokenRegister, 'verify' | 'verifyBox'>,
  admission: Admission,
  waitMilliseconds: number,
): Gate {
  const checks: readonly GateCheck[] = [
    methodAndPath,
    host(tokens),
    origin,
    size,
    bearer(tokens, admission),
    pause(admission),
    // Last, because it counts: a request that a later check refuses must not be counted.
    rate(admission, waitMilliseconds),
  ];
  return incoming => {
    const { authority, path } = targetOf(incoming.url ?? '');
    const { boxId = null } = incoming.socket as BoxConnection;
    const passage: Passage = { incoming, path, authority, boxId, principal: null, refusedToken: null, quota: null };
    for (const check of checks) {
      const refusal = check(passage);
      if (refusal !== null) return { passage, refusal };
    }
    return { passage, refusal: null };
  };
}

/**
 * The path is compared unchanged: `/mcp/`, `//mcp` and `/%6dcp` are other paths. A client that
 * believes in a proxy writes the absolute form (RFC 9112, 3.2.2).
 */
function targetOf(target: string): Pick<Passage, 'authority' | 'path'> {
  const [, authority = null, rest = target] = /^http:\/\/([^/?#]+)(\/.*)$/i.exec(target) ?? [];
  const query = rest.indexOf('?');
  return { authority, path: query === -1 ? rest : rest.slice(0, query) };
}

function methodAndPath({ incoming, path, boxId }: Passage): HttpRefusal | null {
  if (path !== mcpPath && (path !== exchangePath || boxId !== null)) return { kind: 'path_unknown' };
  if (incoming.method === 'POST') return null;
  const allow = path === mcpPath ? 'GET, POST' : 'POST';
  return path === mcpPath && opensStream(incoming) ? null : { kind: 'method_not_allowed', allow };
}

/**
 * True for a GET that opens the stream of a session of the 2025 revisions. No page of a browser can
 * name such a session.
 */
function opensStream(incoming: IncomingMessage): boolean {
  const isNamed = incoming.method === 'GET' && headerOf(incoming, 'mcp-session-id') !== null;
  return isNamed && acceptsEvents(headerOf(incoming, 'accept'));
}

/**
 * Every other token, and none, is refused as under any foreign name: nobody learns by it which
 * tokens there are.
 */
function host(tokens: Pick<TokenRegister, 'verify'>): GateCheck {
  return ({ incoming, path, authority, boxId }) => {
    const { rawHeaders, headers } = incoming;
    if (authority !== null && !isOneHost(rawHeaders, authority)) return { kind: 'forbidden_host' };
    const isBoxes = (): boolean =>
      boxId === null && path === mcpPath && namesHostOfContainer(rawHeaders) && isTokenOfBox(headers, tokens);
    return namesThisMachine(rawHeaders) || isBoxes() ? null : { kind: 'forbidden_host' };
  };
}

function origin({ incoming }: Passage): HttpRefusal | null {
  return originIsOwn(incoming.rawHeaders) ? null : { kind: 'forbidden_origin' };
}

/** An exchange checks its own size, after its lockout (spec §10). */
function size({ incoming, path }: Passage): HttpRefusal | null {
  if (path !== mcpPath) return null;
  return Number(incoming.headers['content-length'] ?? 0) > tooLarge.capBytes ? tooLarge : null;
}

/** The refusal of a body that is too large, whether its length was declared or not. */
export const tooLarge = { kind: 'body_too_large', capBytes: httpLimits.mcpBodyBytes } as const satisfies HttpRefusal;

/** The exchange needs none: its one-time code and verifier are the credential. */
function bearer(tokens: Pick<TokenRegister, 'verify' | 'verifyBox'>, admission: Admission): GateCheck {
  const ports = { tokens, ...admission };
  return passage => {
    if (passage.path !== mcpPath) return null;
    const found =
      passage.boxId === null
        ? bearerOf(passage.incoming.headers, ports, (passage.incoming.socket as PlacedConnection).lineage)
        : boxOwnerOf(passage.boxId, tokens.verifyBox, admission.uses);
    if (found.kind === 'refused') {
      passage.refusedToken = found.token;
      return found.refusal;
    }
    passage.principal = found.principal;
    return null;
  };
}

/** An exchange still answers (spec §2): its code would expire meanwhile. */
function pause({ isPaused, doubts }: Admission): GateCheck {
  return ({ principal }) =>
    principal !== null && isPaused()
      ? { kind: 'switched_off', why: doubts().length === 0 ? 'paused' : 'paused_by_itself' }
      : null;
}

function rate(admission: Admission, waitMilliseconds: number): GateCheck {
  return passage => {
    if (passage.principal === null) return null;
    const taken = reserveQuota(passage.incoming, passage.principal, admission, waitMilliseconds);
    if (taken.kind === 'refused') return taken.refusal;
    passage.quota = taken.quota;
    return null;
  };
}
