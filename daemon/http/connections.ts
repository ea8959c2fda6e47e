/** Counts the open connections (SPEC §3): at the limit the longest idle one gives way; with none idle the newcomer does. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  opened(socket: Socket): void;
  answering(socket: Socket, outgoing: ServerResponse): void;
  /** The answer this connection waits for, if any. */
  current(socket: Socket): ServerResponse | null;
  /** From now on a connection ends with the answer it waits for. Resolves when none waits. */
  drain(): Promise<void>;
}

export function countConnections(atMost: number): Connections {
  /** Idle the longest first. One that has sent nothing yet is idle too. */
  const idle = new Set<Socket>();
  const busy = new Map<Socket, Set<ServerResponse>>();
  let draining: (() => void) | null = null;

  function answered(socket: Socket, outgoing: ServerResponse): void {
    const waiting = busy.get(socket);
    waiting?.delete(outgoing);
    if (waiting === undefined || waiting.size > 0) return;
    busy.delete(socket);
    if (draining !== null) socket.destroySoon();
    else if (!socket.destroyed) idle.add(socket);
    if (busy.size === 0) draining?.();
  }

  return {
    opened(socket) {
      if (idle.size + busy.size >= atMost) {
        const [longest = socket] = idle;
        idle.delete(longest);
        longest.destroy();
        if (longest === socket) return;
      }
      idle.add(socket);
      socket.once('close', () => idle.delete(socket));
    },
    answering(socket, outgoing) {
      idle.delete(socket);
      busy.set(socket, (busy.get(socket) ?? new Set()).add(outgoing));
      outgoing.once('close', () => answered(socket, outgoing));
    },
    current: socket => busy.get(socket)?.values().next().value ?? null,
    drain: () =>
      new Promise(resolve => {
        draining = resolve;
        if (busy.size === 0) resolve();
      }),
  };
}
