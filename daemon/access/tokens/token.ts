/** A token as it is stored (spec §5), never its plaintext. Only types and the words for them. */

import { bridgeTokenName, expiryDays, scopes } from '../../../shared/words.ts';

export { expiryDays, scopes };
export type Scope = (typeof scopes)[number];

export const scopeLabels: Readonly<Record<Scope, string>> = {
  readOnly: 'Read Only',
  readWrite: 'Read & Write',
  fullAccess: 'Full Access',
};

/**
 * Scopes are a ladder: each includes the ones before it.
 * @example
 * covers('readWrite', 'readOnly') // → true
 */
export function covers(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}

/** The words that `--scope` takes. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  readOnly: 'read-only',
  readWrite: 'read-write',
  fullAccess: 'full-access',
};

/** What a token may reach: everything, or a set of connection ids; an empty set means none. */
export type Allowlist = 'all' | readonly string[];

export interface TokenRecord {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  /** The plaintext's first 8 characters, for people to recognise it. */
  readonly prefix: string;
  /** 16 random bytes, base64url. */
  readonly salt: string;
  /** SHA-256 of salt and plaintext, base64url. */
  readonly hash: string;
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly confirmInClient: boolean;
  /** ISO 8601; null never expires. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The client that it was paired for, in the client's own words; null if minted by hand. */
  readonly client: string | null;
  /** Set for a box: its socket is the credential, and there is no plaintext. */
  readonly box?: BoxDoor | undefined;
}

export const boxCredentials = ['socket', 'token', 'wire', 'sockets'] as const;
export type BoxCredentialKind = (typeof boxCredentials)[number];

interface BoxDoor {
  /** The Unix group that may open the credential besides its owner; null for none. */
  readonly group: string | null;
  /**
   * A socket has no plaintext. A token's is in one file, for where sockets don't cross. `wire`: a
   * socket for programs that speak PostgreSQL's protocol; `sockets`: that and the usual one.
   */
  readonly credential: BoxCredentialKind;
}

export type BoxRecord = TokenRecord & { readonly box: BoxDoor };

export function isBox(record: TokenRecord): record is BoxRecord {
  return record.box !== undefined;
}

/** The word that people use for a record. */
export function kindOf(record: TokenRecord): 'token' | 'box' {
  return isBox(record) ? 'box' : 'token';
}

/** True if the two records give different access. */
export function givesElse(a: Pick<TokenRecord, 'scope' | 'connections'>, b: typeof a): boolean {
  return a.scope !== b.scope || setOf(a.connections) !== setOf(b.connections);
}

function setOf(connections: Allowlist): string {
  return connections === 'all' ? connections : [...new Set(connections)].sort().join();
}

/** Ignores case and letter widths: people must not mistake another token for it. */
export function isBridgeTokenName(name: string): boolean {
  return name.normalize('NFKC').trim().toLowerCase() === bridgeTokenName;
}

export type ExpiryChoice = 'never' | (typeof expiryDays)[number];

/**
 * What belongs to a client across its requests: the bridge's token changes every hour, and a bridge
 * process with each start.
 */
export function accountOf({ isBridge, tokenId }: Pick<Principal, 'isBridge' | 'tokenId'>): string {
  return isBridge ? bridgeTokenName : tokenId;
}

/** Who asks, once a bearer token was accepted (spec §4 Principal). */
export interface Principal {
  /** The token's id, or `bridge:` + the bridge process's own id. */
  readonly id: string;
  readonly tokenId: string;
  readonly tokenName: string;
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly confirmInClient: boolean;
  readonly isBridge: boolean;
  readonly isBox: boolean;
  /**
   * Of a bridge: where its process stands among all (spec §11 Places), if the system tells.
   */
  readonly lineage?: readonly string[];
}
