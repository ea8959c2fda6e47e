/**
 * The boxes for agents that this machine supports, as docs/boxes.md makes them. Each runs a line of
 * sh with the box's folder in it.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BoxView } from '../../../shared/control-commands.ts';
import { missingPrograms } from '../../needs.ts';
import { executable } from '../../shell-terminal/real-home.ts';

export interface Ran {
  readonly code: number | null;
  readonly text: string;
}

export interface Kind {
  readonly what: string;
  /** Options for `boxes add`. */
  readonly options: readonly string[];
  /** True if programs inside may write into the folder. */
  readonly mayWrite: boolean;
  /** Its environment is what is given here, and a PATH. */
  command(
    box: BoxView,
    line: string,
    scratch: string,
    environment: Readonly<Record<string, string>>,
  ): readonly string[];
}

export const missingBoxes = missingPrograms(
  ['bwrap', 'slirp4netns', 'socat', 'unshare', 'setpriv', 'perl'],
  'SALLYPORT_TEST_INSTALL=1 make test installs them',
);

/**
 * As people start it.
 * @param words options of `boxes run`.
 */
const started = (what: string, words: readonly string[] = []): Kind => ({
  what,
  options: [],
  mayWrite: false,
  command: ({ name, folder }, line, _scratch, environment) => [
    ...['env', `SALLYPORT_HOME=${dirname(dirname(folder))}`, `HOME=${dirname(dirname(folder))}`],
    ...[executable, 'boxes', 'run', name, ...words],
    ...Object.keys(environment).flatMap(variable => ['--env', variable]),
    ...['--', 'sh', '-c', line],
  ],
});

const system = ['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'];
const nothingButGiven = (environment: Readonly<Record<string, string>>): readonly string[] => [
  ...['env', '-i', 'PATH=/usr/bin:/bin:/usr/sbin'],
  ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
];

/** A box that its owner made by hand, with more in the agent's favour. */
const bubblewrap = (what: string, inside: readonly string[], bind = '--ro-bind'): Kind => ({
  what,
  options: [],
  mayWrite: bind === '--bind',
  command: ({ folder }, line, _scratch, environment) => [
    ...[...nothingButGiven(environment), 'bwrap', '--unshare-all', '--die-with-parent', ...system],
    ...['--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...[bind, folder, folder, ...inside, 'sh', '-c', line],
  ],
});

/** A root file system as an image has it: the system's programs, and the folder. */
const makeRoot = `mount -t tmpfs tmpfs "$ROOT" && mkdir -p "$ROOT/usr" "$ROOT/proc" "$ROOT/tmp" "$ROOT/dev" "$ROOT$FOLDER"
mount --rbind /usr "$ROOT/usr" && : >"$ROOT/dev/null" && mount --bind /dev/null "$ROOT/dev/null"
for each in bin lib lib64; do ln -s "usr/$each" "$ROOT/$each"; done
mount --bind "$FOLDER" "$ROOT$FOLDER" && mount -t proc proc "$ROOT/proc"
mkdir "$ROOT/old" && cd "$ROOT" && pivot_root . old && cd / && umount -l /old && exec `;
const namespaces = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--ipc',
  '--uts',
  '--net',
];

const userNamespace = (what: string, asWhom: string): Kind => ({
  what,
  options: [],
  mayWrite: true,
  command: ({ folder }, line, scratch, environment) => [
    ...[...nothingButGiven(environment), `ROOT=${scratch}`, `FOLDER=${folder}`, ...namespaces],
    ...['sh', '-c', `${makeRoot}${asWhom} sh -c "$1"`, 'sh', line],
  ],
});

export const kinds: readonly Kind[] = [
  started('`sallyport boxes run`'),
  started('`sallyport boxes run --network`', ['--network']),
  bubblewrap('bubblewrap, as root inside', ['--uid', '0', '--gid', '0', '--cap-add', 'ALL']),
  bubblewrap('bubblewrap, the folder writable', ['--uid', '0', '--gid', '0'], '--bind'),
  userNamespace('a user namespace as Podman makes it, as root inside', ''),
  userNamespace('a user namespace as Podman makes it, not as root inside', 'unshare --user --map-user=1000'),
];

/** For the token of a box: it shares the network, as Docker Desktop's virtual machine does. */
export const onOurNetwork = bubblewrap('bubblewrap on our network', ['--share-net'], '--bind');

/** A user without files, in the group that the box is for. */
export const otherUser: Kind = {
  what: 'another Unix user',
  options: ['--group', '1'],
  mayWrite: false,
  command: (_, line, _scratch, environment) => [
    ...nothingButGiven(environment),
    ...[
      'unshare',
      '--net',
      'setpriv',
      '--reuid=65534',
      '--regid=65534',
      '--groups=1',
      '--inh-caps=-all',
      '--no-new-privs',
      'sh',
      '-c',
      line,
    ],
  ],
};

/** In the environment of the program that starts the box. */
const secretOfOwner = { OWNERS_KEY: 'secret-of-the-owner' };

export async function runIn(
  { command }: Pick<Kind, 'command'>,
  box: BoxView,
  line: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const scratch = mkdtempSync('/tmp/sallyport-box-root-');
  const [program = '', ...words] = command(box, line, scratch, environment);
  const env = { PATH: '/usr/bin:/bin:/usr/sbin', ...environment, ...secretOfOwner };
  const child = spawn(program, words, { env, cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', piece => {
      text += piece;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  rmSync(scratch, { recursive: true, force: true });
  return { code, text };
}

export const outside: Pick<Kind, 'command'> = { command: (_, line) => ['sh', '-c', line] };
