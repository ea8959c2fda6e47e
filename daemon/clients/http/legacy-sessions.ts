/**
 * The sessions of the 2025 revisions (spec §4): who opened them and what runs in them. They hold no
 * server instance.
 */

import type { Principal } from '../../access/tokens/token.ts';
import type { LegacyClient, LegacySessionIds } from './legacy-session-id.ts';
import type { RequestId } from './refuse.ts';

export interface LegacySession {
  readonly id: string;
  readonly principalId: string;
  readonly tokenId: string;
  /** The client's name at `initialize`, cleaned. */
  readonly client: string | null;
  /** Ends a running request, by its id as the client wrote it: 1 and "1" are two. */
  readonly running: Map<RequestId, () => void>;
  /** True if the client said at `initialize` that it can put a question to its user. */
  readonly canElicit: boolean;
  /** Ends its stream of changes; null if it has none. A session has one, the newest. */
  endStream: (() => void) | null;
  /** Takes the answer to an open question, by the id that we gave it. */
  readonly asked: Map<RequestId, (response: Record<string, unknown>) => void>;
}

export interface LegacySessions {
  /**
   * If there are too many, one is displaced: first the principal's own, and of these one with
   * nothing running. Null if the principal's token was revoked meanwhile.
   */
  open(principal: Principal, client: LegacyClient): LegacySession | null;
  /**
   * Resumes a forgotten session. Null if it was never opened, is another principal's or has ended:
   * the same answer for all.
   */
  find(id: string, principal: Principal): LegacySession | null;
  endToken(tokenId: string): void;
  /** Call it now and then. */
  forgetIdle(): void;
  /** Call it when the server has ended. */
  endAll(): void;
}

interface LegacySessionPorts {
  readonly ofPrincipal: number;
  readonly inAll: number;
  /** How long an unused session with nothing running and no stream is kept. */
  readonly idleMilliseconds: number;
  readonly ids: LegacySessionIds;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  /** Called for each session; the returned function is called when it has ended. */
  readonly opened: (principal: Principal) => () => void;
}

interface Kept {
  readonly session: LegacySession;
  usedAt: number;
  readonly ended: () => void;
}

/** Sessions displaced by their own principal: as many as a principal could want back. */
const endedKept = 1_024;

export function legacySessions(ports: LegacySessionPorts): LegacySessions {
  /** Least recently used first. */
  const sessions = new Map<string, Kept>();
  /** Must not be resumed. Oldest first. */
  const ended = new Set<string>();

  const forget = (id: string): void => {
    const kept = sessions.get(id);
    sessions.delete(id);
    kept?.session.endStream?.();
    kept?.ended();
  };

  const end = (id: string): void => {
    forget(id);
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > endedKept && oldest !== undefined) ended.delete(oldest);
  };

  /** Its running requests end as cancelled: the client has no way left to cancel them. */
  function displaceOwn(own: readonly LegacySession[]): void {
    const session = own.find(isIdle) ?? own[0];
    if (session === undefined) return;
    end(session.id);
    for (const cancel of [...session.running.values()]) cancel();
  }

  /** Another principal's: its running requests continue, and its next request resumes it. */
  function displaceAny(): void {
    const all = [...sessions.values()].map(({ session }) => session);
    const session = all.find(isIdle) ?? all[0];
    if (session !== undefined) forget(session.id);
  }

  function add(id: string, principal: Principal, { client, canElicit }: LegacyClient): LegacySession {
    const own = [...sessions.values()].map(kept => kept.session).filter(isOf(principal));
    if (own.length >= ports.ofPrincipal) displaceOwn(own);
    else if (sessions.size >= ports.inAll) displaceAny();
    const session: LegacySession = {
      id,
      principalId: principal.id,
      tokenId: principal.tokenId,
      client,
      running: new Map(),
      canElicit,
      asked: new Map(),
      endStream: null,
    };
    sessions.set(id, { session, usedAt: ports.elapsed(), ended: ports.opened(principal) });
    return session;
  }

  function takeUp(id: string, principal: Principal): LegacySession | null {
    const client = ended.has(id) ? null : ports.ids.read(id, principal);
    return client === null ? null : add(id, principal, client);
  }

  return {
    open(principal, client) {
      const id = ports.ids.make(principal, client);
      return id === null ? null : add(id, principal, client);
    },
    find(id, principal) {
      const kept = sessions.get(id);
      if (kept === undefined) return takeUp(id, principal);
      if (!isOf(principal)(kept.session)) return null;
      kept.usedAt = ports.elapsed();
      sessions.delete(id);
      sessions.set(id, kept);
      return kept.session;
    },
    endToken(tokenId) {
      for (const { session } of sessions.values()) if (session.tokenId === tokenId) forget(session.id);
    },
    forgetIdle() {
      const now = ports.elapsed();
      for (const [id, kept] of sessions) {
        if (!isIdle(kept.session) || kept.session.endStream !== null) kept.usedAt = now;
        else if (now - kept.usedAt >= ports.idleMilliseconds) forget(id);
      }
    },
    endAll() {
      for (const id of [...sessions.keys()]) forget(id);
    },
  };
}

const isIdle = ({ running }: LegacySession): boolean => running.size === 0;

const isOf =
  (principal: Principal) =>
  ({ principalId }: LegacySession): boolean =>
    principalId === principal.id;
