/**
 * The bridge's token over time (spec §5): minted at start, rotated before it expires, the old one
 * honoured until it does. Says when to rotate and what to publish; the handshake file is the
 * caller's.
 */

import type { TokenRegister } from './token-register.ts';

export const bridgeTokenLimits = {
  lifetimeSeconds: 3_600,
  /**
   * Rotated this long before expiry, so that a bridge always has a good quarter of an hour to read
   * the file again.
   */
  rotateBeforeSeconds: 900,
  /**
   * A timer alone is not enough: it stands still while a laptop sleeps, so `identify` checks too.
   */
  checkSeconds: 20,
} as const;

export interface PublishedToken {
  readonly plaintext: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface BridgeTokenKeeper {
  current(): PublishedToken;
  /** Rotates when it is time, and publishes before it returns. True when it did. */
  rotateIfDue(): boolean;
}

/**
 * @param publish writes the handshake; when it throws, the old token stays current.
 * @param former the token to go on with, published anew: the place where it is published has
 * changed.
 */
export function keepBridgeToken(
  tokens: Pick<TokenRegister, 'mintBridgeToken'>,
  now: () => number,
  publish: (token: PublishedToken) => void,
  former: PublishedToken | null = null,
): BridgeTokenKeeper {
  let current = former ?? mintAndPublish();
  if (former !== null) publish(former);

  function mintAndPublish(): PublishedToken {
    const { record, plaintext } = tokens.mintBridgeToken(bridgeTokenLimits.lifetimeSeconds);
    const token = { plaintext, expiresAt: record.expiresAt ?? '' };
    publish(token);
    return token;
  }

  return {
    current: () => current,
    rotateIfDue() {
      const left = Date.parse(current.expiresAt) - now();
      // More left than a lifetime: the clock was set back, and the token already counts as expired.
      if (left > bridgeTokenLimits.rotateBeforeSeconds * 1000 && left <= bridgeTokenLimits.lifetimeSeconds * 1000) {
        return false;
      }
      current = mintAndPublish();
      return true;
    },
  };
}
