/**
 * `sallyport service install`, `status` and `uninstall` (spec §16): starts the daemon at every
 * login, and on Linux opens clients' links.
 */

import { existsSync, realpathSync } from 'node:fs';
import { shellWord } from '../../shared/client-configs.ts';
import { daemonBeside, lastingPath } from '../../shared/install.ts';
import { daemonCommand } from '../../shared/launch.ts';
import { npxPackage } from '../../shared/npx.ts';
import { unusableFolder } from '../../shared/usable-home.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { linkCommand, registerHandler, unregisterHandler } from '../link-handler.ts';
import { agentCommand, agentFile, installAgent, uninstallAgent } from '../service/launchd.ts';
import { installUnit, uninstallUnit, unitCommand, unitThatStarts } from '../service/systemd.ts';
import { anothers, startedBy } from '../service/whose.ts';
import { daemonOf, readyStatus, untilReady } from '../starting.ts';
import { locationsOf, remark, say, type Terminal } from '../terminal.ts';

export const installServiceCommand = command(
  {
    words: 'service install',
    about: 'Start Sallyport when you log in',
    details: [
      'A systemd user unit (on macOS a LaunchAgent) starts it then, and after a crash.',
      "On Linux, clients' sallyport: links then open in a terminal.",
    ],
    json: false,
  },
  ({ terminal }) => inFolders(terminal, () => install(terminal)),
);

async function install(terminal: Terminal): Promise<void> {
  const spec = npxPackage(realpathSync(terminal.script));
  if (spec !== null)
    throw failed(
      `npx runs this Sallyport from npm's cache, which may be emptied, and a service needs one that stays: \`npm install --global --ignore-scripts ${shellWord(spec)}\`, then \`sallyport service install\`. Nothing was installed.`,
    );
  if (process.platform === 'linux') await installLinks(terminal);
  if (terminal.environment.SALLYPORT_HOME) {
    remark(terminal, 'No login service installed: SALLYPORT_HOME is set only in this shell.');
    return;
  }
  const daemon = commandOf(terminal);
  if (process.platform === 'linux') await startByUnit(terminal, daemon);
  else if (process.platform === 'darwin') await startByAgent(terminal, daemon);
  else throw failed('There is no service for this system; `sallyport start` starts it.');
}

export const serviceStatusCommand = command(
  { words: 'service status', about: 'Show what starts Sallyport when you log in' },
  async ({ terminal, answer }) => {
    const agent = agentFile(terminal.userHome);
    const file = process.platform !== 'darwin' ? unitThatStarts(terminal) : existsSync(agent) ? agent : null;
    const running = await readyStatus(terminal);
    const started = startedBy(commandAtLogin(terminal), 'sallyportd', daemonBeside(terminal.script));
    const starts =
      file === null
        ? 'Nothing starts it when you log in; `sallyport service install` does.'
        : started.kind === 'gone'
          ? `${file} can't start it when you log in, because ${started.program} is gone; \`sallyport service install\` names this one.`
          : `${started.kind === 'another' ? `Another one, ${started.program},` : 'It'} starts when you log in: ${file}`;
    answer(
      { installed: file !== null, file, running: running !== null, pid: running?.pid ?? null },
      `${running === null ? 'Sallyport is not running.' : `Sallyport is running (process ${running.pid}).`} ${starts}`,
    );
  },
);

export const uninstallServiceCommand = command(
  {
    words: 'service uninstall',
    about: 'Undo `service install`',
    details: ['Stops the daemon that the service started.'],
    json: false,
  },
  ({ terminal }) => uninstall(terminal),
);

async function uninstall(terminal: Terminal): Promise<void> {
  const { removed: files } = await undoService(terminal, 'any');
  for (const line of files.length === 0 ? ['Nothing was installed.'] : files.map(file => `Removed ${file}`))
    say(terminal, line);
}

interface Undone {
  /** The files that made it start, and its links open. */
  readonly removed: readonly string[];
  /** Another install's program that starts at login, or opens links; null for none. */
  readonly others: { readonly service: string | null; readonly links: string | null };
}

/**
 * @param whose `own` leaves what starts another install's program.
 * @throws CliError if a file can't be written or removed.
 */
export function undoService(terminal: Terminal, whose: 'own' | 'any'): Promise<Undone> {
  return inFolders(terminal, async () => {
    const others = whose === 'any' ? { service: null, links: null } : othersHere(terminal);
    const service = others.service === null ? await removedService(terminal) : null;
    const links =
      process.platform === 'linux' && others.links === null
        ? await unregisterHandler(terminal)
        : { file: null, problem: null };
    if (links.problem !== null) remark(terminal, links.problem);
    return { removed: [service, links.file].filter(file => file !== null), others };
  });
}

function othersHere(terminal: Terminal): Undone['others'] {
  return {
    // A named home has none.
    service: terminal.environment.SALLYPORT_HOME
      ? null
      : anothers(commandAtLogin(terminal), 'sallyportd', daemonBeside(terminal.script)),
    links: anothers(linkCommand(terminal), 'sallyport', terminal.script),
  };
}

/** Empty if nothing starts it. */
function commandAtLogin(terminal: Terminal): readonly string[] {
  return process.platform === 'darwin' ? agentCommand(terminal.userHome) : unitCommand(terminal);
}

/** @throws CliError if a file can't be written or removed. */
async function inFolders<Result>({ userHome }: Terminal, work: () => Promise<Result>): Promise<Result> {
  const unusable = unusableFolder(userHome);
  if (unusable !== null) throw failed(`Nothing was changed: ${unusable.problem}; ${unusable.remedy}.`);
  try {
    return await work();
  } catch (error) {
    const { code, path = '' } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw failed(`${path} could not be changed (${code}); make it yours, then run this again.`);
  }
}

async function installLinks(terminal: Terminal): Promise<void> {
  const { file, problem } = await registerHandler(terminal, lastingPath(realpathSync(terminal.script)));
  say(terminal, `Pairing links open in a terminal now: ${file}`);
  if (problem !== null) remark(terminal, `${problem} \`sallyport open LINK\` works anyway.`);
}

/** @throws CliError */
function commandOf(terminal: Terminal): readonly string[] {
  const executable = daemonOf(terminal);
  if (executable.includes('.app/Contents/')) throw failed('Sallyport.app starts it by itself; nothing was installed.');
  return daemonCommand(executable);
}

async function startByUnit(terminal: Terminal, daemon: readonly string[]): Promise<void> {
  const installed = await installUnit(terminal, daemon);
  if (installed.kind === 'foreign')
    throw failed(`${installed.unit} was not written by Sallyport; remove it, then run this again.`);
  say(terminal, `Sallyport starts when you log in: ${installed.unit}`);
  if (installed.kind === 'written') {
    remark(terminal, `systemd did not start it now (${installed.problem}); \`sallyport start\` starts it.`);
    return;
  }
  const { pid } = await untilReady(terminal, () => null);
  if ((await installed.pid()) === pid) {
    say(
      terminal,
      `It runs now (process ${pid}); its log: ${locationsOf(terminal).logs}, and \`journalctl --user -u sallyport\``,
    );
    return;
  }
  remark(
    terminal,
    `Another Sallyport runs already (process ${pid}); \`sallyport stop\`, then \`sallyport start\` hands over to systemd.`,
  );
}

async function startByAgent(terminal: Terminal, daemon: readonly string[]): Promise<void> {
  const { file, problem } = await installAgent(terminal.userHome, daemon);
  say(terminal, `Sallyport starts when you log in: ${file}`);
  if (problem !== null)
    remark(
      terminal,
      `launchd did not start it now (${problem}); it starts at the next login, or with \`sallyport start\`.`,
    );
  else say(terminal, `Its log: ${locationsOf(terminal).logs}`);
}

/** A named home has no service. */
function removedService(terminal: Terminal): Promise<string | null> | null {
  if (terminal.environment.SALLYPORT_HOME) return null;
  return process.platform === 'darwin' ? uninstallAgent(terminal.userHome) : uninstallUnit(terminal);
}
