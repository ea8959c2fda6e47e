/**
 * Pairings (spec §10): a link waits on the desk for its decision; an approval exchanges a token for
 * a one-time code; an exchange uses the code up, and a wrong one burns it. All in memory: a restart
 * loses the codes, and with them tokens that nobody got.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ask } from '../desk/ask.ts';
import type { Desk } from '../desk/desk.ts';
import { askLimits } from '../desk/kinds.ts';
import type { Allowlist, ExpiryChoice, Scope } from '../tokens/token.ts';
import type { TokenRegister } from '../tokens/token-register.ts';
import type { PairingRequest } from './pairing-link.ts';
import { answerAddress, hearsOfNo } from './redirect.ts';

/** The times and counts of pairing. */
export const pairingLimits = {
  codeSeconds: 300,
  /** So long after its end a code still counts as expired (410); after that it is unknown (404). */
  expiredCodeRememberedSeconds: 600,
  /** Sheets waiting behind the open one. */
  waitingSheets: askLimits.pairing.inAll - 1,
} as const;

interface PairingPorts {
  readonly desk: Desk;
  /**
   * Milliseconds of a clock that is never set and never stands still: a code must not outlive its
   * five minutes.
   */
  readonly elapsed: () => number;
  /** A UUID of its own, never a request's. */
  readonly newCode: () => string;
  readonly tokens: Pick<TokenRegister, 'mintPending' | 'commit' | 'discard'>;
  readonly limits: { readonly [Name in keyof typeof pairingLimits]: number };
  /** Called for a request that nobody decided. */
  readonly onUndecided: (request: PairingRequest, why: 'expired' | 'closed') => void;
}

/** A link that waits for its decision. */
export type OpenPairing = Ask<PairingRequest>;

interface Grant {
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly expires: ExpiryChoice;
}

export type Decision = { readonly kind: 'approve'; readonly grant: Grant } | { readonly kind: 'deny' };

/** The address to open, null for none; `tokenId` for an approval. */
interface Decided {
  readonly address: string | null;
  readonly tokenId: string | null;
}

export type RedeemedCode =
  | {
      readonly kind: 'token';
      readonly tokenId: string;
      readonly client: string;
      /**
       * @returns the plaintext once the token is kept; null if it was revoked meanwhile.
       * @throws if it can't be kept.
       */
      readonly keep: () => Promise<string | null>;
    }
  | { readonly kind: 'challenge_mismatch'; readonly tokenId: string; readonly client: string }
  | { readonly kind: 'code_not_found' }
  | { readonly kind: 'code_expired' };

export interface Pairings {
  /**
   * @returns null if one sheet is open and too many wait.
   * @param gone aborted when the shell that draws the sheet is gone: the request ends, and nothing
   *   is opened.
   */
  begin(request: PairingRequest, gone: AbortSignal): OpenPairing | null;
  /** First the one whose sheet may be open now, then those waiting. */
  open(): readonly OpenPairing[];
  /** @returns null if it is not open: decided, closed, or long expired. */
  find(id: string): OpenPairing | null;
  /** Works once per request. @returns null as `find`. */
  decide(id: string, decision: Decision): Decided | null;
  /** Closing the sheet without a decision opens nothing. */
  drop(id: string): void;
  /** Whether a token waits for this code: naming it is no guess. */
  isPending(code: string): boolean;
  /**
   * The verifier is well-formed. Of two simultaneous exchanges one wins: nothing is awaited before
   * the code is used up.
   */
  redeem(code: string, verifier: string): RedeemedCode;
  /** If a token is revoked or deleted while its code waits, the code ends too. */
  forgetToken(tokenId: string): void;
  /** Removes what is past its time. Call it now and then; lifetimes don't depend on it. */
  sweep(): void;
  /** The listener gets the waiting request whose sheet may be drawn now. @returns how to stop. */
  onTurn(listener: (id: string) => void): () => void;
}

interface HeldCode {
  readonly tokenId: string;
  /** The client's own name for itself. */
  readonly client: string;
  /** Null once the code has expired: there is nothing left to give. */
  readonly plaintext: string | null;
  readonly challenge: Buffer;
  /** By `elapsed`. */
  readonly expiresAt: number;
}

export function openPairings(ports: PairingPorts): Pairings {
  const asks = ports.desk.of<PairingRequest>('pairing');
  const codes = new Map<string, HeldCode>();
  const turnListeners = new Set<(id: string) => void>();
  let first: string | null = null;

  asks.onEvent(({ what, ask, because }) => {
    const [next] = asks.waiting();
    const isTurn = what === 'ended' && next !== undefined && next.id !== first;
    first = next?.id ?? null;
    if (isTurn) for (const listener of turnListeners) listener(next.id);
    if (because === 'timeout') ports.onUndecided(ask.facts, 'expired');
    if (because === 'cancelled') ports.onUndecided(ask.facts, 'closed');
  });

  function sweep(): void {
    const now = ports.elapsed();
    for (const [code, held] of [...codes]) {
      if (now >= held.expiresAt + ports.limits.expiredCodeRememberedSeconds * 1000) codes.delete(code);
      else if (now >= held.expiresAt && held.plaintext !== null) expire(code, held);
    }
  }

  function expire(code: string, held: HeldCode): void {
    // Before the token ends, which would remove the code: an expired code must stay distinguishable
    // from an unknown one.
    codes.set(code, { ...held, plaintext: null });
    ports.tokens.discard(held.tokenId);
  }

  function approve({ client, challenge, redirect, state }: PairingRequest, grant: Grant): Decided {
    const { record, plaintext } = ports.tokens.mintPending({ ...grant, name: client, client, confirmInClient: false });
    const code = ports.newCode();
    codes.set(code, {
      tokenId: record.id,
      client,
      plaintext,
      challenge: Buffer.from(challenge),
      expiresAt: ports.elapsed() + ports.limits.codeSeconds * 1000,
    });
    const address = answerAddress(redirect, { kind: 'approved', code }, state);
    return { address, tokenId: record.id };
  }

  return {
    begin(request, gone) {
      if (gone.aborted) return null;
      const asked = { asker: { id: gone, group: null, lineage: [] }, key: null, about: '', facts: request };
      return asks.ask(asked, gone)?.ask ?? null;
    },

    open: asks.waiting,
    find: asks.find,

    decide(id, decision) {
      const request = asks.find(id)?.facts;
      if (request === undefined || !asks.move(id, decision.kind === 'approve' ? 'yes' : 'no')) return null;
      if (decision.kind === 'approve') return approve(request, decision.grant);
      const { redirect, state } = request;
      const address = hearsOfNo(redirect) ? answerAddress(redirect, { kind: 'denied' }, state) : null;
      return { address, tokenId: null };
    },

    drop: id => void asks.move(id, 'cancelled'),

    isPending(code) {
      sweep();
      return (codes.get(code)?.plaintext ?? null) !== null;
    },

    redeem(code, verifier) {
      sweep();
      const held = codes.get(code);
      if (held === undefined) return { kind: 'code_not_found' };
      const { plaintext, tokenId, client } = held;
      if (plaintext === null) return { kind: 'code_expired' };
      // Used up or burned from here on, whatever happens next.
      codes.delete(code);
      const given = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
      if (!timingSafeEqual(given, held.challenge)) {
        ports.tokens.discard(tokenId);
        return { kind: 'challenge_mismatch', tokenId, client };
      }
      const keep = async (): Promise<string | null> => ((await ports.tokens.commit(tokenId)) ? plaintext : null);
      return { kind: 'token', tokenId, client, keep };
    },

    forgetToken(tokenId) {
      for (const [code, held] of codes) {
        // An expired code took its token with it and must stay distinguishable from an unknown one.
        if (held.tokenId === tokenId && held.plaintext !== null) codes.delete(code);
      }
    },

    sweep,

    onTurn(listener) {
      turnListeners.add(listener);
      return () => void turnListeners.delete(listener);
    },
  };
}
