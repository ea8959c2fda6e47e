/** A home of its own for the built `sallyport`, whose daemon and files are gone afterwards. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locationsIn } from '../../shared/locations.ts';
import { daemonsOf } from '../servers/daemons.ts';
import { beginUnattended } from '../unattended-home.mjs';
import { until } from '../waiting/until.ts';
import { type Ran, runHere, type Surroundings } from './in-process.ts';

export const executable = fileURLToPath(new URL('../../build/bin/sallyport', import.meta.url));

export type { Ran };

/** On stderr after whatever gives more access in a home where nothing is confirmed. */
export const nobodyConfirmed =
  'Nobody confirmed that: the owner passphrase is off, so any program that runs as you, your agents too, may allow itself anything.\n';

export interface Given {
  readonly stdin?: string | Buffer;
  readonly environment?: Record<string, string>;
  /** As {@link Surroundings} has it; for what is run here alone. */
  readonly typed?: Surroundings['typed'];
}

export interface RealHome {
  readonly folder: string;
  readonly home: string;
  /** Runs the built command to its end. */
  run(words: readonly string[], given?: Given): Promise<Ran>;
  /**
   * The same without a process of its own, some twenty times as fast: to bring something about or
   * to look, where that is not what is tested.
   */
  here(words: readonly string[], given?: Given): Promise<Ran>;
  /** Runs it here with --json and gives what it printed. @throws where it failed. */
  json<Value>(words: readonly string[], stdin?: string): Promise<Value>;
  /** Left running. */
  spawn(words: readonly string[], environment?: Record<string, string>): ChildProcess;
  /** Another program, in the environment and folder of the command; left running. */
  spawnProgram(program: string, words: readonly string[]): ChildProcess;
  /** Process ids of daemons of this home. */
  daemons(): number[];
  /** Ends its daemons, as `kill` does it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  clean(): Promise<void>;
}

/**
 * Nothing is confirmed in it (`sallyport init --unattended` makes such a home), unless it is an
 * owner's: then a passphrase is yet to be chosen there. @param pathBytes how long the home's path
 * is.
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
    PATH: '/usr/local/bin:/usr/bin:/bin',
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

  async function run(words: readonly string[], given: Given = {}): Promise<Ran> {
    const child = start(words, given.environment);
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
    for (const pid of daemons()) process.kill(pid, signal);
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
    spawnProgram: startProgram,
    daemons,
    end,
    async clean() {
      for (const child of children) child.kill('SIGKILL');
      await end('SIGKILL');
      // Of boxes that don't fit into the home.
      rmSync(locationsIn(home).sharedBoxes, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
