/**
 * Words why an SSH tunnel didn't come up, or what it could not reach: at which hop, with ssh's own
 * first line.
 */

import type { HostKeyView } from '../../../shared/control-commands.ts';
import type { TunnelFailed } from '../tunnel.ts';

type Said = Pick<TunnelFailed, 'isFinal'> & { readonly problem: string };

/** What was asked and not answered. */
export interface Unanswered {
  readonly hostKey: HostKeyView | null;
  readonly passphraseOf: string | null;
  readonly password: boolean;
}

interface Known {
  readonly words: RegExp;
  /** @param groups of `words`. */
  readonly problem: (groups: Readonly<Record<string, string>>) => string;
  readonly isFinal: boolean;
}

/** Each matches one line. */
const known: readonly Known[] = [
  {
    words: /^Host key for (?<host>\S{1,300}) has changed/,
    problem: ({ host }) => `the SSH host key of ${host} is another one than it was, so nothing was sent there`,
    isFinal: true,
  },
  {
    words: /\bagent refused operation$/,
    problem: () => 'the SSH agent refused the use of a key',
    isFinal: true,
  },
  {
    words: /^(?<host>\S{1,300}): Permission denied \((?<ways>[^)]{1,200})\)/,
    problem: ({ host, ways }) => `SSH could not sign in at ${host}, which takes ${ways}`,
    isFinal: true,
  },
  {
    words: /Too many authentication failures/,
    problem: () => 'the SSH server took none of the many keys that were offered to it',
    isFinal: true,
  },
  {
    words: /^ssh: Could not resolve hostname (?<host>[^:]{1,300}):/,
    problem: ({ host }) => `the SSH host ${host} is unknown`,
    isFinal: false,
  },
  {
    words: /^ssh: connect to host (?<host>\S{1,300}) port (?<port>\d{1,5}): /,
    problem: ({ host, port }) => `the SSH server ${host}:${port} can't be reached`,
    isFinal: false,
  },
  { words: /\bssh: (?:command )?not found$/, problem: () => 'this machine has no ssh', isFinal: false },
  { words: /open failed: /, problem: () => "an SSH hop can't reach the next one", isFinal: false },
  {
    words: /timed out during banner exchange|^Connection to \S{1,300} port \d{1,5} timed out/,
    problem: () => 'an SSH hop did not answer in time',
    isFinal: false,
  },
  {
    words: /Bad configuration option|^Bad owner or permissions on /,
    problem: () => "ssh can't read its configuration",
    isFinal: false,
  },
  {
    words: /^Could not request local forwarding/,
    problem: () => 'ssh could not open a forward; another one that ~/.ssh/config asks for may be open already',
    isFinal: false,
  },
];

/** @param written everything that ssh wrote. */
export function startFailure(written: string, unanswered: Unanswered, how: string): Said {
  const { hostKey, passphraseOf, password } = unanswered;
  if (hostKey !== null)
    return {
      problem: `nobody has confirmed the SSH host key of ${hostKey.host} yet (${hostKey.type} ${hostKey.fingerprint})`,
      isFinal: true,
    };
  const lines = linesIn(written);
  for (const { words, problem, isFinal } of known) {
    for (const line of lines) {
      const found = words.exec(line);
      if (found === null) continue;
      const asked = isFinal ? askedFor(passphraseOf, password) : '';
      return { problem: `${problem(found.groups ?? {})}${asked} (${asSsh(line)})`, isFinal };
    }
  }
  return { problem: `its SSH tunnel did not come up (${asSsh(lines[0] ?? how)})`, isFinal: false };
}

function askedFor(passphraseOf: string | null, password: boolean): string {
  if (passphraseOf !== null) return `; its key ${passphraseOf} has a passphrase, and none that fits is kept`;
  return password ? '; it asks for a password, and none that fits is kept' : '';
}

/** @param written since the last call. */
export function forwardFailure(written: string): string | null {
  const why = linesIn(written).findLast(line => line.includes('open failed: '));
  return why === undefined ? null : `the SSH server at the end of its tunnel can't reach it (${asSsh(why)})`;
}

/** Without lines about accepted keys, and without what would end a clause. */
function linesIn(written: string): string[] {
  return written
    .split('\n')
    .map(line => line.trim().slice(0, 300).replace(/[.]$/, ''))
    .filter(line => line !== '' && !line.startsWith('Warning: Permanently added'));
}

function asSsh(line: string): string {
  return line.startsWith('ssh: ') ? line : `ssh: ${line}`;
}
