/**
 * Tells which user listens on a port of this machine, by Linux's tables of sockets. For the log
 * alone: who forwards a port owns it, so nothing is decided by it.
 */

import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import { listenersIn } from '../../shared/port-holder.ts';

/** As the tables have them: in hexadecimal, each word of four bytes in the machine's order. */
const every4 = '0'.repeat(8);
const every6 = '0'.repeat(32);

/**
 * @param address of loopback.
 * @returns the uid; null if nothing listens there or the system doesn't tell.
 */
export async function portOwner(address: string, port: number): Promise<number | null> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'utf8').catch(() => '')),
  );
  const listeners = tables.flatMap(table => listenersIn(table, port));
  // The kernel prefers a listener at the very address to one at all.
  const wanted = isIPv6(address)
    ? [`${'0'.repeat(24)}${inHex([0, 0, 0, 1])}`, every6]
    : [inHex(address.split('.').map(Number)), every4, every6];
  const [owner] = wanted.flatMap(local => listeners.find(each => each.local === local)?.uid ?? []);
  return owner ?? null;
}

function inHex(word: readonly number[]): string {
  return Buffer.from(endianness() === 'LE' ? word.toReversed() : word)
    .toString('hex')
    .toUpperCase();
}
