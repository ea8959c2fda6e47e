/**
 * Mints, recognises and ends tokens (spec §5). Records are held in memory and found by prefix, so
 * verifying a token costs one hash, however many there are. What a token may reach is decided
 * elsewhere.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { bridgeTokenName } from '../../../shared/words.ts';
import { NotKept } from '../not-kept.ts';
import type { Allowlist, BoxRecord, ExpiryChoice, Scope, TokenRecord } from './token.ts';
import { givesElse, isBox, isBridgeTokenName } from './token.ts';

export interface TokenStore {
  load(): Promise<readonly TokenRecord[]>;
  /**
   * Once it resolves the token has ended, whatever its record says.
   * @param revokedAt ISO 8601; null if it is deleted.
   */
  end(id: string, revokedAt: string | null): Promise<void>;
  /** Never rejects for a token that has ended. */
  save(record: TokenRecord): Promise<void>;
  /** For a token that has ended. Never rejects. */
  delete(id: string): Promise<void>;
}

interface TokenPorts {
  readonly store: TokenStore;
  /** Wall clock, milliseconds since 1970: lifetimes go on while a laptop sleeps. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Buffer;
  readonly newId: () => string;
}

export interface MintRequest {
  readonly name: string;
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly expires: ExpiryChoice;
  readonly confirmInClient: boolean;
  readonly client: string | null;
}

/** Undefined members stay unchanged. */
type TokenChange = { readonly [Field in 'scope' | 'connections' | 'expires']: MintRequest[Field] | undefined };

interface MintedToken {
  readonly record: TokenRecord;
  /** Shown once, never stored. */
  readonly plaintext: string;
}

export type Verification =
  | { readonly kind: 'valid'; readonly record: TokenRecord; readonly isBridge: boolean }
  | { readonly kind: 'expired'; readonly record: TokenRecord; readonly isBridge: boolean }
  /** The token was made later than the clock shows: it was set back. Never for the bridge's. */
  | { readonly kind: 'clock_behind'; readonly record: TokenRecord }
  | { readonly kind: 'revoked'; readonly record: TokenRecord }
  | { readonly kind: 'unknown' };

export interface TokenRegister {
  /** Minted and paired tokens and boxes, oldest first; never the bridge's. */
  list(): readonly TokenRecord[];
  find(id: string): TokenRecord | null;
  /**
   * @throws TypeError for the bridge's own name: in lists and logs that name must mean the bridge.
   */
  mint(request: MintRequest): Promise<MintedToken>;
  /** @throws TypeError as `mint` does. */
  mintBox(request: MintRequest, box: BoxRecord['box']): Promise<MintedToken & { readonly record: BoxRecord }>;
  /**
   * For a pairing: listed and valid, but it ends with this run and leaves nothing in the store
   * unless `keep` is called.
   * @throws TypeError as `mint` does.
   */
  mintPending(request: MintRequest): MintedToken;
  /**
   * Stores a pairing's token, so that it outlives this run.
   * @returns false if it was revoked or deleted, before or meanwhile.
   * @throws if the store fails: the token is then gone.
   */
  commit(id: string): Promise<boolean>;
  /** True for a pairing's token whose code was not exchanged yet. */
  isUnkept(id: string): boolean;
  /** Ends a token that was not kept; any other stays. */
  discard(id: string): void;
  /**
   * Running calls continue as far as the token's new access allows.
   * @returns null if it has ended, or isn't kept yet. @throws if the store fails: the token is then
   *   unchanged.
   */
  edit(id: string, change: TokenChange): Promise<TokenRecord | null>;
  /** In memory only: it ends with this run. */
  mintBridgeToken(lifetimeSeconds: number): MintedToken;
  /** Ends every bridge token of this run, when the server is switched off. */
  endBridgeTokens(): void;
  /**
   * @returns false if there is no such token.
   * @throws NotKept if the store fails: the token has ended in this run.
   */
  revoke(id: string): Promise<boolean>;
  /** Ends a token and removes its record. Returns and throws as `revoke` does. */
  delete(id: string): Promise<boolean>;
  /** The time that a refusal takes doesn't tell whether a token begins as this one does. */
  verify(plaintext: string): Verification;
  /** For a caller at this box's socket. */
  verifyBox(id: string): Verification;
  /**
   * Never for the bridge's: its requests belong to something that outlives a rotation (spec §4).
   */
  hasExpired(id: string): boolean;
  /**
   * The listener gets the id of each revoked or deleted token, so its requests and sessions end at
   * once.
   * @returns how to stop.
   */
  onEnded(listener: (id: string) => void): () => void;
  /** The listener gets each token whose access was edited. @returns how to stop. */
  onAccessEdited(listener: (edited: TokenRecord) => void): () => void;
  /** Called after each change to the list. */
  onChanged(listener: () => void): void;
}

const plaintextPattern = /^sp_[A-Za-z0-9_-]{43}$/;
const prefixLength = 8;
const millisecondsPerDay = 86_400_000;

export async function loadTokenRegister(ports: TokenPorts): Promise<TokenRegister> {
  const records = new Map<string, TokenRecord>();
  const idsByPrefix = new Map<string, Set<string>>();
  for (const record of await ports.store.load()) remember(record);
  /** The bridge's tokens are told by id, as anybody can choose a name. */
  const bridgeTokenIds = new Set<string>();
  const unkeptIds = new Set<string>();
  /** Tokens that ended in this run alone, until their end can be stored. */
  const unstoredEnds = new Set<string>();
  const endedListeners = new Set<(id: string) => void>();
  const editedListeners = new Set<(edited: TokenRecord) => void>();
  const changedListeners: (() => void)[] = [];

  function changed(): void {
    for (const listener of changedListeners) listener();
  }

  function remember(record: TokenRecord): void {
    records.set(record.id, record);
    const ids = idsByPrefix.get(record.prefix) ?? new Set();
    idsByPrefix.set(record.prefix, ids.add(record.id));
  }

  function forget(record: TokenRecord): void {
    records.delete(record.id);
    bridgeTokenIds.delete(record.id);
    unkeptIds.delete(record.id);
    const ids = idsByPrefix.get(record.prefix);
    ids?.delete(record.id);
    if (ids?.size === 0) idsByPrefix.delete(record.prefix);
  }

  function end(record: TokenRecord): void {
    const isListed = !bridgeTokenIds.has(record.id);
    forget(record);
    for (const listener of endedListeners) listener(record.id);
    if (isListed) changed();
  }

  /**
   * Ends a token right away, whether or not that can be stored.
   * @returns the record to store; null for a token that is not in the store; `NotKept` if the store
   *   failed.
   */
  async function endInStore(record: TokenRecord, end: 'revoked' | 'deleted'): Promise<TokenRecord | NotKept | null> {
    const revokedAt = record.revokedAt ?? new Date(ports.now()).toISOString();
    const revoked = { ...record, revokedAt };
    records.set(record.id, revoked);
    if (unkeptIds.has(record.id)) return null;
    try {
      await ports.store.end(record.id, end === 'deleted' ? null : revokedAt);
      unstoredEnds.delete(record.id);
    } catch (error) {
      unstoredEnds.add(record.id);
      return new NotKept(end, error);
    }
    return revoked;
  }

  function verified(record: TokenRecord): Verification {
    const isBridge = bridgeTokenIds.has(record.id);
    if (record.revokedAt !== null) return { kind: 'revoked', record };
    const kind = verdictAt(ports.now(), record);
    // For the bridge a clock that was set back counts as an expiry: it then reads the handshake
    // again, which has a newer token by then.
    if (kind !== 'clock_behind' || isBridge) return { kind: kind === 'valid' ? kind : 'expired', record, isBridge };
    return { kind, record };
  }

  function bridgeTokens(): TokenRecord[] {
    return [...bridgeTokenIds].flatMap(id => records.get(id) ?? []);
  }

  function makeFor(request: MintRequest): MintedToken {
    if (isBridgeTokenName(request.name))
      throw new TypeError(`No token but the bridge's may be called ${request.name}.`);
    return make(request, expiryFrom(ports.now(), request.expires));
  }

  function make(request: MintRequest, expiresAt: string | null): MintedToken {
    const plaintext = `sp_${ports.randomBytes(32).toString('base64url')}`;
    const salt = ports.randomBytes(16).toString('base64url');
    const record: TokenRecord = {
      id: ports.newId(),
      name: request.name,
      prefix: plaintext.slice(0, prefixLength),
      salt,
      hash: hashOf(salt, plaintext).toString('base64url'),
      scope: request.scope,
      connections: request.connections,
      confirmInClient: request.confirmInClient,
      createdAt: new Date(ports.now()).toISOString(),
      lastUsedAt: null,
      expiresAt,
      revokedAt: null,
      client: request.client,
    };
    return { record, plaintext };
  }

  return {
    list: () =>
      [...records.values()]
        .filter(({ id }) => !bridgeTokenIds.has(id))
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)),

    find: id => records.get(id) ?? null,

    async mint(request) {
      const minted = makeFor(request);
      await ports.store.save(minted.record);
      remember(minted.record);
      changed();
      return minted;
    },

    async mintBox(request, box) {
      const { record, plaintext } = makeFor(request);
      const ofBox = { ...record, box };
      await ports.store.save(ofBox);
      remember(ofBox);
      changed();
      return { record: ofBox, plaintext };
    },

    mintPending(request) {
      const minted = makeFor(request);
      remember(minted.record);
      unkeptIds.add(minted.record.id);
      changed();
      return minted;
    },

    async commit(id) {
      const record = records.get(id);
      if (record === undefined || record.revokedAt !== null || !unkeptIds.has(id)) return false;
      // From here on a revocation or deletion reaches the store too, after this save.
      unkeptIds.delete(id);
      try {
        await ports.store.save(record);
      } catch (error) {
        const failed = records.get(id);
        if (failed !== undefined) end(failed);
        throw error;
      }
      return records.get(id)?.revokedAt === null;
    },

    isUnkept: id => unkeptIds.has(id),

    discard(id) {
      const record = records.get(id);
      if (record !== undefined && unkeptIds.has(id)) end(record);
    },

    async edit(id, { scope, connections, expires }) {
      const isEditable = (record: TokenRecord | undefined): record is TokenRecord =>
        record !== undefined && record.revokedAt === null && verdictAt(ports.now(), record) === 'valid';
      const record = records.get(id);
      if (!isEditable(record) || bridgeTokenIds.has(id) || unkeptIds.has(id)) return null;
      const edited: TokenRecord = {
        ...record,
        scope: scope ?? record.scope,
        connections: connections ?? record.connections,
        expiresAt: expires === undefined ? record.expiresAt : expiryFrom(ports.now(), expires),
      };
      await ports.store.save(edited);
      // The token ended while it was saved: the store has recorded that.
      if (!isEditable(records.get(id))) return null;
      records.set(id, edited);
      if (givesElse(edited, record)) for (const listener of editedListeners) listener(edited);
      changed();
      return edited;
    },

    mintBridgeToken(lifetimeSeconds) {
      const minted = make(
        {
          name: bridgeTokenName,
          scope: 'readWrite',
          connections: 'all',
          expires: 'never',
          confirmInClient: false,
          client: null,
        },
        new Date(ports.now() + lifetimeSeconds * 1000).toISOString(),
      );
      for (const record of bridgeTokens()) if (verdictAt(ports.now(), record) !== 'valid') forget(record);
      remember(minted.record);
      bridgeTokenIds.add(minted.record.id);
      return minted;
    },

    endBridgeTokens() {
      for (const record of bridgeTokens()) end(record);
    },

    async revoke(id) {
      const record = records.get(id);
      if (record === undefined || bridgeTokenIds.has(id)) return false;
      if (record.revokedAt !== null && !unstoredEnds.has(id)) return true;
      const revoked = await endInStore(record, 'revoked');
      for (const listener of endedListeners) listener(id);
      changed();
      if (revoked instanceof NotKept) throw revoked;
      if (revoked !== null) await ports.store.save(revoked);
      return true;
    },

    async delete(id) {
      const record = records.get(id);
      if (record === undefined || bridgeTokenIds.has(id)) return false;
      const kept = await endInStore(record, 'deleted');
      if (kept instanceof NotKept) {
        // The token is still listed, so that its person can delete it again.
        for (const listener of endedListeners) listener(id);
        changed();
        throw kept;
      }
      end(record);
      if (kept !== null) await ports.store.delete(id);
      return true;
    },

    verify(plaintext) {
      if (!plaintextPattern.test(plaintext)) return { kind: 'unknown' };
      const ids = idsByPrefix.get(plaintext.slice(0, prefixLength));
      // The time of a refusal must not reveal whether a token begins like this.
      if (ids === undefined) isHashOf(plaintext, nobody);
      for (const id of ids ?? []) {
        const record = records.get(id);
        if (record === undefined || !isHashOf(plaintext, record)) continue;
        return verified(record);
      }
      return { kind: 'unknown' };
    },

    verifyBox(id) {
      const record = records.get(id);
      return record !== undefined && isBox(record) ? verified(record) : { kind: 'unknown' };
    },

    hasExpired(id) {
      const record = records.get(id);
      return record !== undefined && !bridgeTokenIds.has(id) && verdictAt(ports.now(), record) === 'expired';
    },

    onEnded(listener) {
      endedListeners.add(listener);
      return () => void endedListeners.delete(listener);
    },

    onAccessEdited(listener) {
      editedListeners.add(listener);
      return () => void editedListeners.delete(listener);
    },

    onChanged: listener => void changedListeners.push(listener),
  };
}

/** @returns ISO 8601; null for never. */
export function expiryFrom(nowMilliseconds: number, expires: ExpiryChoice): string | null {
  return expires === 'never' ? null : new Date(nowMilliseconds + expires * millisecondsPerDay).toISOString();
}

/**
 * A moment before the token's creation is outside its life: setting the clock back must not extend
 * it.
 */
export function verdictAt(
  nowMilliseconds: number,
  { createdAt, expiresAt }: Pick<TokenRecord, 'createdAt' | 'expiresAt'>,
): 'valid' | 'expired' | 'clock_behind' {
  if (expiresAt === null) return 'valid';
  if (nowMilliseconds < Date.parse(createdAt)) return 'clock_behind';
  return nowMilliseconds < Date.parse(expiresAt) ? 'valid' : 'expired';
}

/** A hash that no plaintext has; keeps the timing equal. */
const nobody = { salt: '', hash: Buffer.alloc(32).toString('base64url') } as const;

function isHashOf(plaintext: string, { salt, hash }: Pick<TokenRecord, 'salt' | 'hash'>): boolean {
  return timingSafeEqual(hashOf(salt, plaintext), Buffer.from(hash, 'base64url'));
}

function hashOf(salt: string, plaintext: string): Buffer {
  return createHash('sha256').update(salt).update(plaintext).digest();
}
