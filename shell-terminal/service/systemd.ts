/**
 * The daemon as a systemd user unit (spec §16): the unit, its being wanted at every login, and what
 * the user manager is told. The link that `systemctl --user enable` would make is made here, so
 * that it is there too where no manager runs.
 */

import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ran } from '../ran.ts';
import type { Terminal } from '../terminal.ts';
import { systemdUnit, unitMark, unitName } from './systemd-unit.ts';
import { putFile, takeAway, textIn } from './written-file.ts';

type Installed =
  /** Somebody else's unit of that name. */
  | { readonly kind: 'foreign'; readonly unit: string }
  /** Nobody runs it before the next login. */
  | { readonly kind: 'written'; readonly unit: string; readonly problem: string }
  /** The manager was told to start it; another daemon may have the home all the same. */
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

/** @returns the unit's file; null where there was none, or somebody else's. */
export async function uninstallUnit(terminal: Terminal): Promise<string | null> {
  const { configFolder, unit, wanted } = placesIn(terminal);
  if (textIn(unit)?.startsWith(unitMark) !== true) return null;
  await systemctl(terminal, 'stop', unitName);
  takeAway(wanted, configFolder);
  takeAway(unit, configFolder);
  await systemctl(terminal, 'daemon-reload');
  // Else a unit that failed before is listed for ever.
  await systemctl(terminal, 'reset-failed', unitName);
  return unit;
}

/** Where the unit is, or would be. */
export function unitFile(terminal: Terminal): string {
  return placesIn(terminal).unit;
}

/**
 * The manager's own, wherever this terminal's XDG_CONFIG_HOME leads; it is where a launch looks for
 * it too.
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

/** What systemctl said of why it could not, on one line; null where it could. */
async function systemctl(terminal: Terminal, ...words: readonly string[]): Promise<string | null> {
  const { problem } = await run(terminal, words);
  return problem;
}

function run({ environment }: Terminal, words: readonly string[]): ReturnType<typeof ran> {
  const runtime = `/run/user/${process.getuid?.()}`;
  // Not set after `su`, or in a job.
  const more = existsSync(runtime) ? { XDG_RUNTIME_DIR: runtime } : {};
  return ran('systemctl', ['--user', ...words], { env: { ...more, ...(environment as NodeJS.ProcessEnv) }, timeout });
}
