/** A token as it is kept (spec §5): never its plaintext. Only types and the words for them. */

import { expiryDays, scopes } from '../../../shared/words.ts';

export { expiryDays, scopes };
export type Scope = (typeof scopes)[number];

export const scopeLabels: Readonly<Record<Scope, string>> = {
  readOnly: 'Read Only',
  readWrite: 'Read & Write',
  fullAccess: 'Full Access',
};

/** Scopes are a ladder: each gives what the ones before it give (spec §5). */
export function covers(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}

/** As `--scope` takes them. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  readOnly: 'read-only',
  readWrite: 'read-write',
  fullAccess: 'full-access',
};

/**
 * What a token may reach: everything, or a set of connection ids; an empty set is none, never all.
 */
export type Allowlist = 'all' | readonly string[];

export interface TokenRecord {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  /** First 8 characters of the plaintext, for people to recognise it by. */
  readonly prefix: string;
  /** 16 random bytes, base64url. */
  readonly salt: string;
  /** SHA-256 of salt and plaintext, base64url. */
  readonly hash: string;
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly confirmInClient: boolean;
  /** ISO 8601 instants; `expiresAt` null never expires. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The client it was paired for, as it called itself; null when minted by hand. */
  readonly client: string | null;
  /** Of a box: its socket is the credential, and nobody has a plaintext. */
  readonly box?: BoxDoor | undefined;
}

interface BoxDoor {
  /** The Unix group that may open the socket beside its owner; null for none. */
  readonly group: string | null;
}

export type BoxRecord = TokenRecord & { readonly box: BoxDoor };

export function isBox(record: TokenRecord): record is BoxRecord {
  return record.box !== undefined;
}

/** Whether one record gives another access than the other. */
export function givesElse(a: Pick<TokenRecord, 'scope' | 'connections'>, b: typeof a): boolean {
  return a.scope !== b.scope || setOf(a.connections) !== setOf(b.connections);
}

function setOf(connections: Allowlist): string {
  return connections === 'all' ? connections : [...new Set(connections)].sort().join();
}

/** Spec §5: the bridge's token, hidden from every list. */
export const bridgeTokenName = '__stdio_bridge__';

/** Whatever its capitals or widths: people must not take another token for it. */
export function isBridgeTokenName(name: string): boolean {
  return name.normalize('NFKC').trim().toLowerCase() === bridgeTokenName;
}

export type ExpiryChoice = 'never' | (typeof expiryDays)[number];

/**
 * What belongs to a client across its requests: the bridge's token is another every hour, and a
 * bridge process with each start.
 */
export function accountOf({ isBridge, tokenId }: Pick<Principal, 'isBridge' | 'tokenId'>): string {
  return isBridge ? bridgeTokenName : tokenId;
}

/** Who asks, once a bearer was believed (spec §4 Principal). */
export interface Principal {
  /** The token's id, or `bridge:` + the bridge process's own id. */
  readonly id: string;
  readonly tokenId: string;
  readonly tokenName: string;
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly confirmInClient: boolean;
  readonly isBridge: boolean;
}
