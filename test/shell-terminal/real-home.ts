/** A home of its own for the built `sallyport`; its daemon and files are removed afterwards. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptName } from '../../shared/runtime-folder.ts';
import { daemonsOf, signalEach } from '../servers/daemons.ts';
import { beginUnattended } from '../unattended-home.mjs';
import { until } from '../waiting/until.ts';
import { type Ran, runHere, type Surroundings } from './in-process.ts';

export const executable = fileURLToPath(new URL('../../build/bin/sallyport', import.meta.url));

export const daemonExecutable = fileURLToPath(new URL('../../build/bin/sallyportd', import.meta.url));

export type { Ran };

/**
 * On stderr after each command that gives more access in a home where nothing needs confirmation.
 */
export const nobodyConfirmed =
  'Nobody confirmed that: the owner passphrase is off, so any program that runs as you, your agents too, can grant itself any access.\n';

export interface Given {
  readonly stdin?: string | Buffer;
  readonly environment?: Record<string, string>;
  /** As in {@link Surroundings}; only for commands in this process. */
  readonly typed?: Surroundings['typed'];
}

export interface RealHome {
  readonly folder: string;
  readonly home: string;
  /** Runs the built command to its end. */
  run(words: readonly string[], given?: Given): Promise<Ran>;
  /**
   * Runs it in this process, some twenty times as fast, to set something up or to look when the
   * command itself isn't tested.
   */
  here(words: readonly string[], given?: Given): Promise<Ran>;
  /**
   * Runs it in this process with --json and returns the parsed output.
   * @throws if it failed.
   */
  json<Value>(words: readonly string[], stdin?: string): Promise<Value>;
  /** Starts the command and leaves it running. */
  spawn(words: readonly string[], environment?: Record<string, string>): ChildProcess;
  /** Starts the daemon by hand, so it keeps the given environment; leaves it running. */
  spawnDaemon(environment?: Record<string, string>): ChildProcess;
  /** Runs it so to its end. */
  runDaemon(environment: Record<string, string>): Promise<Ran>;
  /** Starts another program in the command's environment and folder, and leaves it running. */
  spawnProgram(program: string, words: readonly string[]): ChildProcess;
  /** Process ids of this home's daemons. */
  daemons(): number[];
  /** Ends its daemons, as `kill` does. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  clean(): Promise<void>;
}

/**
 * Nothing needs confirmation in it (`sallyport init --unattended` makes such a home), unless it is
 * an owner's: then no passphrase is set yet.
 * @param pathBytes length of the home's path.
 */
export function realHome(pathBytes = 0, whose: 'nobody' | 'owner' = 'nobody'): RealHome {
  const folder = mkdtempSync('/tmp/sallyport-terminal-test-');
  const missing = pathBytes - Buffer.byteLength(folder) - 1;
  const home = missing > 0 ? join(folder, 'h'.repeat(missing)) : join(folder, 'home');
  const work = join(folder, 'work');
  mkdirSync(work);
  if (whose === 'nobody') beginUnattended(home);
  const children = new Set<ChildProcess>();
  const environmentWith = (more: Record<string, string>) => ({
    // An installed Sallyport is another one.
    PATH: `${dirname(executable)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    TZ: 'UTC',
    SALLYPORT_HOME: home,
    ...more,
  });

  function start(words: readonly string[], environment: Record<string, string> = {}): ChildProcess {
    return startProgram(executable, words, environment);
  }

  function startProgram(
    program: string,
    words: readonly string[],
    environment: Record<string, string> = {},
  ): ChildProcess {
    const child = spawn(program, words, { cwd: work, env: environmentWith(environment) });
    children.add(child);
    child.once('close', () => children.delete(child));
    return child;
  }

  const here = (words: readonly string[], { environment = {}, stdin = '', typed }: Given = {}): Promise<Ran> =>
    runHere(words, { environment: environmentWith(environment), cwd: work, stdin, ...(typed && { typed }) });

  const run = (words: readonly string[], given: Given = {}): Promise<Ran> =>
    toItsEnd(start(words, given.environment), given);
  const spawnDaemon = (environment: Record<string, string> = {}) => startProgram(daemonExecutable, [], environment);

  async function toItsEnd(child: ChildProcess, given: Given = {}): Promise<Ran> {
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', chunk => {
      stdout += chunk;
    });
    child.stderr?.on('data', chunk => {
      stderr += chunk;
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(given.stdin ?? '');
    const code = await new Promise<number | null>(resolve => child.once('close', resolve));
    return { code, stdout, stderr };
  }

  const daemons = daemonsOf(home);

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    signalEach(daemons(), signal);
    await until(() => daemons().length === 0, `${signal} has ended the daemon`);
  }

  return {
    folder,
    home,
    run,
    here,
    async json(words, stdin) {
      const ran = await here([...words, '--json'], { stdin: stdin ?? '' });
      if (ran.code !== 0) throw new Error(`${words.join(' ')}: ${ran.code} ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    spawn: start,
    spawnDaemon,
    runDaemon: environment => toItsEnd(spawnDaemon(environment)),
    spawnProgram: startProgram,
    daemons,
    end,
    async clean() {
      for (const child of children) child.kill('SIGKILL');
      await end('SIGKILL');
      // Folders of boxes whose path is too long for the home.
      const boxes = keptName(home, 'boxes-folder');
      if (boxes !== null) rmSync(boxes, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
