/**
 * The running calls and the access that each uses (spec §6), so a change that narrows access ends
 * exactly the calls that it forbids. Looks when told to; has no clock.
 */

import type { Connection } from './connection.ts';
import type { ConnectionRegister } from './connection-register.ts';
import { effectiveAccess, levelNow } from './effective-access.ts';
import type { ResolvedConnection } from './resolve-connection.ts';
import { covers, type Principal, type Scope } from './tokens/token.ts';
import type { Withdrawal } from './withdrawal.ts';

export interface UsedAccess {
  /** As its token allows now. */
  principal(): Principal;
  /** Aborted with the request, or when access that the call uses is withdrawn. */
  readonly signal: AbortSignal;
  /** Call it when the call begins to use this connection. */
  markUsed(resolved: ResolvedConnection): void;
  /** The connections that the call uses. */
  uses(): readonly ResolvedConnection[];
  /** Call it when the call begins to change data by its level, not by a person's approval. */
  writes(): void;
  /** The connection as saved now; null if it is gone. */
  connectionNow(id: string): Connection | null;
  /** Looks now. Withdrawn access stays withdrawn. */
  withdrawn(): Withdrawal | null;
  end(): void;
}

export interface AccessInUse {
  /** @param needs the tool's scope. @param request aborted when the request ends. */
  begin(principal: Principal, needs: Scope, request: AbortSignal): UsedAccess;
  /** With its token's present scope and allowlist. */
  principalNow(principal: Principal): Principal;
  /**
   * Call it after each change of a connection or token, and now and then for write access that ends
   * by the clock.
   */
  lookAgain(): void;
}

interface AccessInUsePorts {
  readonly connections: Pick<ConnectionRegister, 'find'>;
  /** With its token's present scope and allowlist. */
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
      const uses = new Map<string, ResolvedConnection>();
      let isWriting = false;
      let withdrawal: Withdrawal | null = null;
      const abort = (): void => ending.abort(request.reason);
      request.addEventListener('abort', abort, { once: true });
      if (request.aborted) abort();

      function forbids(principal: Principal): Withdrawal | null {
        if (!covers(principal.scope, needs)) return { kind: 'tool' };
        for (const use of uses.values()) {
          const forbidden = forbidsUse(principal, use);
          if (forbidden !== null) return forbidden;
        }
        return null;
      }

      function forbidsUse(
        principal: Principal,
        { connection: { id, name }, access: begun }: ResolvedConnection,
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
        markUsed(resolved) {
          uses.set(resolved.connection.id, resolved);
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
 * The principal with its token's present scope and allowlist; unchanged if the token is the
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
