/**
 * The running requests, so one can be ended from outside: its client left or cancelled it, its
 * token was revoked or expired, or we stop.
 */

import type { ServerResponse } from 'node:http';

export type EndCause = 'disconnected' | 'cancelled' | 'revoked' | 'expired' | CommonEnd;

/** Reasons that end every request. */
export type CommonEnd = 'stopping' | 'switched_off' | 'paused' | 'moved';

export interface RequestInFlight {
  /** Its reason is an {@link EndCause}. */
  readonly signal: AbortSignal;
  abort(cause: EndCause): void;
}

export type RequestsInFlight = ReturnType<typeof requestsInFlight>;

export function requestsInFlight() {
  const byToken = new Map<string, Set<AbortController>>();
  const end = (controllers: Iterable<AbortController>, cause: EndCause): void => {
    for (const controller of [...controllers]) controller.abort(cause);
  };
  return {
    /** Forgotten when the response has closed. */
    begin(tokenId: string, outgoing: ServerResponse): RequestInFlight {
      const controller = new AbortController();
      const ofToken = byToken.get(tokenId) ?? new Set();
      byToken.set(tokenId, ofToken.add(controller));
      outgoing.once('close', () => {
        ofToken.delete(controller);
        if (ofToken.size === 0 && byToken.get(tokenId) === ofToken) byToken.delete(tokenId);
        if (!outgoing.writableFinished) end([controller], 'disconnected');
      });
      return controller;
    },
    endToken: (tokenId: string): void => end(byToken.get(tokenId) ?? [], 'revoked'),
    /** Otherwise a subscription would outlive its token by hours. */
    endExpired(hasExpired: (tokenId: string) => boolean): void {
      for (const [tokenId, controllers] of byToken) if (hasExpired(tokenId)) end(controllers, 'expired');
    },
    endAll(cause: CommonEnd): void {
      for (const controllers of byToken.values()) end(controllers, cause);
    },
  };
}
