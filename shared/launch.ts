/**
 * Starts the daemon in the background (spec §2 Launch), for the bridge and for `sallyport start`.
 * It doesn't wait until the daemon answers: the caller polls the handshake. The daemon gets a fixed
 * environment, so a client's `env` block can't reach it.
 */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { account } from './account.ts';
import { lastingPath } from './install.ts';
import { homeFolder, type LocationEnvironment } from './locations.ts';
import { noDebugger } from './no-debugger.ts';
import { folderProblem } from './private-files.ts';
import { lockHeldExitCode, readStartFailure } from './start-failure.ts';

interface LaunchOptions {
  /**
   * The real path of `sallyportd`. If this install has none it is null, and only the app or the
   * service unit can start the daemon.
   */
  readonly daemonExecutable: string | null;
  /** As `homeToName` gives it. Unless it is null, the daemon is started directly, for that home. */
  readonly namedHome: string | null;
}

/** How a started process ended. */
export interface LaunchEnding {
  /** Without its full stop. */
  readonly sentence: string;
  /** False if it gave way to a daemon that runs or is starting. */
  readonly isFailure: boolean;
}

export type Launch =
  /** `ending` tells how the started process ended so soon, or null while it runs. */
  | { readonly kind: 'started'; readonly ending: () => LaunchEnding | null }
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * Settings for glibc's allocator (mallopt(3)); other libraries ignore them. Threads share two pools
 * instead of eight per processor. A buffer of 32 KiB or more is mapped separately, so it goes back
 * to the system as soon as it is free.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/** The link that has Sallyport.app start the daemon (spec §2). */
export const startLink = 'sallyport://integrations/start-mcp';
const starterTimeoutMilliseconds = 5_000;

/**
 * The home that a launched daemon must be told, or null if it finds the same one by itself. It is
 * not enough to look at SALLYPORT_HOME: a client may set HOME to another folder than the account's,
 * and the daemon gets the account's.
 */
export function homeToName(environment: LocationEnvironment): string | null {
  const home = homeFolder(environment);
  if (environment.SALLYPORT_HOME) return home;
  return home === homeFolder({ HOME: account().home }) ? null : home;
}

/** Has the system start the daemon if the user installed it so, otherwise starts it directly. */
export async function launchDaemon(options: LaunchOptions): Promise<Launch> {
  const environment = freshEnvironment(options.namedHome);
  if (options.namedHome === null) {
    const starter = starterCommand();
    const began = Date.now();
    // The daemon is another process's child, so only files in its home tell of it.
    if (starter !== null && (await run(starter, environment))) return { kind: 'started', ending: failureSince(began) };
  }
  const { daemonExecutable } = options;
  if (daemonExecutable === null) return { kind: 'failed', problem: 'sallyportd is missing from this install' };
  return startDirectly(daemonExecutable, daemonEnvironment(options.namedHome));
}

/** The complete environment of a daemon that a command of ours starts (spec §2 Launch). */
export function daemonEnvironment(namedHome: string | null): Record<string, string> {
  return { ...freshEnvironment(namedHome), ...allocatorSettings };
}

/** The same for programs that the daemon starts. @param namedHome null for the usual home. */
export function freshEnvironment(namedHome: string | null): Record<string, string> {
  const { home, name: known, shell, uid } = account();
  const name = known ?? 'unknown';
  const environment: Record<string, string> = {
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: shell,
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
    LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    TZ: systemTimeZone(),
  };
  const runtime = `/run/user/${uid}`;
  if (folderProblem(runtime) === null) {
    environment.XDG_RUNTIME_DIR = runtime;
    if (isOwnSocket(`${runtime}/bus`, uid)) environment.DBUS_SESSION_BUS_ADDRESS = `unix:path=${runtime}/bus`;
  }
  if (namedHome !== null) environment.SALLYPORT_HOME = namedHome;
  return environment;
}

/**
 * The environment of a user's command that gives the daemon a password or a tunnel. Homebrew's
 * folder comes last, so the system's programs come first.
 */
export function commandEnvironment(): Record<string, string> {
  const clean = freshEnvironment(null);
  return process.platform === 'darwin' ? { ...clean, PATH: `${clean.PATH}:/opt/homebrew/bin` } : clean;
}

/** A shell's exit code for a program it didn't find (POSIX, Shell Command Language, 2.8.2). */
const notFound = 127;

/** How a user's command ended, as the end of a sentence about it. */
export function commandEnding(code: number | null, signal: string | null, path: string | undefined): string {
  if (code === null) return `was ended by ${signal}`;
  if (code !== notFound) return `ended with exit code ${code}`;
  return `names a program that is not in ${path}: write the program's whole path`;
}

/**
 * The command that has the system start the daemon in the way the user installed it; null if
 * nothing is installed.
 */
function starterCommand(): readonly [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['/usr/bin/open', '-g', startLink];
  const units = join(account().home, '.config', 'systemd', 'user');
  // A package's unit, once it is enabled, is only linked.
  const places = ['sallyport.service', 'default.target.wants/sallyport.service'].map(place => join(units, place));
  return places.some(place => existsSync(place)) ? ['systemctl', '--user', 'start', 'sallyport'] : null;
}

/**
 * Runs a starter. @returns true if it ended well. If it failed (no app registered, no user
 * manager), the daemon is started directly.
 */
function run(command: readonly [string, ...string[]], environment: Record<string, string>): Promise<boolean> {
  const [file, ...parameters] = command;
  return new Promise(resolve => {
    const child = spawn(file, parameters, {
      env: environment,
      stdio: 'ignore',
      cwd: '/',
      timeout: starterTimeoutMilliseconds,
    });
    child.once('error', () => resolve(false));
    child.once('exit', code => resolve(code === 0));
  });
}

/**
 * The command line that starts the daemon, independent of PATH.
 * @param executable as `daemonBeside` gives it.
 */
export function daemonCommand(executable: string): readonly [string, ...string[]] {
  return asksForAnyNode(executable) ? [lastingPath(process.execPath), noDebugger, executable] : [executable];
}

function startDirectly(executable: string, environment: Record<string, string>): Promise<Launch> {
  const [file, ...parameters] = daemonCommand(executable);
  const said = unnamedFile();
  const stdio: StdioOptions = ['ignore', 'ignore', said ?? 'ignore'];
  const child = spawn(file, parameters, { env: environment, detached: true, stdio, cwd: '/' });
  child.unref();
  return new Promise(resolve => {
    child.once('error', error =>
      resolve({ kind: 'failed', problem: `${executable} could not be started (${error.message})` }),
    );
    child.once('spawn', () => resolve({ kind: 'started', ending: endingOf(child, said) }));
  });
}

function failureSince(began: number): () => LaunchEnding | null {
  const home = homeFolder({ HOME: account().home });
  return () => {
    const failure = readStartFailure(home);
    return failure === null || failure.at < began ? null : { sentence: failure.sentence, isFailure: true };
  };
}

function endingOf(child: ChildProcess, said: number | null): () => LaunchEnding | null {
  let ending: LaunchEnding | null = null;
  child.once('exit', (code, signal) => {
    const isFailure = code !== 0 && code !== lockHeldExitCode;
    const how = signal === null ? `sallyportd ended with exit code ${code}` : `sallyportd was ended by ${signal}`;
    ending = { sentence: (code === 0 ? null : sentenceIn(said)) ?? how, isFailure };
  });
  return () => ending;
}

/**
 * A file without a name, for what the daemon says if it can't start. It is no pipe: the daemon
 * outlives its starter, and its first word into a broken pipe would end it. Null if no file can be
 * made; then nothing is heard.
 */
function unnamedFile(): number | null {
  // Not os.tmpdir(), which a client's `env` block can change. A container with a read-only root has
  // the second one alone.
  for (const folder of ['/tmp', '/dev/shm']) {
    const path = `${folder}/sallyport-start-${randomUUID()}`;
    try {
      const descriptor = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return descriptor;
    } catch {
      // The next one.
    }
  }
  return null;
}

/**
 * The sentence in which the daemon says why it can't start. A longer text comes from a broken
 * program and helps nobody here, so it gives null.
 */
function sentenceIn(said: number | null): string | null {
  if (said === null) return null;
  const bytes = Buffer.alloc(1024);
  const length = readSync(said, bytes, 0, bytes.length, 0);
  const [, sentence = null] =
    /^(?:sallyportd could not start: )?([^\n]+?)\.?\n$/.exec(bytes.toString('utf8', 0, length)) ?? [];
  return sentence;
}

/**
 * True for a script that asks for any Node in PATH. The Node that runs now is used instead: the
 * fixed PATH may have none or another, and native modules fit only the Node that they were built
 * for. A single executable contains its Node, and has no such script beside it.
 */
function asksForAnyNode(executable: string): boolean {
  if (!/^node/.test(basename(process.execPath))) return false;
  const start = Buffer.alloc(128);
  try {
    const descriptor = openSync(executable, 'r');
    readSync(descriptor, start);
    closeSync(descriptor);
  } catch {
    return false;
  }
  return /^#!\S*\/env\s+(-S\s+)?node\b/.test(start.toString('latin1'));
}

function isOwnSocket(path: string, uid: number): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isSocket() && stats.uid === uid;
  } catch {
    return false;
  }
}

function systemTimeZone(): string {
  try {
    const [, zone] = realpathSync('/etc/localtime').split('/zoneinfo/');
    return zone ?? 'UTC';
  } catch {
    return 'UTC';
  }
}
