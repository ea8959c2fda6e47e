/**
 * Which connections a principal sees, and how one is found by name without revealing the others
 * (spec §6).
 */

import { distanceFrom } from '../../shared/edit-distance.ts';
import type { Refusal } from '../refusal.ts';
import type { Connection } from './connection.ts';
import type { ConnectionRegister } from './connection-register.ts';
import { type Access, effectiveAccess } from './effective-access.ts';
import type { Principal } from './tokens/token.ts';

export type VisibleAccess = Extract<Access, { kind: 'visible' }>;

export interface Reached {
  readonly connection: Connection;
  readonly access: VisibleAccess;
}

export function visibleConnections(
  connections: ConnectionRegister,
  principal: Principal,
  nowMilliseconds: number,
): readonly Reached[] {
  const visible: Reached[] = [];
  const { connections: allowlist } = principal;
  const ids = allowlist === 'all' ? null : new Set(allowlist);
  for (const connection of connections.list()) {
    const access = effectiveAccess(principal, connection, nowMilliseconds, ids ?? allowlist);
    if (access.kind === 'visible') visible.push({ connection, access });
  }
  return visible;
}

export type Reach =
  | { readonly kind: 'reached'; readonly reached: Reached }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Unknown and hidden connections get the same answer, made only of what this principal sees. */
export function reach(
  connections: ConnectionRegister,
  principal: Principal,
  idOrName: string,
  nowMilliseconds: number,
): Reach {
  const connection = connections.find(idOrName);
  if (connection !== null) {
    const access = effectiveAccess(principal, connection, nowMilliseconds);
    if (access.kind === 'visible') return { kind: 'reached', reached: { connection, access } };
  }
  const names = visibleConnections(connections, principal, nowMilliseconds).map(({ connection }) => connection.name);
  return {
    kind: 'refused',
    refusal: { kind: 'connection_unavailable', asked: idOrName, usable: nearestFirst(names, idOrName) },
  };
}

const mostNamesToldOf = 20;

function nearestFirst(names: readonly string[], asked: string): readonly string[] {
  const distanceOf = distanceFrom(asked.slice(0, 64).toLowerCase());
  return names
    .map(name => ({ name, distance: distanceOf(name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostNamesToldOf)
    .map(({ name }) => name);
}
