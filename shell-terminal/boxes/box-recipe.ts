/**
 * What is in a box that `sallyport boxes run` starts, as words for bubblewrap: the system's
 * programs, the folders that were named, the box's socket, and a network of its own. Looks at how
 * this system lays out its folders; starts nothing.
 */

import { lstatSync, readlinkSync } from 'node:fs';
import type { Shown } from './shown-folders.ts';

/** The descriptors that bubblewrap gets besides the standard ones. */
export const descriptors = { filter: 3, resolver: 4, ready: 5, go: 6 } as const;

interface Recipe {
  /** The box's folder, with its socket. */
  readonly folder: string;
  readonly shown: readonly Shown[];
  readonly cwd: string;
  readonly userHome: string;
  readonly user: { readonly uid: number; readonly gid: number };
  /** True if bubblewrap runs in the namespace that a network was made for. */
  readonly isNetworked: boolean;
  readonly command: readonly string[];
}

/** Programs need these; no key, password or socket lies in them. */
const systemFiles = [
  ...['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'passwd', 'group', 'nsswitch.conf'],
  ...['hosts', 'protocols', 'services', 'mime.types', 'ssl/certs', 'ssl/openssl.cnf', 'pki/tls/certs'],
  ...['pki/ca-trust/extracted', 'ca-certificates'],
].map(name => `/etc/${name}`);

/** What stands beside /usr, as a link into it or as a folder. */
const besideUsr = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].map(name => `/${name}`);

export function boxWords({ folder, shown, cwd, userHome, user, isNetworked, command }: Recipe): string[] {
  return [
    ...['--unshare-all', ...(isNetworked ? ['--share-net'] : []), '--die-with-parent', '--cap-drop', 'ALL'],
    ...['--uid', `${user.uid}`, '--gid', `${user.gid}`, '--seccomp', `${descriptors.filter}`],
    ...['--ro-bind', '/usr', '/usr', ...besideUsr.flatMap(asHere)],
    ...systemFiles.flatMap(path => ['--ro-bind-try', path, path]),
    ...(isNetworked ? ['--ro-bind-data', `${descriptors.resolver}`, '/etc/resolv.conf'] : []),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', userHome],
    ...shown.flatMap(({ from, to, mayWrite }) => [mayWrite ? '--bind' : '--ro-bind', from, to]),
    ...['--ro-bind', folder, folder, '--chdir', cwd, '--', ...command],
  ];
}

/**
 * The whole environment of the box, and of bubblewrap: it stays readable inside as that of process
 * 1, so `--clearenv` would clear only what the command gets.
 * @param passed names of further variables.
 */
export function boxEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  userHome: string,
  { folder, socket, wire }: { readonly folder: string; readonly socket: string; readonly wire: string | null },
  passed: readonly string[],
): Record<string, string> {
  const given = ['TERM', 'COLORTERM', 'LANG', ...passed].flatMap(name => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: userHome,
    ...Object.fromEntries(given),
    SALLYPORT_SOCKET: socket,
    // libpq and PostgreSQL's drivers read it.
    ...(wire !== null && { PGHOST: folder }),
  };
}

function asHere(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
