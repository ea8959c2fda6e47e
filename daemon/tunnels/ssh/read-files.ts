/**
 * Files that ssh reads and whose lines are not all shown: those of another ssh that a command
 * starts, and those of the system's that others may write. Their digests count instead.
 */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { TunnelFailed } from '../tunnel.ts';

const startsSsh = /^(?:proxycommand|knownhostscommand) .*\bssh\b/;
/** Looked for under any host: a `Match exec` tells only at the dial whether it is followed. */
const mayStartSsh = /^"?(?:proxycommand|knownhostscommand)\b.*\bssh\b/i;

/**
 * @param lines of `ssh -G`, all of them: the system's command may start it too.
 * @param systems the system's files.
 * @param hasMatchExec whether the system's files have one, which root's shell judges at the dial.
 */
export function startsAnotherSsh(lines: readonly string[], systems: readonly string[], hasMatchExec: boolean): boolean {
  return (
    lines.some(line => startsSsh.test(line)) ||
    (hasMatchExec && systems.some(file => linesOf(file).some(line => mayStartSsh.test(line))))
  );
}

/** The files that such commands name by `-F`, as a shell would take them. */
export function configurationsNamed(lines: readonly string[], userHome: string): string[] {
  return lines
    .filter(line => startsSsh.test(line))
    .flatMap(line => [...line.matchAll(/\s-F\s*("[^"]+"|'[^']+'|[^\s"']+)/g)])
    .map(([, word = '']) =>
      word.replace(/^["']|["']$/g, '').replace(/^(?:~|\$HOME|\$\{HOME\}|%d)(?=\/)/, () => userHome),
    )
    .filter(isAbsolute);
}

/**
 * With `-F`, ssh looks for a file that the system's Include names without a folder in ~/.ssh, where
 * any program may put one, and not in /etc/ssh.
 */
export function refuseRelativeIncludes(systems: readonly string[]): void {
  for (const file of systems)
    for (const line of linesOf(file)) {
      const start = /^"?include\b"?[\s=]*/i.exec(line);
      if (start === null) continue;
      const rest = line.slice(start[0].length);
      const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      const end = words.findIndex(word => word.startsWith('#'));
      const relative = words.slice(0, end === -1 ? undefined : end).find(word => !isAbsolute(word));
      if (relative === undefined) continue;
      const whole = join('/etc/ssh', relative);
      const why = `the Include of ${relative} in ${file} must name its whole path, such as ${whole}, as ssh would look for it in ~/.ssh`;
      throw new TunnelFailed(why, true, 'ssh_configuration');
    }
}

export function isRoots(file: string): boolean {
  try {
    return statSync(file).uid === 0;
  } catch {
    return false;
  }
}

export function fileDigest(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return "of nothing, as it can't be read";
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.trim());
  } catch {
    return [];
  }
}
