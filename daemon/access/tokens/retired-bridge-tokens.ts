/**
 * Knows the hashes of recent bridge tokens (spec §5). A bridge that wakes up with a stale one is
 * told so and reads the handshake again; it doesn't count as a guesser. Gives nobody any access.
 */

import { createHash, randomBytes } from 'node:crypto';

const retiredTokenLimits = {
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
   * A salt of 16 random bytes, a dot, and SHA-256 of the salt and the plaintext; each part
   * base64url.
   */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

export interface RetiredBridgeTokens {
  /**
   * Call it when a token is made: if it were remembered only at its end, a kill -9 would lose it.
   */
  issued(plaintext: string): void;
  /** Only for a token that is not valid now. */
  isRetired(plaintext: string): boolean;
  /** Oldest first: what is worth storing now. */
  kept(): readonly IssuedToken[];
}

/**
 * @param known from earlier runs.
 * @param now wall clock, milliseconds since 1970.
 * @param onChanged called after each `issued`, to store the list.
 */
export function retiredBridgeTokens(
  known: readonly IssuedToken[],
  now: () => number,
  onChanged: () => void,
): RetiredBridgeTokens {
  let tokens = [...known];

  const isRecent = ({ issuedAt }: IssuedToken): boolean => now() - issuedAt < retiredTokenLimits.keptSeconds * 1000;
  const worthKeeping = (): IssuedToken[] =>
    tokens
      .filter(isRecent)
      .sort((a, b) => a.issuedAt - b.issuedAt)
      .slice(-(retiredTokenLimits.kept + retiredTokenLimits.living));
  function find(plaintext: string): IssuedToken | undefined {
    return tokens.find(({ hash }) => hash === salted(plaintext, hash.split('.', 1)[0]));
  }

  return {
    issued(plaintext) {
      if (find(plaintext) === undefined) tokens.push({ hash: salted(plaintext), issuedAt: now() });
      tokens = worthKeeping();
      onChanged();
    },
    isRetired(plaintext) {
      const token = find(plaintext);
      return token !== undefined && isRecent(token);
    },
    kept: worthKeeping,
  };
}

function salted(plaintext: string, salt = randomBytes(16).toString('base64url')): string {
  return `${salt}.${createHash('sha256')
    .update(salt + plaintext)
    .digest('base64url')}`;
}
