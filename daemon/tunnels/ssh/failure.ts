/**
 * Words why an SSH tunnel didn't come up, or what it could not reach: at which hop, with ssh's own
 * first line.
 */

import type { HostKeyView } from '../../../shared/control-commands.ts';
import type { DialProblem } from '../../../shared/dial-problems.ts';
import { DialError } from '../../engines/dial-error.ts';
import { TunnelFailed } from '../tunnel.ts';

/** What was asked and not answered. */
export interface UnansweredPrompts {
  readonly hostKey: HostKeyView | null;
  readonly passphraseOf: string | null;
  readonly password: boolean;
}

interface Known {
  readonly words: RegExp;
  /** @param groups of `words`. */
  readonly why: (groups: Readonly<Record<string, string>>) => string;
  /** Null if the network or the machine may be at fault: the next call tries again. */
  readonly problem: DialProblem | null;
}

/** Each matches one line. */
const known: readonly Known[] = [
  {
    words: /^Host key for (?<host>\S{1,300}) has changed/,
    why: ({ host }) => `the SSH host key of ${host} is another one than it was, so nothing was sent there`,
    problem: 'ssh_host_key_changed',
  },
  {
    words: /\bagent refused operation$/,
    why: () => 'the SSH agent refused the use of a key',
    problem: 'ssh_agent_refused',
  },
  {
    words: /^(?<host>\S{1,300}): Permission denied \((?<ways>[^)]{1,200})\)/,
    why: ({ host, ways }) => `SSH could not sign in at ${host}, which takes ${ways}`,
    problem: 'ssh_sign_in_refused',
  },
  {
    words: /Too many authentication failures/,
    why: () => 'the SSH server took none of the many keys that were offered to it',
    problem: 'ssh_too_many_keys',
  },
  {
    words: /^ssh: Could not resolve hostname (?<host>[^:]{1,300}):/,
    why: ({ host }) => `the SSH host ${host} is unknown`,
    problem: null,
  },
  {
    words: /^ssh: connect to host (?<host>\S{1,300}) port (?<port>\d{1,5}): /,
    why: ({ host, port }) => `the SSH server ${host}:${port} can't be reached`,
    problem: null,
  },
  { words: /\bssh: (?:command )?not found$/, why: () => 'this machine has no ssh', problem: null },
  { words: /open failed: /, why: () => "an SSH hop can't reach the next one", problem: null },
  {
    words: /timed out during banner exchange|^Connection to \S{1,300} port \d{1,5} timed out/,
    why: () => 'an SSH hop did not answer in time',
    problem: null,
  },
  {
    words: /Bad configuration option|^Bad owner or permissions on /,
    why: () => "ssh can't read its configuration",
    problem: null,
  },
  {
    words: /^Could not request local forwarding/,
    why: () => 'ssh could not open a forward; another one that ~/.ssh/config asks for may be open already',
    problem: null,
  },
];

/**
 * What ssh says of a key that it can't use, before the server refuses the sign-in: the connection's
 * own, or one that ~/.ssh/config names.
 */
const unusable: readonly Known[] = [
  {
    words:
      /^(?:Warning: Identity file (?<warned>.{1,300}) not accessible|no such identity: (?<file>.{1,300})): No such file/,
    why: () => 'does not exist',
    problem: 'ssh_sign_in_refused',
  },
  {
    words: /^Load key "(?<file>[^"]{1,300}\.pub)": /i,
    why: () => 'is a public key, and no SSH agent holds the private one that belongs to it',
    problem: 'ssh_sign_in_refused',
  },
  {
    words: /^Load key "(?<file>[^"]{1,300})": bad permissions$/,
    why: () => "may be read by others, so ssh doesn't use it",
    problem: 'client_key_open_to_others',
  },
  {
    words: /^Load key "(?<file>[^"]{1,300}\.ppk)": /i,
    why: () => "is PuTTY's; `puttygen FILE -O private-openssh -o NEW` makes one that ssh reads",
    problem: 'ssh_sign_in_refused',
  },
  {
    words: /^Load key "(?<file>[^"]{1,300})": (?<said>error in libcrypto|invalid format)$/,
    why: ({ said }) =>
      `can't be read (${said}): it is no private key, or its line ends are gone or of Windows; ssh wants one at its end too`,
    problem: 'ssh_sign_in_refused',
  },
  {
    words: /^Load key "(?<file>[^"]{1,300})": (?<said>[\w ]+)$/,
    why: ({ said }) => `can't be read (${said})`,
    problem: 'ssh_sign_in_refused',
  },
];

/**
 * @param written everything that ssh wrote.
 * @param keyFile that the connection names, or null.
 */
export function startFailure(
  written: string,
  unanswered: UnansweredPrompts,
  how: string,
  keyFile: string | null,
): TunnelFailed {
  const { hostKey } = unanswered;
  if (hostKey !== null) {
    const { host, type, fingerprint } = hostKey;
    const why = `nobody has confirmed the SSH host key of ${host} yet (${type} ${fingerprint})`;
    return new TunnelFailed(why, true, 'ssh_host_key_unknown');
  }
  const lines = linesIn(written);
  const isRefused = lines.some(line => line.includes('Permission denied ('));
  const bad = isRefused ? unusableKeysIn(lines).find(({ file }) => keyFile === null || file === keyFile) : undefined;
  if (bad !== undefined && keyFile !== null)
    return new TunnelFailed(`its SSH key ${keyFile} ${bad.why}`, true, bad.problem);
  for (const { words, why, problem } of known) {
    for (const line of lines) {
      const found = words.exec(line);
      if (found === null) continue;
      const asked = problem === null ? null : askedFor(unanswered);
      const ofKey = bad === undefined || problem !== 'ssh_sign_in_refused' ? '' : `; the key ${bad.file} ${bad.why}`;
      const told = `${why(found.groups ?? {})}${asked?.why ?? ofKey} (${asSsh(line)})`;
      // Nobody is asked for a secret for a server that isn't the one it was.
      const first = problem === 'ssh_host_key_changed' ? problem : (asked?.problem ?? problem);
      return new TunnelFailed(told, problem !== null, first);
    }
  }
  return new TunnelFailed(`its SSH tunnel did not come up (${asSsh(lines[0] ?? how)})`, false);
}

interface UnusableKey {
  readonly file: string;
  /** The end of a sentence about it. */
  readonly why: string;
  readonly problem: DialProblem | null;
}

function unusableKeysIn(lines: readonly string[]): UnusableKey[] {
  return lines.flatMap(line => {
    const { words, why, problem } = unusable.find(each => each.words.test(line)) ?? {};
    const groups = words?.exec(line)?.groups;
    if (groups === undefined || why === undefined || problem === undefined) return [];
    return [{ file: groups.file ?? groups.warned ?? '', why: why(groups), problem }];
  });
}

/** @param written by `ssh -G`, with its debug lines. */
export function configurationFailure(written: string, isLate: boolean): TunnelFailed {
  if (isLate) return new TunnelFailed('ssh did not read its configuration in time', false);
  const lines = linesIn(written).filter(line => !line.startsWith('debug') && !/^OpenSSH_|^Pseudo-terminal/.test(line));
  if (lines.length === 0) return new TunnelFailed('this machine has no ssh that reads its configuration', false);
  return startFailure(lines.join('\n'), { hostKey: null, passphraseOf: null, password: false }, '', null);
}

/** What ~/.ssh/config says now may be another program's. */
export function configurationChanged(hop: string): TunnelFailed {
  const why = `what ~/.ssh/config says of the way to ${hop} is not what it was when the connection was saved, so another program may have written there`;
  return new TunnelFailed(why, true, 'ssh_configuration_changed');
}

function askedFor({ passphraseOf, password }: UnansweredPrompts): { why: string; problem: DialProblem } | null {
  if (passphraseOf !== null)
    return {
      why: `; its key ${passphraseOf} has a passphrase, and none that fits is kept`,
      problem: 'ssh_key_passphrase',
    };
  return password ? { why: '; it asks for a password, and none that fits is kept', problem: 'ssh_password' } : null;
}

/** @param written since the last call. */
export function forwardFailure(written: string): DialError | null {
  const why = linesIn(written).findLast(line => line.includes('open failed: '));
  if (why === undefined) return null;
  return new DialError(`the SSH server at the end of its tunnel can't reach it (${asSsh(why)})`);
}

/**
 * The lines that ssh wrote, except about accepted keys, and without the full stop at their ends.
 */
function linesIn(written: string): string[] {
  return written
    .split('\n')
    .map(line => line.trim().slice(0, 300).replace(/[.]$/, ''))
    .filter(line => line !== '' && !line.startsWith('Warning: Permanently added'));
}

function asSsh(line: string): string {
  return line.startsWith('ssh: ') ? line : `ssh: ${line}`;
}
