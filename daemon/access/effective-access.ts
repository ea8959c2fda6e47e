/**
 * What a principal may do on a connection right now (spec §6): one function, no state.
 * @example
 * // A token of scope readOnly, on a connection that allows readWrite:
 * effectiveAccess(principal, shop, Date.now());
 * // { kind: 'visible', level: 'readOnly', limitedBy: 'token', askFirst: false }
 */

import type { Connection } from './connection.ts';
import type { Allowlist, Principal } from './tokens/token.ts';

export type Access =
  /** Not on the allowlist, blocked, or "never for AI": as if it did not exist. */
  | { readonly kind: 'hidden' }
  /** `askFirst`: no call is answered before the user has approved. */
  | { readonly kind: 'visible'; readonly level: AccessLevel; readonly limitedBy: Limit; readonly askFirst: boolean };

type AccessLevel = 'readOnly' | 'readWrite';
/** What limits the level to readOnly, for the refusal's sentence; `nothing` if it is readWrite. */
type Limit = 'token' | 'connection' | 'nothing';

/** @param allowlist the principal's; a set if many connections are judged. */
export function effectiveAccess(
  principal: Principal,
  connection: Connection,
  nowMilliseconds: number,
  allowlist: Allowlist | ReadonlySet<string> = principal.connections,
): Access {
  const allowed =
    allowlist === 'all' || ('has' in allowlist ? allowlist.has(connection.id) : allowlist.includes(connection.id));
  const level = levelNow(connection, nowMilliseconds);
  if (!allowed || level === 'blocked' || connection.aiPolicy === 'never') return { kind: 'hidden' };
  const limitedBy: Limit = level === 'readOnly' ? 'connection' : principal.scope === 'readOnly' ? 'token' : 'nothing';
  return {
    kind: 'visible',
    level: limitedBy === 'nothing' ? 'readWrite' : 'readOnly',
    limitedBy,
    askFirst: connection.aiPolicy === 'askEachTime',
  };
}

export function levelNow(connection: Connection, nowMilliseconds: number): Connection['externalClients']['level'] {
  const { level, writeUntil } = connection.externalClients;
  return level === 'readWrite' && nowMilliseconds >= untilMilliseconds(writeUntil) ? 'readOnly' : level;
}

/** Infinite if it never ends. */
export function untilMilliseconds(writeUntil: string | null): number {
  return writeUntil === null ? Number.POSITIVE_INFINITY : Date.parse(writeUntil);
}
