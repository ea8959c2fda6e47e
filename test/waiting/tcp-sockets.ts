/**
 * What Linux knows about the TCP connections to a port of this machine: whether any is open, and
 * the unread bytes in them.
 */

import { readFileSync } from 'node:fs';

const established = '01';

/** Open connections of the program that listens at the port. */
export function openSockets(port: number): number {
  return socketsAt(port).length;
}

/** Bytes that the program that listens at the port hasn't read. */
export function unreadBytes(port: number): number {
  return socketsAt(port).reduce((sum, { unread }) => sum + unread, 0);
}

/**
 * Fields of proc_net_tcp(5): number, local and remote address, state, `tx_queue:rx_queue`; in
 * hexadecimal digits.
 */
function socketsAt(port: number): readonly { readonly unread: number }[] {
  const [, ...rows] = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
  return rows
    .map(row => row.trim().split(/\s+/))
    .filter(
      ([, local = '', , state]) => state === established && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
    )
    .map(([, , , , queues = '']) => ({ unread: Number.parseInt(queues.split(':')[1] ?? '', 16) }));
}
