/**
 * Counts open connections (spec §3). At the limit the longest unproven request is dropped, else the
 * longest idle connection, else the newcomer.
 */

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Connections {
  opened(socket: Duplex): void;
  /**
   * @param isProven true if the request has a valid token: without one it may be sending its body
   *   as slowly as it likes.
   */
  answering(socket: Duplex, outgoing: ServerResponse, isProven: boolean): void;
  /** The answer that this connection waits for, if any. */
  current(socket: Duplex): ServerResponse | null;
  /** From now on a connection ends with its answer. Resolves when none waits. */
  drain(): Promise<void>;
}

/** @param isFull true if even fewer are too many now. */
export function countConnections(atMost: number, isFull: () => boolean): Connections {
  /** Idle the longest first. A connection that has sent nothing yet is idle too. */
  const idle = new Set<Duplex>();
  const busy = new Map<Duplex, Set<ServerResponse>>();
  /** The busy ones, longest first. */
  const unproven = new Set<Duplex>();
  let draining: (() => void) | null = null;

  function answered(socket: Duplex, outgoing: ServerResponse): void {
    const waiting = busy.get(socket);
    waiting?.delete(outgoing);
    if (waiting === undefined || waiting.size > 0) return;
    busy.delete(socket);
    unproven.delete(socket);
    if (draining !== null) endSoon(socket);
    else if (!socket.destroyed) idle.add(socket);
    if (busy.size === 0) draining?.();
  }

  return {
    opened(socket) {
      if (idle.size + busy.size >= atMost || isFull()) {
        const [longestIdle = socket] = idle;
        const [longest = longestIdle] = unproven;
        unproven.delete(longest);
        idle.delete(longest);
        longest.destroy();
        if (longest === socket) return;
      }
      idle.add(socket);
      socket.once('close', () => idle.delete(socket));
    },
    answering(socket, outgoing, isProven) {
      idle.delete(socket);
      if (isProven) unproven.delete(socket);
      else if (!busy.has(socket)) unproven.add(socket);
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

/**
 * Closes a connection once everything written has been sent, as `destroySoon` of a net.Socket does.
 */
function endSoon(connection: Duplex): void {
  if (connection.writable) connection.end();
  if (connection.writableFinished) connection.destroy();
  else connection.once('finish', () => connection.destroy());
}
