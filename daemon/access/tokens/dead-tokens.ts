/**
 * Knows the hashes of recent bridge tokens (spec §5). A bridge that wakes up with a stale one is
 * told so and reads the handshake again; it doesn't count as a guesser. Gives nobody any access.
 */

import { createHash, randomBytes } from 'node:crypto';

const deadTokenLimits = {
  /** A rotation every 45 minutes makes 32 a day. */
  kept: 32,
  /**
   * Valid ones are kept from their first moment: the one in the handshake, and its predecessor
   * until that expires.
   */
  living: 2,
  keptSeconds: 7 * 86_400,
} as const;

interface IssuedToken {
  /**
   * A salt of 16 random bytes, a dot, and SHA-256 of the salt and the plaintext's own SHA-256; each
   * part base64url.
   */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

export interface DeadTokens {
  /**
   * Call it when a token is made: if it were remembered only at its end, a kill -9 would lose it.
   */
  issued(plaintext: string): void;
  /** Only for a token that is not valid now. */
  isDead(plaintext: string): boolean;
  /** Oldest first: what is worth storing now. */
  kept(): readonly IssuedToken[];
}

/**
 * @param known from earlier runs.
 * @param now wall clock, milliseconds since 1970.
 * @param onChanged called after each `issued`, to store the list.
 */
export function deadTokens(known: readonly IssuedToken[], now: () => number, onChanged: () => void): DeadTokens {
  // Earlier versions kept only the plaintext's SHA-256.
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

/** In two steps, so the plain SHA-256 of earlier versions can be salted too. */
function salted(digest: string, salt = randomBytes(16).toString('base64url')): string {
  return `${salt}.${sha256(salt + digest)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
