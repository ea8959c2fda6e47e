/**
 * Starts the daemon in the background (spec §2 Launch), for the bridge and for `sallyport start`.
 * Waits for nothing: whoever calls polls the handshake. Never reads the caller's environment, so
 * that a client's `env` block can't reach the daemon.
 */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, unlinkSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { isSea } from 'node:sea';
import { homeFolder, type LocationEnvironment } from './locations.ts';
import { noDebugger } from './no-debugger.ts';
import { folderProblem } from './private-files.ts';
import { lockHeldExitCode, readStartFailure } from './start-failure.ts';

interface LaunchOptions {
  /**
   * The real path of `sallyportd`; null where this install has none, then only the app or the
   * service unit can start it.
   */
  readonly daemonExecutable: string | null;
  /** As `homeToName` gives it: non-null means started directly, for a home of its own. */
  readonly namedHome: string | null;
}

export interface LaunchEnding {
  /** Without its final stop. */
  readonly sentence: string;
  /** False where it gave way to one that runs, or is about to. */
  readonly isFailure: boolean;
}

export type Launch =
  /** `ending` says how the started process ended so soon, or null while it runs. */
  | { readonly kind: 'started'; readonly ending: () => LaunchEnding | null }
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * Of glibc (mallopt(3)), which others don't read. Threads share two pools, not eight for each
 * processor; and a buffer of 32 KiB or more is mapped by itself, so that it goes back to the system
 * once it is free, not only once all above it is.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/** Spec §2. */
export const startLink = 'sallyport://integrations/start-mcp';
const starterTimeoutMilliseconds = 5_000;

/**
 * The home a launched daemon must be told of, or null when it finds the same one by itself. Not
 * only SALLYPORT_HOME: a client may give us a HOME that isn't the account's, and the daemon gets
 * the account's.
 */
export function homeToName(environment: LocationEnvironment): string | null {
  const home = homeFolder(environment);
  if (environment.SALLYPORT_HOME) return home;
  return home === homeFolder({ HOME: account().home }) ? null : home;
}

/**
 * What the running command was started by: its script, or itself where it is a single executable,
 * whose `argv[1]` is only what was typed.
 */
export function startedFile(): string {
  return isSea() ? process.execPath : (process.argv[1] ?? process.execPath);
}

export async function launchDaemon(options: LaunchOptions): Promise<Launch> {
  const environment = freshEnvironment(options.namedHome);
  if (options.namedHome === null) {
    const starter = starterCommand();
    const began = Date.now();
    // Someone else's child: what it leaves in its home is all that is heard of it.
    if (starter !== null && (await run(starter, environment))) return { kind: 'started', ending: failureSince(began) };
  }
  const { daemonExecutable } = options;
  if (daemonExecutable === null)
    return { kind: 'failed', problem: 'sallyportd is not where this install should have it' };
  return startDirectly(daemonExecutable, environment);
}

/** What a launched daemon sees of the world, and all of it (spec §2 Launch). */
export function freshEnvironment(namedHome: string | null): Record<string, string> {
  const { home, name, shell, uid } = account();
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
 * What a command of the user's sees, which the daemon runs for a password or a tunnel. Homebrew's
 * folder stands last: what the system has comes first.
 */
export function commandEnvironment(): Record<string, string> {
  const clean = freshEnvironment(null);
  return process.platform === 'darwin' ? { ...clean, PATH: `${clean.PATH}:/opt/homebrew/bin` } : clean;
}

/** What a shell says of a program that it didn't find (POSIX, Shell Command Language, 2.8.2). */
const notFound = 127;

/** How such a command ended, as the end of a sentence about it. */
export function commandEnding(code: number | null, signal: string | null, path: string | undefined): string {
  if (code === null) return `was ended by ${signal}`;
  if (code !== notFound) return `ended with exit code ${code}`;
  return `names a program that is not in ${path}: write the program's whole path`;
}

/**
 * The command that asks the system to start the daemon the way the user installed it, or null when
 * nothing is installed.
 */
function starterCommand(): readonly [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['/usr/bin/open', '-g', startLink];
  const unit = join(account().home, '.config', 'systemd', 'user', 'sallyport.service');
  return existsSync(unit) ? ['systemctl', '--user', 'start', 'sallyport'] : null;
}

/**
 * Whether the command ended well. One that failed (no app registered, no user manager) leaves the
 * direct way.
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

/** What starts the daemon, whatever PATH there is. @param executable as `daemonBeside` gives it. */
export function daemonCommand(executable: string): readonly [string, ...string[]] {
  return asksForAnyNode(executable) ? [process.execPath, noDebugger, executable] : [executable];
}

function startDirectly(executable: string, environment: Record<string, string>): Promise<Launch> {
  const [file, ...parameters] = daemonCommand(executable);
  const said = unnamedFile();
  const stdio: StdioOptions = ['ignore', 'ignore', said ?? 'ignore'];
  const env = { ...environment, ...allocatorSettings };
  const child = spawn(file, parameters, { env, detached: true, stdio, cwd: '/' });
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
 * Takes the daemon's last words. Not a pipe: the daemon outlives whoever started it, and would be
 * ended by its first word into a broken one. Null where there is no room for one; then nothing is
 * heard.
 */
function unnamedFile(): number | null {
  // Not os.tmpdir(), which a client's `env` block reaches.
  const path = `/tmp/sallyport-start-${randomUUID()}`;
  try {
    const descriptor = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return descriptor;
  } catch {
    return null;
  }
}

/**
 * The daemon says why it can't start in one sentence; anything longer is a broken program's and
 * helps nobody here.
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
 * A script that asks for any Node is run by the one that runs us: the fixed PATH may hold none or
 * another, and native modules fit only the one they were built for. Within a single executable
 * there is no such Node, and no such script beside it.
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

interface Account {
  readonly home: string;
  readonly name: string;
  readonly shell: string;
  readonly uid: number;
}

function account(): Account {
  try {
    const { homedir: home, username: name, shell, uid } = userInfo();
    return { home, name, shell: shell || '/bin/sh', uid };
  } catch {
    // A container's user without an entry in the account database has nothing but its environment.
    return { home: homedir(), name: 'unknown', shell: '/bin/sh', uid: process.getuid?.() ?? -1 };
  }
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
