/** Opens the socket to a server: at its own host and port, or where the connection's tunnel has it. */

import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Endpoint } from '../access/connection.ts';

/** @param own the server's own place, dialled where there is no tunnel. Rejects where the tunnel can't be brought up; connects afterwards. */
export async function serverSocket(
  { line, host, port }: Pick<Endpoint, 'line' | 'host' | 'port'>,
  usualPort: number,
  own: NetConnectOpts,
  keepAliveInitialDelay: number,
  signal: AbortSignal,
): Promise<Socket> {
  const keepAlive = { noDelay: true, keepAlive: true, keepAliveInitialDelay };
  if (line === undefined || host === null) return connect({ ...own, ...keepAlive });
  const target = await line.targetFor(host, port ?? usualPort, signal);
  const socket = connect({ ...target.at, ...keepAlive });
  socket.once('close', target.release);
  return socket;
}

/** @returns what the tunnel says of a failed dial, else the failure itself. */
export async function toldByTunnel({ line }: Pick<Endpoint, 'line'>, error: unknown): Promise<unknown> {
  const said = (await line?.failure()) ?? null;
  return said === null ? error : new Error(said);
}

/** Whether a host can only be this machine, whatever a name server says; or the one where the tunnel to it ends. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
