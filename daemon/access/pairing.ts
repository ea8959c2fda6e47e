/**
 * The states of a pairing (FD §3.1, §3.2): a request waits for its decision, an approval holds a token against a one-time code,
 * an exchange consumes or burns it. Everything is held in memory: a restart loses codes, and with them tokens nobody got.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { pairingLimits } from './pairing-limits.ts';
import type { PairingRequest } from './pairing-link.ts';
import { answerAddress } from './redirect.ts';
import type { Allowlist, ExpiryChoice, Scope } from './token.ts';
import type { MintedToken, MintRequest } from './token-register.ts';

export interface PairingPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** A UUID of its own, never one of a request. */
  readonly newCode: () => string;
  readonly tokens: {
    /** Listed and valid, but not kept yet: it dies with this run unless it is. */
    mintUnkept(request: MintRequest): MintedToken;
    keep(id: string): Promise<void>;
    delete(id: string): Promise<boolean>;
  };
  readonly limits: { readonly [Name in keyof typeof pairingLimits]: number };
}

export interface OpenPairing {
  readonly id: string;
  readonly request: PairingRequest;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

export interface Grant {
  readonly scope: Scope;
  readonly connections: Allowlist;
  readonly expires: ExpiryChoice;
}

export type Decision = { readonly kind: 'approve'; readonly grant: Grant } | { readonly kind: 'deny' };

export type Decided =
  /** The address to open; `tokenId` for an approval. */
  | { readonly kind: 'answered'; readonly address: string; readonly tokenId: string | null }
  | { readonly kind: 'too_late' }
  | { readonly kind: 'not_open' };

export type Exchanged =
  | { readonly kind: 'token'; readonly plaintext: string; readonly tokenId: string }
  | { readonly kind: 'challenge_mismatch' }
  | { readonly kind: 'code_not_found' }
  | { readonly kind: 'code_expired' };

export interface Pairings {
  /** Null where one sheet is open and as many wait as may. */
  begin(request: PairingRequest): OpenPairing | null;
  /** The one whose sheet may be open now, then those waiting. */
  open(): readonly OpenPairing[];
  decide(id: string, decision: Decision): Promise<Decided>;
  /** Closing the sheet without a decision opens nothing. */
  drop(id: string): void;
  /** The verifier is well-formed. Of two at once one wins: the code is used up before anything is awaited. */
  exchange(code: string, verifier: string): Promise<Exchanged>;
  /** A token revoked or deleted while its code waits takes the code with it. */
  forgetToken(tokenId: string): void;
}

interface HeldCode {
  readonly tokenId: string;
  /** Null once the code has expired: nothing is left to give away. */
  readonly plaintext: string | null;
  readonly challenge: Buffer;
  readonly expiresAt: number;
}

export function openPairings(ports: PairingPorts): Pairings {
  const requests = new Map<string, OpenPairing>();
  const codes = new Map<string, HeldCode>();

  async function sweep(): Promise<void> {
    const now = ports.now();
    for (const [id, { expiresAt }] of requests) if (isPast(expiresAt, now)) requests.delete(id);
    for (const [code, held] of [...codes]) {
      if (now >= held.expiresAt + ports.limits.expiredCodeRememberedSeconds * 1000) codes.delete(code);
      else if (now >= held.expiresAt && held.plaintext !== null) await expire(code, held);
    }
  }

  async function expire(code: string, held: HeldCode): Promise<void> {
    codes.set(code, { ...held, plaintext: null });
    await ports.tokens.delete(held.tokenId);
  }

  return {
    begin(request) {
      void sweep();
      if (requests.size > ports.limits.waitingSheets) return null;
      const now = ports.now();
      const pairing: OpenPairing = {
        id: ports.newId(),
        request,
        askedAt: new Date(now).toISOString(),
        expiresAt: new Date(now + ports.limits.requestSeconds * 1000).toISOString(),
      };
      requests.set(pairing.id, pairing);
      return pairing;
    },

    open() {
      void sweep();
      return [...requests.values()];
    },

    async decide(id, decision) {
      const pairing = requests.get(id);
      if (pairing === undefined) return { kind: 'not_open' };
      requests.delete(id);
      if (isPast(pairing.expiresAt, ports.now())) return { kind: 'too_late' };
      const { redirect, state, client, challenge } = pairing.request;
      if (decision.kind === 'deny') {
        return { kind: 'answered', address: answerAddress(redirect, { kind: 'denied' }, state), tokenId: null };
      }
      const { record, plaintext } = ports.tokens.mintUnkept({
        ...decision.grant,
        name: client,
        client,
        confirmInClient: false,
      });
      const code = ports.newCode();
      codes.set(code, {
        tokenId: record.id,
        plaintext,
        challenge: Buffer.from(challenge),
        expiresAt: ports.now() + ports.limits.codeSeconds * 1000,
      });
      const address = answerAddress(redirect, { kind: 'approved', code }, state);
      return { kind: 'answered', address, tokenId: record.id };
    },

    drop: id => void requests.delete(id),

    async exchange(code, verifier) {
      await sweep();
      const held = codes.get(code);
      if (held === undefined) return { kind: 'code_not_found' };
      if (held.plaintext === null) return { kind: 'code_expired' };
      // Used up or burned from here on, whatever happens next.
      codes.delete(code);
      const given = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
      if (!timingSafeEqual(given, held.challenge)) {
        await ports.tokens.delete(held.tokenId);
        return { kind: 'challenge_mismatch' };
      }
      await ports.tokens.keep(held.tokenId);
      return { kind: 'token', plaintext: held.plaintext, tokenId: held.tokenId };
    },

    forgetToken(tokenId) {
      for (const [code, held] of codes) {
        // One that has expired took its token with it and is still to be told from one that never was.
        if (held.tokenId === tokenId && held.plaintext !== null) codes.delete(code);
      }
    },
  };
}

function isPast(instant: string, nowMilliseconds: number): boolean {
  return nowMilliseconds >= Date.parse(instant);
}
