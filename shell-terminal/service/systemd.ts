/**
 * The daemon as a systemd user unit (spec §16): writes the unit, enables it for every login, and
 * tells the user manager. Makes the link of `systemctl --user enable` itself, so that it works
 * without a running manager too.
 */

import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { systemdUnit, unitMark, unitName } from './systemd-unit.ts';
import { putFile, takeAway, textIn } from './written-file.ts';

type Installed =
  /** A unit of that name that isn't ours. */
  | { readonly kind: 'foreign'; readonly unit: string }
  /** It runs from the next login. */
  | { readonly kind: 'written'; readonly unit: string; readonly problem: string }
  /** The manager was told to start it; another daemon may still have the home. */
  | { readonly kind: 'started'; readonly unit: string; readonly pid: () => Promise<number | null> };

const timeout = 30_000;

/** @param command as `daemonCommand` gives it. */
export async function installUnit(terminal: Terminal, command: readonly string[]): Promise<Installed> {
  const { unit, wanted } = placesIn(terminal);
  const there = textIn(unit);
  if (there !== null && !there.startsWith(unitMark)) return { kind: 'foreign', unit };
  const isChanged = putFile(unit, systemdUnit(command));
  if (lstatSync(wanted, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(dirname(wanted), { recursive: true });
    symlinkSync(`../${unitName}`, wanted);
  }
  const problem = await systemctl(terminal, 'daemon-reload');
  if (problem !== null) return { kind: 'written', unit, problem };
  const isActive = (await systemctl(terminal, 'is-active', '--quiet', unitName)) === null;
  const failure = await systemctl(terminal, isActive && isChanged ? 'restart' : 'start', unitName);
  if (failure !== null) return { kind: 'written', unit, problem: failure };
  return { kind: 'started', unit, pid: () => mainPid(terminal) };
}

/** @returns the unit's file; null if there was none, or it wasn't ours. */
export async function uninstallUnit(terminal: Terminal): Promise<string | null> {
  const { configFolder, unit, wanted } = placesIn(terminal);
  if (textIn(unit)?.startsWith(unitMark) !== true) return null;
  await systemctl(terminal, 'stop', unitName);
  takeAway(wanted, configFolder);
  takeAway(unit, configFolder);
  await systemctl(terminal, 'daemon-reload');
  // Otherwise a failed unit stays listed for ever.
  await systemctl(terminal, 'reset-failed', unitName);
  return unit;
}

/** The unit's path, whether it exists or not. */
export function unitFile(terminal: Terminal): string {
  return placesIn(terminal).unit;
}

/**
 * The manager's own folder, whatever this terminal's XDG_CONFIG_HOME says; a launch looks there
 * too.
 */
function placesIn({ userHome }: Terminal) {
  const configFolder = join(userHome, '.config');
  const units = join(configFolder, 'systemd', 'user');
  return {
    configFolder,
    unit: join(units, unitName),
    wanted: join(units, 'default.target.wants', unitName),
  };
}

async function mainPid(terminal: Terminal): Promise<number | null> {
  const { stdout } = await run(terminal, ['show', '--property=MainPID', '--value', unitName]);
  return Number(stdout.trim()) || null;
}

/** Why systemctl failed, in its words on one line; null if it succeeded. */
async function systemctl(terminal: Terminal, ...words: readonly string[]): Promise<string | null> {
  const { problem } = await run(terminal, words);
  return problem;
}

function run({ environment }: Terminal, words: readonly string[]): ReturnType<typeof runProgram> {
  const runtime = `/run/user/${process.getuid?.()}`;
  // Not set after `su`, or in a job.
  const more = existsSync(runtime) ? { XDG_RUNTIME_DIR: runtime } : {};
  return runProgram('systemctl', ['--user', ...words], {
    env: { ...more, ...(environment as NodeJS.ProcessEnv) },
    timeout,
  });
}
