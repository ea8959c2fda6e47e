/**
 * Turns the Authorization header into the asking principal (spec §4 Principal), or a refusal;
 * guesses are counted (spec §13). Doesn't decide what the principal may do.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Admission } from '../../access/limits/admission.ts';
import type { Lineage } from '../../access/limits/crowd.ts';
import { isBox, type Principal, type TokenRecord } from '../../access/tokens/token.ts';
import type { TokenRegister, Verification } from '../../access/tokens/token-register.ts';
import type { HttpRefusal } from './refuse.ts';

export type Bearer =
  | { readonly kind: 'believed'; readonly principal: Principal }
  /**
   * `token` is the refused one, for the log: the sender had its plaintext. Null if there is no such
   * token.
   */
  | { readonly kind: 'refused'; readonly refusal: HttpRefusal; readonly token: RefusedToken | null };

export type RefusedToken = Pick<TokenRecord, 'id' | 'name'>;

export interface BearerPorts extends Pick<Admission, 'lockout' | 'uses' | 'retiredBridgeTokens'> {
  readonly tokens: Pick<TokenRegister, 'verify'>;
}

const bearerPattern = /^Bearer +([^ ]+)$/i;
const bridgeIdPattern = /^[A-Za-z0-9_-]{16,64}$/;

/** @param lineage of the bridge that sent it. */
export function bearerOf(headers: IncomingHttpHeaders, ports: BearerPorts, lineage?: Lineage): Bearer {
  const { tokens, uses, retiredBridgeTokens, lockout } = ports;
  if (!headers.authorization) return refused({ kind: 'unauthenticated', reason: 'missing' });
  const plaintext = bearerPattern.exec(headers.authorization)?.[1];
  if (plaintext === undefined) return guessed('malformed');

  const verified = tokens.verify(plaintext);
  if (verified.kind !== 'unknown') return bearerOfVerified(verified, uses, headers['sallyport-bridge'], lineage);
  // Never -33010: only -33009 makes a bridge read the handshake again.
  return retiredBridgeTokens.isRetired(plaintext)
    ? refused({ kind: 'unauthenticated', reason: 'dead_bridge_token' })
    : guessed('unknown');

  function guessed(reason: 'malformed' | 'unknown'): Bearer {
    const secondsLeft = lockout.secondsLeft();
    if (secondsLeft > 0) return locked(secondsLeft);
    lockout.failed();
    return refused({ kind: 'unauthenticated', reason });
  }
}

/** Whether it is the token of a box, valid or not: who has it learns nothing by that. */
export function isTokenOfBox(headers: IncomingHttpHeaders, tokens: BearerPorts['tokens']): boolean {
  const verified = verifiedBy(headers, tokens);
  return verified.kind !== 'unknown' && verified.record.box?.credential === 'token';
}

export function isBridgeToken(headers: IncomingHttpHeaders, tokens: BearerPorts['tokens']): boolean {
  const verified = verifiedBy(headers, tokens);
  return verified.kind === 'valid' && verified.isBridge;
}

function verifiedBy({ authorization = '' }: IncomingHttpHeaders, { verify }: BearerPorts['tokens']): Verification {
  return verify(bearerPattern.exec(authorization)?.[1] ?? '');
}

/**
 * The owner of a connection to a box's socket, whatever the request says about itself. A box that
 * is gone was revoked.
 */
export function boxOwnerOf(boxId: string, verifyBox: TokenRegister['verifyBox'], uses: BearerPorts['uses']): Bearer {
  const verified = verifyBox(boxId);
  if (verified.kind === 'unknown') return refused({ kind: 'unauthenticated', reason: 'revoked' });
  return bearerOfVerified(verified, uses, undefined);
}

function bearerOfVerified(
  verified: Exclude<Verification, { kind: 'unknown' }>,
  uses: BearerPorts['uses'],
  bridgeId: string | string[] | undefined,
  lineage?: Lineage,
): Bearer {
  const { record } = verified;
  switch (verified.kind) {
    case 'valid':
      // Even during a lock: one broken client must not stop another, and nobody guesses 256 bits.
      if (!verified.isBridge) uses.used(record.id);
      return { kind: 'believed', principal: principalOf(record, verified.isBridge, bridgeId, lineage) };
    case 'expired':
      if (verified.isBridge) return refused({ kind: 'unauthenticated', reason: 'dead_bridge_token' });
      // Nobody guesses an expired token; its owner must learn what is wrong, even during a lock.
      return refused({ kind: 'token_expired' }, record);
    case 'clock_behind':
      return refused({ kind: 'clock_behind', tokenMadeAt: record.createdAt }, record);
    case 'revoked':
      // Nobody guesses a revoked one either; a client that isn't told keeps sending it.
      return refused({ kind: 'unauthenticated', reason: 'revoked' }, record);
  }
}

function refused(refusal: HttpRefusal, token: RefusedToken | null = null): Bearer {
  return { kind: 'refused', refusal, token };
}

function locked(secondsLeft: number): Bearer {
  return refused({
    kind: 'limited',
    limit: 'lockout',
    sentence: `Too many requests with a token that is not valid came from this machine; try again in ${secondsLeft} s.`,
    retryAfterSeconds: secondsLeft,
  });
}

function principalOf(
  record: TokenRecord,
  isBridge: boolean,
  bridgeId: string | string[] | undefined,
  lineage: Lineage | undefined,
): Principal {
  const own = typeof bridgeId === 'string' && bridgeIdPattern.test(bridgeId) ? bridgeId : record.id;
  return {
    id: isBridge ? `bridge:${own}` : record.id,
    tokenId: record.id,
    tokenName: record.name,
    scope: record.scope,
    connections: record.connections,
    confirmInClient: record.confirmInClient,
    isBridge,
    isBox: isBox(record),
    ...(isBridge && lineage !== undefined && { lineage }),
  };
}
