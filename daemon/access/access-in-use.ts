/**
 * The calls that run now and the access that each of them uses (spec §6), so that a change which
 * narrows access ends exactly the calls that it forbids. Looks when it is told to; knows no clock.
 */

import type { Connection } from './connection.ts';
import type { ConnectionRegister } from './connection-register.ts';
import { effectiveAccess, levelNow } from './effective-access.ts';
import type { Reached } from './reach.ts';
import { covers, type Principal, type Scope } from './tokens/token.ts';
import type { Withdrawal } from './withdrawal.ts';

export interface UsedAccess {
  /** As its token gives it at this moment. */
  principal(): Principal;
  /** Aborted with the request, or when what the call uses is withdrawn. */
  readonly signal: AbortSignal;
  /** From now on the call uses this connection, as it was reached. */
  reached(reached: Reached): void;
  /** The connections that the call uses. */
  uses(): readonly Reached[];
  /** From now on it changes data, as the level allows and not a yes of the user's. */
  writes(): void;
  /** The connection as it is saved now; null where it is gone. */
  connectionNow(id: string): Connection | null;
  /** Looks now. What was withdrawn once stays so. */
  withdrawn(): Withdrawal | null;
  end(): void;
}

export interface AccessInUse {
  /** @param needs the scope that the tool needs. @param request aborted when the request ends. */
  begin(principal: Principal, needs: Scope, request: AbortSignal): UsedAccess;
  /** With the scope and the allowlist that its token has now. */
  principalNow(principal: Principal): Principal;
  /**
   * To be called after each change of a connection or token, and now and then for writing that ends
   * by the clock.
   */
  lookAgain(): void;
}

interface AccessInUsePorts {
  readonly connections: Pick<ConnectionRegister, 'find'>;
  /** With the scope and the allowlist that its token has now. */
  readonly principalNow: (principal: Principal) => Principal;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

export function accessInUse({ connections, principalNow, now }: AccessInUsePorts): AccessInUse {
  const running = new Set<UsedAccess>();

  function connectionNow(id: string): Connection | null {
    const found = connections.find(id);
    return found?.id === id ? found : null;
  }

  return {
    begin(begunBy, needs, request) {
      const ending = new AbortController();
      const uses = new Map<string, Reached>();
      let isWriting = false;
      let withdrawal: Withdrawal | null = null;
      const abort = (): void => ending.abort(request.reason);
      request.addEventListener('abort', abort, { once: true });
      if (request.aborted) abort();

      function forbids(principal: Principal): Withdrawal | null {
        if (!covers(principal.scope, needs)) return { kind: 'tool' };
        for (const use of uses.values()) {
          const found = forbidsUse(principal, use);
          if (found !== null) return found;
        }
        return null;
      }

      function forbidsUse(
        principal: Principal,
        { connection: { id, name }, access: begun }: Reached,
      ): Withdrawal | null {
        const connection = connectionNow(id);
        const access = connection && effectiveAccess(principal, connection, now());
        if (connection === null || access?.kind !== 'visible') return { kind: 'connection', connection: name };
        if (access.askFirst && !begun.askFirst) return { kind: 'yes_first', connection: name };
        if (!isWriting || access.level === 'readWrite') return null;
        const isOver = connection.externalClients.level !== levelNow(connection, now());
        const by = access.limitedBy === 'token' ? 'token' : isOver ? 'time' : 'connection';
        return { kind: 'writing', by, connection: name };
      }

      const used: UsedAccess = {
        principal: () => principalNow(begunBy),
        signal: ending.signal,
        reached(reached) {
          uses.set(reached.connection.id, reached);
          used.withdrawn();
        },
        uses: () => [...uses.values()],
        writes() {
          isWriting = true;
          used.withdrawn();
        },
        connectionNow,
        withdrawn() {
          withdrawal ??= forbids(principalNow(begunBy));
          if (withdrawal !== null) ending.abort(withdrawal);
          return withdrawal;
        },
        end() {
          request.removeEventListener('abort', abort);
          running.delete(used);
        },
      };
      running.add(used);
      return used;
    },
    principalNow,
    lookAgain() {
      for (const used of [...running]) used.withdrawn();
    },
  };
}

/**
 * With the scope and the allowlist that its token has now; as it was where the token is the
 * bridge's, or gone.
 */
export function principalOfToken(
  principal: Principal,
  token: Pick<Principal, 'scope' | 'connections'> | null,
): Principal {
  if (token === null || principal.isBridge) return principal;
  const { scope, connections } = token;
  return { ...principal, scope, connections };
}
