/**
 * Knows the bridge tokens of the last days by their hashes (spec §5), so that a bridge waking up with a stale one is told so and
 * reads the handshake again, instead of being counted as a guesser. Gives nobody any access.
 */

import { createHash } from 'node:crypto';

const deadTokenLimits = {
  /** A rotation every 45 minutes makes 32 a day. */
  kept: 32,
  /** Those in use are kept with them from their first moment: the one in the handshake, and its predecessor until that expires. */
  living: 2,
  keptSeconds: 7 * 86_400,
} as const;

interface IssuedToken {
  /** SHA-256 of the plaintext, base64url. Unsalted: 32 random bytes can't be searched for. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

export interface DeadTokens {
  /** At once when a token is made: were it remembered only when it dies, a kill -9 would forget it. */
  issued(plaintext: string): void;
  /** To be asked only about a token that is not valid now. */
  isDead(plaintext: string): boolean;
  /** Oldest first: what is worth keeping now. */
  kept(): readonly IssuedToken[];
}

/**
 * @param known of earlier runs.
 * @param now wall clock, milliseconds since 1970.
 * @param onChanged told after each `issued`, to keep what there is.
 */
export function deadTokens(known: readonly IssuedToken[], now: () => number, onChanged: () => void): DeadTokens {
  let tokens = new Map(known.map(token => [token.hash, token]));

  const isRecent = ({ issuedAt }: IssuedToken): boolean => now() - issuedAt < deadTokenLimits.keptSeconds * 1000;
  const worthKeeping = (): IssuedToken[] =>
    [...tokens.values()]
      .filter(isRecent)
      .sort((a, b) => a.issuedAt - b.issuedAt)
      .slice(-(deadTokenLimits.kept + deadTokenLimits.living));

  return {
    issued(plaintext) {
      const hash = hashOf(plaintext);
      if (!tokens.has(hash)) tokens.set(hash, { hash, issuedAt: now() });
      tokens = new Map(worthKeeping().map(token => [token.hash, token]));
      onChanged();
    },
    isDead(plaintext) {
      const token = tokens.get(hashOf(plaintext));
      return token !== undefined && isRecent(token);
    },
    kept: worthKeeping,
  };
}

function hashOf(plaintext: string): string {
  return createHash('sha256').update(plaintext).digest('base64url');
}
