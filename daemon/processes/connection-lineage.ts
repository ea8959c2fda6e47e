/**
 * Tells where the program at the other end of a connection to our port stands among all processes
 * (spec §11 Places), by Linux's table of sockets. For limits alone: it allows nothing.
 */

import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Lineage } from '../access/limits/crowd.ts';
import { processOrigin } from './process-origin.ts';

/**
 * @param pid as the program states it; only the process that holds the connection is believed.
 * @returns undefined if the system doesn't tell, or another process holds it. Never rejects.
 */
export async function lineageOfConnection(
  pid: number,
  theirPort: number,
  ourPort: number,
): Promise<Lineage | undefined> {
  try {
    const table = await readFile('/proc/net/tcp', 'latin1');
    const socket = `socket:[${connectedInode(table, theirPort, ourPort)}]`;
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
  const [theirs, ours] = [theirPort, ourPort].map(port => `:${port.toString(16).toUpperCase().padStart(4, '0')}`);
  const ends = `${theirs} 0100007F${ours} `;
  const line = table.split('\n').find(each => each.includes(ends));
  return line?.trim().split(/\s+/)[9];
}
