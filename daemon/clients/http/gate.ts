/**
 * What every request passes before a byte of its body is read (spec §4, in that order): method and
 * path, Host, Origin, size, bearer and its lockout, pause, rate. The first check that fails
 * answers. A further check is one more line in the list.
 */

import type { IncomingMessage } from 'node:http';
import type { Admission } from '../../access/limits/admission.ts';
import { clientAddress } from '../../access/limits/client-address.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { bearerOf, boxOwnerOf, type RefusedToken } from './bearer.ts';
import { namesThisMachine, originIsOwn } from './host-and-origin.ts';
import { httpLimits } from './http-limits.ts';
import type { HttpRefusal } from './refuse.ts';
import { type Load, takeLoad } from './request-quota.ts';

export const mcpPath = '/mcp';
export const exchangePath = '/v1/integrations/exchange';

/** What is known of a request so far. */
export interface Passage {
  readonly incoming: IncomingMessage;
  readonly path: string;
  /** Of the box whose socket it came over, which is its credential; null over the port. */
  readonly boxId: string | null;
  /** Null until a bearer was believed, and always on the exchange path. */
  principal: Principal | null;
  /** Known, but not believed any more: revoked or expired. */
  refusedToken: RefusedToken | null;
  /**
   * What the request takes of its principal's share; to be released when it is answered. Null as
   * the principal is.
   */
  load: Load | null;
}

export type GateCheck = (passage: Passage) => HttpRefusal | null;

type Gate = (incoming: IncomingMessage) => { readonly passage: Passage; readonly refusal: HttpRefusal | null };

export function makeGate(
  tokens: Pick<TokenRegister, 'verify' | 'verifyBox'>,
  admission: Admission,
  waitMilliseconds: number,
  laterChecks: readonly GateCheck[] = [],
  boxOf: (connection: object) => string | null = () => null,
): Gate {
  const checks: readonly GateCheck[] = [
    methodAndPath,
    host,
    origin,
    size,
    bearer(tokens, admission),
    pause(admission),
    ...laterChecks,
    // Last, for it takes something: what a later check refused would have been counted.
    rate(admission, waitMilliseconds),
  ];
  return incoming => {
    const path = pathOf(incoming.url ?? '');
    const boxId = boxOf(incoming.socket);
    const passage: Passage = { incoming, path, boxId, principal: null, refusedToken: null, load: null };
    for (const check of checks) {
      const refusal = check(passage);
      if (refusal !== null) return { passage, refusal };
    }
    return { passage, refusal: null };
  };
}

/** Compared as it came: `/mcp/`, `//mcp`, `/%6dcp` and `http://elsewhere/mcp` are other paths. */
function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function methodAndPath({ incoming, path, boxId }: Passage): HttpRefusal | null {
  if (path !== mcpPath && (path !== exchangePath || boxId !== null)) return { kind: 'path_unknown' };
  return incoming.method === 'POST' ? null : { kind: 'method_not_allowed' };
}

function host({ incoming }: Passage): HttpRefusal | null {
  return namesThisMachine(incoming.rawHeaders) ? null : { kind: 'forbidden_host' };
}

function origin({ incoming }: Passage): HttpRefusal | null {
  return originIsOwn(incoming.rawHeaders) ? null : { kind: 'forbidden_origin' };
}

/** An exchange looks at its own, after its lockout (spec §10). */
function size({ incoming, path }: Passage): HttpRefusal | null {
  if (path !== mcpPath) return null;
  return Number(incoming.headers['content-length'] ?? 0) > tooLarge.capBytes ? tooLarge : null;
}

/** For a body of undeclared length, too. */
export const tooLarge = { kind: 'body_too_large', capBytes: httpLimits.mcpBodyBytes } as const satisfies HttpRefusal;

/** The exchange needs none: its one-time code and verifier are the credential (spec §10). */
function bearer(tokens: Pick<TokenRegister, 'verify' | 'verifyBox'>, admission: Admission): GateCheck {
  const ports = { tokens, ...admission };
  return passage => {
    if (passage.path !== mcpPath) return null;
    const { headers, socket } = passage.incoming;
    const found =
      passage.boxId === null
        ? bearerOf(headers, clientAddress(socket.remoteAddress), ports)
        : boxOwnerOf(passage.boxId, tokens.verifyBox, admission.uses);
    if (found.kind === 'refused') {
      passage.refusedToken = found.token;
      return found.refusal;
    }
    passage.principal = found.principal;
    return null;
  };
}

/** An exchange still answers (spec §2): its code would else expire meanwhile. */
function pause({ isPaused, doubt }: Admission): GateCheck {
  return ({ principal }) =>
    principal !== null && isPaused()
      ? { kind: 'switched_off', why: doubt() === null ? 'paused' : 'paused_by_itself' }
      : null;
}

function rate(admission: Admission, waitMilliseconds: number): GateCheck {
  return passage => {
    if (passage.principal === null) return null;
    const taken = takeLoad(passage.incoming, passage.principal, admission, waitMilliseconds);
    if (taken.kind === 'refused') return taken.refusal;
    passage.load = taken.load;
    return null;
  };
}
