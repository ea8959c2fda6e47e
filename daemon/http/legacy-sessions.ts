/** The sessions of the 2025 revisions (spec §4): who opened them and what runs in them. No server instance lives in one. */

import type { Principal } from '../access/token.ts';
import type { RequestId } from './refuse.ts';

export interface LegacySession {
  readonly id: string;
  readonly principalId: string;
  readonly tokenId: string;
  /** What the client called itself at `initialize`, cleaned. */
  readonly client: string | null;
  /** Ends a running request, by its id as the client wrote it: 1 and "1" are two. */
  readonly running: Map<RequestId, () => void>;
  /** Whether the client said at `initialize` that it can put a question to its user. */
  readonly canElicit: boolean;
  /** Takes the answer to a question that is open, by the id that we gave the question. */
  readonly asked: Map<RequestId, (response: Record<string, unknown>) => void>;
}

export interface LegacyClient {
  readonly client: string | null;
  readonly canElicit: boolean;
}

export interface LegacySessions {
  open(principal: Principal, client: LegacyClient): LegacySession;
  /** Null where it is unknown or another principal's: one answer for both. */
  find(id: string, principal: Principal): LegacySession | null;
  endToken(tokenId: string): void;
  /** The server they live in has ended. */
  endAll(): void;
}

export function legacySessions(
  atMost: number,
  newId: () => string,
  opened: (principal: Principal) => () => void = () => () => {},
): LegacySessions {
  /** Least recently used first. */
  const sessions = new Map<string, LegacySession>();
  const ends = new Map<string, () => void>();
  const end = (id: string): void => {
    sessions.delete(id);
    ends.get(id)?.();
    ends.delete(id);
  };
  return {
    open(principal, { client, canElicit }) {
      const session: LegacySession = {
        id: newId(),
        principalId: principal.id,
        tokenId: principal.tokenId,
        client,
        running: new Map(),
        canElicit,
        asked: new Map(),
      };
      sessions.set(session.id, session);
      ends.set(session.id, opened(principal));
      for (const id of sessions.keys()) {
        if (sessions.size <= atMost) break;
        end(id);
      }
      return session;
    },
    find(id, principal) {
      const session = sessions.get(id);
      if (session === undefined || session.principalId !== principal.id) return null;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    endToken(tokenId) {
      for (const session of sessions.values()) if (session.tokenId === tokenId) end(session.id);
    },
    endAll() {
      for (const id of [...sessions.keys()]) end(id);
    },
  };
}
