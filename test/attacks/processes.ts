/**
 * What Linux says about a process: its children, its threads, the signals that it catches and the
 * ports that it listens on.
 */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';

/**
 * The TCP ports on which this process listens, found by its own sockets. Fields as in
 * proc_net_tcp(5).
 */
export function portsOf(pid: number): number[] {
  const own = socketsOf(pid);
  const rows = ['tcp', 'tcp6'].flatMap(table => linesOf(`/proc/${pid}/net/${table}`).slice(1));
  return rows.flatMap(row => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === listening && own.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

/**
 * True once Node handles SIGUSR1 there. Before that the signal ends the process, as it does any
 * program.
 */
export function catchesSigusr1(pid: number): boolean {
  const caught = linesOf(`/proc/${pid}/status`).find(line => line.startsWith('SigCgt:')) ?? 'SigCgt: 0';
  const sigusr1 = 10n;
  return (BigInt(`0x${caught.slice(7).trim()}`) & (1n << (sigusr1 - 1n))) !== 0n;
}

/** The process, its children, their children and so on. */
export function familyOf(pid: number): number[] {
  const children = threadsOf(pid).flatMap(thread => linesOf(`/proc/${pid}/task/${thread}/children`));
  const ids = children.flatMap(line => line.trim().split(/\s+/).filter(Boolean).map(Number));
  return [pid, ...ids.flatMap(familyOf)];
}

export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

export function commandOf(pid: number): string {
  return linesOf(`/proc/${pid}/cmdline`).join('').replaceAll('\0', ' ').trim();
}

function socketsOf(pid: number): Set<string> {
  let descriptors: string[] = [];
  try {
    descriptors = readdirSync(`/proc/${pid}/fd`);
  } catch {
    // The process has ended: it has none.
  }
  const inodes = descriptors.flatMap(descriptor => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
  return new Set(inodes);
}

/** Empty for a process that has ended. */
function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
