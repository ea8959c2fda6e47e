/**
 * Which clients are connected now (spec §11 `clients`), by principal, from what the HTTP door
 * reports. Kept in memory while it is recent. Allows and refuses nothing.
 */

import type { Principal } from '../tokens/token.ts';

export interface PresentClient extends Pick<Principal, 'id' | 'tokenId' | 'tokenName' | 'isBridge' | 'isBox'> {
  /** The client's own name for itself; unverified. */
  readonly client: string | null;
  /** The MCP revision that it used last. */
  readonly protocol: string | null;
  /** Milliseconds since its first and its last request. */
  readonly sinceMilliseconds: number;
  readonly seenMilliseconds: number;
  readonly openRequests: number;
  readonly sessions: number;
}

export interface PresentClients {
  /** An admitted request. Call `end` once it is answered. */
  begin(principal: Principal): PresentRequest;
  /** @returns a function to call when the session has ended. */
  sessionOpened(principal: Principal): () => void;
  /** Seen last first. */
  list(): readonly PresentClient[];
  /** Removes it from the list; its requests and sessions end by themselves. */
  forgetToken(tokenId: string): void;
}

interface PresentRequest {
  /** What the body says about the sender; null for what it doesn't say. */
  saw(client: string | null, protocol: string | null): void;
  end(): void;
}

export const presenceLimits = {
  /** Connected = a request within ten minutes. */
  recentSeconds: 600,
  /** Each bridge process has a new name. */
  remembered: 512,
} as const;

interface Seen {
  readonly principal: Principal;
  client: string | null;
  protocol: string | null;
  readonly since: number;
  last: number;
  openRequests: number;
  sessions: number;
}

/** The process id in a bridge's id; null for other clients and for older bridges. */
export function processOf({ id, isBridge }: Pick<Principal, 'id' | 'isBridge'>): number | null {
  const pid = isBridge ? /^bridge:pid-(\d{1,9})-/.exec(id)?.[1] : undefined;
  return pid === undefined ? null : Number(pid);
}

/**
 * @param elapsed milliseconds of a clock that is never set and never stands still.
 * @param isAlive whether a process lives.
 */
export function presentClients(elapsed: () => number, isAlive: (pid: number) => boolean): PresentClients {
  /** Seen longest ago first. */
  const seen = new Map<string, Seen>();

  const isOpen = ({ openRequests, sessions }: Seen): boolean => openRequests > 0 || sessions > 0;
  const isRecent = (met: Seen): boolean => isOpen(met) || elapsed() - met.last < presenceLimits.recentSeconds * 1000;
  const isPresent = (met: Seen): boolean => {
    const pid = processOf(met.principal);
    return isRecent(met) && (pid === null || isOpen(met) || isAlive(pid));
  };

  function meet(principal: Principal): Seen {
    const now = elapsed();
    const former = seen.get(principal.id);
    const met =
      former !== undefined && isRecent(former)
        ? former
        : { principal, client: null, protocol: null, since: now, last: now, openRequests: 0, sessions: 0 };
    met.last = now;
    seen.delete(principal.id);
    seen.set(principal.id, met);
    if (seen.size > presenceLimits.remembered) forgetOne();
    return met;
  }

  function forgetOne(): void {
    for (const [id, met] of seen) {
      if (isOpen(met)) continue;
      seen.delete(id);
      return;
    }
  }

  return {
    begin(principal) {
      const met = meet(principal);
      met.openRequests += 1;
      return {
        saw(client, protocol) {
          met.client = client ?? met.client;
          met.protocol = protocol ?? met.protocol;
        },
        end() {
          met.openRequests -= 1;
          met.last = elapsed();
        },
      };
    },
    sessionOpened(principal) {
      const met = meet(principal);
      met.sessions += 1;
      return () => {
        met.sessions -= 1;
      };
    },
    list() {
      const now = elapsed();
      const present = [...seen.values()]
        .reverse()
        .filter(isPresent)
        .sort((a, b) => b.last - a.last);
      return present.map(({ principal, client, protocol, since, last, openRequests, sessions }) => ({
        id: principal.id,
        tokenId: principal.tokenId,
        tokenName: principal.tokenName,
        isBridge: principal.isBridge,
        isBox: principal.isBox,
        client,
        protocol,
        openRequests,
        sessions,
        sinceMilliseconds: now - since,
        seenMilliseconds: now - last,
      }));
    },
    forgetToken(tokenId) {
      for (const [id, { principal }] of seen) if (principal.tokenId === tokenId) seen.delete(id);
    },
  };
}
