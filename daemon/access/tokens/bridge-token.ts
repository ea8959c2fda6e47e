/**
 * The bridge's token over time (spec §5): minted at the start, rotated before it expires, the old
 * one valid until it does. Says when to rotate and what to publish; the caller writes the handshake
 * file.
 */

import type { TokenRegister } from './token-register.ts';

export const bridgeTokenLimits = {
  lifetimeSeconds: 3_600,
  /**
   * Time between rotation and expiry: a bridge always has a good quarter of an hour to read the
   * file again.
   */
  rotateBeforeSeconds: 900,
  /** A timer isn't enough: it stands still while a laptop sleeps, so `identify` checks too. */
  checkSeconds: 20,
} as const;

export interface PublishedToken {
  readonly plaintext: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface BridgeTokenKeeper {
  current(): PublishedToken;
  /** Rotates if it is time, and publishes before it returns. @returns whether it did. */
  rotateIfDue(): boolean;
}

/**
 * @param publish writes the handshake; if it throws, the old token stays current.
 * @param former a token to continue with, published again because the place has changed.
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
      // More left than a whole lifetime: the clock was set back, and the token already counts as
      // expired.
      if (left > bridgeTokenLimits.rotateBeforeSeconds * 1000 && left <= bridgeTokenLimits.lifetimeSeconds * 1000) {
        return false;
      }
      current = mintAndPublish();
      return true;
    },
  };
}
