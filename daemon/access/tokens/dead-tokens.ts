/**
 * Knows the bridge tokens of the last days by their hashes (spec §5), so that a bridge waking up
 * with a stale one is told so and reads the handshake again, instead of being counted as a guesser.
 * Gives nobody any access.
 */

import { createHash, randomBytes } from 'node:crypto';

const deadTokenLimits = {
  /** A rotation every 45 minutes makes 32 a day. */
  kept: 32,
  /**
   * Those in use are kept with them from their first moment: the one in the handshake, and its
   * predecessor until that expires.
   */
  living: 2,
  keptSeconds: 7 * 86_400,
} as const;

interface IssuedToken {
  /**
   * A salt of 16 random bytes, a dot, SHA-256 of the salt and the plaintext's own SHA-256; each
   * part base64url.
   */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

export interface DeadTokens {
  /**
   * At once when a token is made: were it remembered only when it dies, a kill -9 would forget it.
   */
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
  // Earlier versions kept the SHA-256 of the plaintext alone.
  let tokens = known.map(token => (token.hash.includes('.') ? token : { ...token, hash: salted(token.hash) }));

  const isRecent = ({ issuedAt }: IssuedToken): boolean => now() - issuedAt < deadTokenLimits.keptSeconds * 1000;
  const worthKeeping = (): IssuedToken[] =>
    tokens
      .filter(isRecent)
      .sort((a, b) => a.issuedAt - b.issuedAt)
      .slice(-(deadTokenLimits.kept + deadTokenLimits.living));
  function find(plaintext: string): IssuedToken | undefined {
    const digest = sha256(plaintext);
    return tokens.find(({ hash }) => hash === salted(digest, hash.split('.', 1)[0]));
  }

  return {
    issued(plaintext) {
      if (find(plaintext) === undefined) tokens.push({ hash: salted(sha256(plaintext)), issuedAt: now() });
      tokens = worthKeeping();
      onChanged();
    },
    isDead(plaintext) {
      const token = find(plaintext);
      return token !== undefined && isRecent(token);
    },
    kept: worthKeeping,
  };
}

/** In two steps, so that what earlier versions kept, the first alone, can be salted as well. */
function salted(digest: string, salt = randomBytes(16).toString('base64url')): string {
  return `${salt}.${sha256(salt + digest)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
