/**
 * The daemon as a systemd user unit (spec §16): writes the unit, enables it for every login, and
 * tells the user manager. Makes the link of `systemctl --user enable` itself, so that it works
 * without a running manager too.
 */

import { existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { commandIn, systemdUnit, unitMark, unitName } from './systemd-unit.ts';
import { putFile, takeAway, textIn } from './written-file.ts';

type Installed =
  /** A unit of that name that isn't ours. */
  | { readonly kind: 'foreign'; readonly unit: string }
  /** It runs from the next login. */
  | { readonly kind: 'written'; readonly unit: string; readonly problem: string }
  /** The manager was told to start it; another daemon may still have the home. */
  | { readonly kind: 'started'; readonly unit: string; readonly pid: () => Promise<number | null> };

/** Where a package of the system puts the same unit: it is only enabled, and its upgrades hold. */
const packagedUnit = `/usr/lib/systemd/user/${unitName}`;

const timeout = 30_000;

/** @param command as `daemonCommand` gives it. */
export async function installUnit(terminal: Terminal, command: readonly string[]): Promise<Installed> {
  const { own, wanted, configFolder } = placesIn(terminal);
  const there = textIn(own);
  if (there !== null && !there.startsWith(unitMark)) return { kind: 'foreign', unit: own };
  const text = systemdUnit(command);
  const isPackaged = textIn(packagedUnit) === text;
  const unit = isPackaged ? packagedUnit : own;
  const isChanged = isPackaged ? there !== null : putFile(own, text);
  if (isPackaged) takeAway(own, configFolder);
  const target = isPackaged ? packagedUnit : `../${unitName}`;
  if (targetOf(wanted) !== target) {
    mkdirSync(dirname(wanted), { recursive: true });
    rmSync(wanted, { force: true });
    symlinkSync(target, wanted);
  }
  const problem = await systemctl(terminal, 'daemon-reload');
  if (problem !== null) return { kind: 'written', unit, problem };
  const isActive = (await systemctl(terminal, 'is-active', '--quiet', unitName)) === null;
  const failure = await systemctl(terminal, isActive && isChanged ? 'restart' : 'start', unitName);
  if (failure !== null) return { kind: 'written', unit, problem: failure };
  return { kind: 'started', unit, pid: () => mainPid(terminal) };
}

/** @returns what was removed: the unit, or the link to a package's. Null if none was ours. */
export async function uninstallUnit(terminal: Terminal): Promise<string | null> {
  const { configFolder, own, wanted } = placesIn(terminal);
  const unit = unitThatStarts(terminal);
  if (unit === null || textIn(unit)?.startsWith(unitMark) === false) return null;
  await systemctl(terminal, 'stop', unitName);
  takeAway(wanted, configFolder);
  if (unit === own) takeAway(own, configFolder);
  await systemctl(terminal, 'daemon-reload');
  // Otherwise a failed unit stays listed for ever.
  await systemctl(terminal, 'reset-failed', unitName);
  return unit === own ? own : wanted;
}

/** The unit that starts it at login: the person's own, or a package's that they enabled. */
export function unitThatStarts(terminal: Terminal): string | null {
  const { own, wanted } = placesIn(terminal);
  if (existsSync(own)) return own;
  return targetOf(wanted) === packagedUnit ? packagedUnit : null;
}

/** The command that starts it at login; empty if nothing of ours does. */
export function unitCommand(terminal: Terminal): readonly string[] {
  const unit = unitThatStarts(terminal);
  return commandIn(unit === null ? '' : (textIn(unit) ?? ''));
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
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
    own: join(units, unitName),
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
