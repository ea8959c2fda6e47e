/** From the Authorization header to the principal who asks (SPEC §4 Principal), or why not. Says nothing about what it may do. */

import type { IncomingHttpHeaders } from 'node:http';
import { bridgeTokenName, type Principal, type TokenRecord } from '../access/token.ts';
import type { TokenRegister } from '../access/token-register.ts';
import type { HttpRefusal } from './refuse.ts';

export type Bearer =
  | { readonly kind: 'believed'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly refusal: HttpRefusal };

const bearerPattern = /^Bearer +([^ ]+)$/i;
const bridgeIdPattern = /^[A-Za-z0-9_-]{16,64}$/;

export function bearerOf(headers: IncomingHttpHeaders, tokens: Pick<TokenRegister, 'verify'>): Bearer {
  const plaintext = bearerPattern.exec(headers.authorization ?? '')?.[1];
  if (plaintext === undefined) {
    return {
      kind: 'refused',
      refusal: { kind: 'unauthenticated', reason: headers.authorization ? 'malformed' : 'missing' },
    };
  }
  const verified = tokens.verify(plaintext);
  switch (verified.kind) {
    case 'valid':
      return { kind: 'believed', principal: principalOf(verified.record, headers['sallyport-bridge']) };
    case 'expired':
      return { kind: 'refused', refusal: { kind: 'token_expired' } };
    case 'revoked':
    case 'unknown':
      return { kind: 'refused', refusal: { kind: 'unauthenticated', reason: verified.kind } };
  }
}

/** The bridge's token is in memory only, so a record of that name is always this run's (SPEC §4). */
function principalOf(record: TokenRecord, bridgeId: string | string[] | undefined): Principal {
  const isBridge = record.name === bridgeTokenName;
  const own = typeof bridgeId === 'string' && bridgeIdPattern.test(bridgeId) ? bridgeId : record.id;
  return {
    id: isBridge ? `bridge:${own}` : record.id,
    tokenId: record.id,
    tokenName: record.name,
    scope: record.scope,
    connections: record.connections,
    confirmInClient: record.confirmInClient,
    isBridge,
  };
}
