/**
 * Tells where the program at the other end of a connection to our port stands among all processes
 * (spec §11 Places), by Linux's table of sockets. For limits alone: it allows nothing.
 */

import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Lineage } from '../access/limits/crowd.ts';
import { processOrigin } from './process-origin.ts';

export type ConnectionEnds = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>;

/**
 * @param pid as the program states it; only the process that holds the connection is believed.
 * @returns undefined if the system doesn't tell, or another process holds it. Never rejects.
 */
export async function lineageOfConnection(pid: number, ends: ConnectionEnds): Promise<Lineage | undefined> {
  const { remoteAddress, remotePort = 0, localPort = 0 } = ends;
  // Each address of this machine has all ports: another program may have theirs at another one.
  if (remoteAddress !== '127.0.0.1') return undefined;
  try {
    const table = await readFile('/proc/net/tcp', 'latin1');
    const socket = `socket:[${connectedInode(table, remotePort, localPort)}]`;
    const folder = `/proc/${pid}/fd`;
    const links = (await readdir(folder)).map(descriptor => readlink(`${folder}/${descriptor}`).catch(() => ''));
    if (!(await Promise.all(links)).includes(socket)) return undefined;
    return (await processOrigin(pid))?.lineage;
  } catch {
    return undefined;
  }
}

/**
 * As in shared/port-holder.ts: number, both addresses, state, queues, timer, retries, uid, timeout,
 * inode.
 */
function connectedInode(table: string, theirPort: number, ourPort: number): string | undefined {
  const ends = [theirPort, ourPort]
    .map(port => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `)
    .join('');
  const line = table.split('\n').find(each => each.includes(ends));
  return line?.trim().split(/\s+/)[9];
}
