/**
 * Starts a command in a box by bubblewrap, with a network of its own by slirp4netns if it wants
 * one, and waits for its end. What is in the box is up to box-recipe.ts.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { failed } from '../cli-error.ts';
import { lastLine, namespaceObstacle, networkObstacle } from './box-obstacles.ts';
import { descriptors } from './box-recipe.ts';

export interface BoxRun {
  /** For bubblewrap. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly filter: Buffer;
  readonly isNetworked: boolean;
}

/** By path, as a PATH may lead to anybody's program. The last is NixOS's. */
const places = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
const closeOnExec = 0o2_000_000;
/** slirp4netns answers names there. */
const resolver = 'nameserver 10.0.2.3\n';
const passedOn = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Waits for the network, then becomes bubblewrap. */
const waitForNetwork = `echo >&${descriptors.ready}; read -r go <&${descriptors.go} || exit 1
exec ${descriptors.ready}>&- ${descriptors.go}<&-; exec "$@"`;

/**
 * @returns the command's exit code, or 128 and the number of the signal that ended it.
 * @throws CliError with a sentence if a program is missing, or the system allows no such box.
 */
export async function runInBox({ words, environment, filter, isNetworked }: BoxRun): Promise<number> {
  const bubblewrap = programOf('bwrap', 'bubblewrap');
  refuse(namespaceObstacle(bubblewrap));
  closeInherited();
  if (!isNetworked) return boxed(bubblewrap, words, environment, filter, []).ended;
  const network = programOf('slirp4netns', 'slirp4netns');
  refuse(networkObstacle());
  // Its namespace is bubblewrap's parent: in bubblewrap's own nobody may make a network.
  const namespace = ['--user', '--map-root-user', '--net', '--', '/bin/sh', '-c', waitForNetwork, 'sh'];
  const outer = programOf('unshare', 'util-linux');
  const inner = [...namespace, bubblewrap, ...words];
  const { child, ended } = boxed(outer, inner, environment, filter, ['pipe', 'pipe', 'pipe']);
  pipeTo(child, descriptors.resolver).end(resolver);
  if ((await Promise.race([heard(child, descriptors.ready), ended])) !== 'heard') return ended;
  // Nothing of this machine's loopback is in reach by it.
  const options = ['--configure', '--mtu=65520', '--disable-host-loopback', '--enable-sandbox', '--enable-seccomp'];
  const ends = ['--ready-fd=3', '--exit-fd=4', `--userns-path=/proc/${child.pid}/ns/user`];
  const net = spawn(network, [...options, ...ends, `${child.pid}`, 'tap0'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: environment.PATH },
  });
  let said = '';
  net.stderr?.setEncoding('utf8').on('data', piece => {
    said = `${said}${piece}`.slice(-1_000);
  });
  const over = new Promise<'over'>(resolve => net.once('close', () => resolve('over')).once('error', () => {}));
  if ((await Promise.race([heard(net, 3), over, ended])) !== 'heard') {
    child.kill('SIGKILL');
    throw failed(
      `The network of the box could not be made (slirp4netns: ${lastLine(said)}); mend that, or leave out --network.`,
    );
  }
  pipeTo(child, descriptors.go).end('\n');
  return ended.finally(() => pipeTo(net, 4).destroy());
}

function boxed(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  filter: Buffer,
  more: readonly 'pipe'[],
): { readonly child: ChildProcess; readonly ended: Promise<number> } {
  const child = spawn(program, words, { stdio: ['inherit', 'inherit', 'inherit', 'pipe', ...more], env });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  // A terminal sends its own to both of us.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  for (const signal of passedOn) process.on(signal, passOn);
  for (const end of child.stdio.slice(descriptors.filter)) end?.on('error', () => {});
  pipeTo(child, descriptors.filter).end(filter);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', ({ message }) => reject(failed(`The box could not be started (${message}).`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  }).finally(() => {
    process.off('SIGINT', ignore);
    for (const signal of passedOn) process.off(signal, passOn);
  });
  return { child, ended };
}

function heard(child: ChildProcess, descriptor: number): Promise<'heard'> {
  return new Promise(resolve => pipeTo(child, descriptor).once('data', () => resolve('heard')));
}

/** Node's types know five. */
function pipeTo({ stdio }: ChildProcess, descriptor: number): Duplex {
  return (stdio as readonly unknown[])[descriptor] as Duplex;
}

/** @throws CliError */
function refuse(obstacle: string | null): void {
  if (obstacle !== null) throw failed(obstacle);
}

function programOf(name: string, debianPackage: string): string {
  const found = places.map(folder => `${folder}/${name}`).find(path => existsSync(path));
  if (found !== undefined) return found;
  throw failed(
    `${name} is not installed; on Debian and Ubuntu, \`sudo apt install ${debianPackage}\` installs it.`,
    'program_missing',
  );
}

/**
 * What a shell left open here must not be open in the box. Node marks its own files, and passes on
 * all others.
 */
function closeInherited(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name);
    if (descriptor <= 2 || isClosedOnExec(descriptor)) continue;
    closeSync(descriptor);
  }
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\t(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '';
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    // The listing's own.
    return true;
  }
}
