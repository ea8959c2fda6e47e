/**
 * Why no box can be started on this system or by this account, in a sentence with what to do. Asked
 * before the start: what the programs themselves say names no way out. Changes nothing.
 */

import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';

/** As much as every box needs, around a program that does nothing. */
const emptyBox = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', '/bin/true'];

/** Each may forbid ordinary accounts namespaces: its file, the value that does, the way out. */
const switches = [
  ['user/max_user_namespaces', '0', 'user.max_user_namespaces=15000'],
  ['kernel/unprivileged_userns_clone', '0', 'kernel.unprivileged_userns_clone=1'],
  ['kernel/apparmor_restrict_unprivileged_userns', '1', 'kernel.apparmor_restrict_unprivileged_userns=0'],
] as const;

export function namespaceObstacle(bubblewrap: string): string | null {
  const { status, stderr } = spawnSync(bubblewrap, emptyBox, { encoding: 'utf8', env: {} });
  if (status === 0) return null;
  const off = switches.find(([file, value]) => read(`/proc/sys/${file}`) === value);
  if (off !== undefined)
    return `This system forbids the namespaces that a box is made of; \`sudo sysctl ${off[2]}\` allows them to every program until it starts again.`;
  return `bubblewrap can't make a box here (${lastLine(stderr)}); docs/boxes.md has recipes without it.`;
}

const tunnels = '/dev/net/tun';

/** Of a box with a network. */
export function networkObstacle(): string | null {
  try {
    accessSync(tunnels, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    const isClosed = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    const remedy = isClosed ? `is closed to you; \`sudo chmod 666 ${tunnels}\`` : 'is missing; `sudo modprobe tun`';
    return `The network of a box needs ${tunnels}, which ${remedy} mends that, or leave out --network.`;
  }
}

/** What a program that failed said at its end. */
export function lastLine(said: string): string {
  const lines = said.trim().split('\n');
  return lines.findLast(line => !/^(?:WARNING|child failed)/.test(line)) ?? '';
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
