/**
 * Finds out where the bridge at the other end of a connection stands among the processes, once, and
 * before its first request is held to any limit (spec §13). Refuses nothing.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Lineage } from '../../access/limits/crowd.ts';
import { processOf } from '../../access/limits/present-clients.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { isBridgeToken } from './bearer.ts';
import type { BoxConnection, PlacedConnection } from './gate.ts';

/** @returns undefined if it isn't known. Never rejects. */
export type LineageOfConnection = (pid: number, socket: Socket) => Promise<Lineage | undefined>;

/** @returns what has to be waited for; null if nothing. */
export function placeBridges(
  tokens: Pick<TokenRegister, 'verify'>,
  lineageOf: LineageOfConnection,
): (incoming: IncomingMessage) => Promise<void> | null {
  return ({ socket, headers }) => {
    const { boxId } = socket as BoxConnection;
    const { 'sallyport-bridge': name } = headers;
    if (typeof name !== 'string' || 'lineage' in socket || boxId !== undefined) return null;
    const pid = processOf({ id: `bridge:${name}`, isBridge: true });
    if (pid === null || !isBridgeToken(headers, tokens)) return null;
    return lineageOf(pid, socket).then(lineage => void Object.assign(socket, { lineage } satisfies PlacedConnection));
  };
}
