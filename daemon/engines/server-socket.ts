/** Opens the socket to a server: at its own host and port, or at the connection's tunnel. */

import { once } from 'node:events';
import { lstat, stat } from 'node:fs/promises';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint } from '../access/connection.ts';
import type { CallClock } from './call-clock.ts';

/** Time for a program whose connection queue is full; socat's has five places. */
const fullMilliseconds = 2_000;
const againMilliseconds = 20;

/**
 * @param own the server's own address, used without a tunnel; that socket is still connecting.
 *   Through a tunnel the socket is connected, or the promise rejects.
 * @param clock of the call that waits for it, which is told its stage.
 */
export async function serverSocket(
  { line, host, port }: Pick<Endpoint, 'line' | 'host' | 'port'>,
  usualPort: number,
  own: NetConnectOpts,
  keepAliveInitialDelay: number,
  signal: AbortSignal,
  clock?: CallClock,
): Promise<Socket> {
  const keepAlive = { noDelay: true, keepAlive: true, keepAliveInitialDelay };
  const begin = (stage: 'tunnel' | 'sign_in'): void => {
    if (clock !== undefined) clock.stage = stage;
  };
  begin(line === undefined ? 'sign_in' : 'tunnel');
  if (line === undefined || host === null) return connect({ ...own, ...keepAlive });
  const target = await line.targetFor(host, port ?? usualPort, signal);
  // An open tunnel that forwards nothing is as silent as the server behind it.
  begin('sign_in');
  try {
    const socket = await connected({ ...target.at, ...keepAlive }, signal);
    if (socket.destroyed) target.release();
    else socket.once('close', target.release);
    return socket;
  } catch (error) {
    target.release();
    throw signal.aborted ? new Error('its tunnel took no session in time') : await toldByTunnel({ line }, error);
  }
}

/**
 * Looks at a socket file before it is dialled, and again after: Node doesn't tell who is at the
 * other end, but only its owner could have put that file there. Rejects if it is a link of somebody
 * who could turn it elsewhere between the two.
 */
export async function socketFile(path: string): Promise<{ readonly owner: () => Promise<number> }> {
  const before = await owned(path);
  return {
    /** Call it once connected. Rejects if another file is there by then. */
    async owner() {
      const { uid, ino, dev } = await owned(path);
      if (uid !== before.uid || ino !== before.ino || dev !== before.dev)
        throw new Error('its socket was replaced while it was dialled');
      return uid;
    },
  };
}

async function owned(path: string): Promise<{ readonly uid: number; readonly ino: number; readonly dev: number }> {
  const [link, file] = [await lstat(path), await stat(path)];
  if (link.isSymbolicLink() && link.uid !== rootUid && link.uid !== file.uid)
    throw new Error('its socket is a link that its owner has not made; name the socket itself');
  return file;
}

const rootUid = 0;

/** A Unix socket with a full queue refuses at once; a port would make the caller wait. */
async function connected(to: NetConnectOpts, signal: AbortSignal): Promise<Socket> {
  const deadline = performance.now() + fullMilliseconds;
  for (;;) {
    const socket = connect(to);
    try {
      await once(socket, 'connect', { signal });
      // Without a listener an error before the socket's user listens would end the process.
      return socket.on('error', () => {});
    } catch (error) {
      socket.on('error', () => {}).destroy();
      if (!isFull(error) || performance.now() > deadline) throw error;
      await wait(againMilliseconds, undefined, { signal });
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/** @returns what the tunnel says about a failed dial, or else the failure itself. */
export async function toldByTunnel({ line }: Pick<Endpoint, 'line'>, error: unknown): Promise<unknown> {
  return (await line?.failure()) ?? error;
}

/**
 * True if a host can only be this machine, whatever a name server says; also for the tunnel's end.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
