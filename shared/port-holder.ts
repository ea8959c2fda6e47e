/**
 * Names the program that listens on a TCP port of this machine, if the system tells (spec §2 Taken
 * port). Ends no process.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { nameOfProgram } from './program-name.ts';

/**
 * `nginx (process 812)`, or null if the system doesn't tell: it hides the sockets of other users'
 * processes.
 */
export function portHolder(port: number): string | null {
  try {
    return process.platform === 'linux' ? holderInProc(port) : holderByLsof(port);
  } catch {
    // The name only helps; nothing depends on it.
    return null;
  }
}

const listening = '0A';

function holderInProc(port: number): string | null {
  // The system takes milliseconds to write each table, and a starting daemon waits for it.
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const listeners = listenersIn(readFileSync(table, 'utf8'), port);
    // In the form of file descriptors.
    const sockets = new Set(listeners.map(({ inode }) => `socket:[${inode}]`));
    const pid = sockets.size === 0 ? undefined : readdirSync('/proc').find(name => holdsOneOf(name, sockets));
    if (pid !== undefined) return `${nameInProc(pid)} (process ${pid})`;
  }
  return null;
}

/** From its command line: Node 24 and newer call every process `MainThread`. */
function nameInProc(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const isTitle = words[0]?.includes(' ') === true;
  return nameOfProgram(isTitle ? [] : words, readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
}

interface Listener {
  /** Its address in hexadecimal, each word of four bytes in the machine's order. */
  readonly local: string;
  readonly uid: number;
  readonly inode: string;
}

/**
 * @param table Linux's /proc/net/tcp or tcp6. Line format: number, local address, remote address,
 *   state, two of queues, timer, uid, timeout, inode.
 */
export function listenersIn(table: string, port: number): readonly Listener[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(wanted) && state === listening)
    .map(([, local = '', , , , , , uid, , inode = '']) => {
      return { local: local.slice(0, -wanted.length), uid: Number(uid), inode };
    });
}

function holdsOneOf(pid: string, sockets: ReadonlySet<string>): boolean {
  if (!/^\d+$/.test(pid)) return false;
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some(descriptor => sockets.has(linkOrNothing(`${folder}/${descriptor}`)));
  } catch {
    return false;
  }
}

function linkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const lsof = '/usr/sbin/lsof';
const lsofMilliseconds = 2_000;

/** Output of -F has one field per line: `p` the process, `c` its command. */
function holderByLsof(port: number): string | null {
  const options = ['-nP', '-a', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const printed = execFileSync(lsof, options, {
    encoding: 'utf8',
    timeout: lsofMilliseconds,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = /^p(\d+)$/m.exec(printed)?.[1];
  const command = /^c(.+)$/m.exec(printed)?.[1];
  return pid === undefined || command === undefined ? null : `${command} (process ${pid})`;
}
