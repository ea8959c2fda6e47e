/**
 * `sallyport service install`, `status` and `uninstall` (spec §16): starts the daemon at every
 * login, and on Linux opens clients' links.
 */

import { existsSync, realpathSync } from 'node:fs';
import { shellWord } from '../../shared/client-configs.ts';
import { daemonCommand } from '../../shared/launch.ts';
import { npxPackage } from '../../shared/npx.ts';
import { unusableFolder } from '../../shared/usable-home.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { registerHandler, unregisterHandler } from '../link-handler.ts';
import { agentFile, installAgent, uninstallAgent } from '../service/launchd.ts';
import { installUnit, uninstallUnit, unitThatStarts } from '../service/systemd.ts';
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
    const starts =
      file !== null
        ? `It starts when you log in: ${file}`
        : 'Nothing starts it when you log in; `sallyport service install` does.';
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
  const files = await undoService(terminal);
  for (const line of files.length === 0 ? ['Nothing was installed.'] : files.map(file => `Removed ${file}`))
    say(terminal, line);
}

/**
 * @returns the files that made it start, and its links open.
 * @throws CliError if a file can't be written or removed.
 */
export function undoService(terminal: Terminal): Promise<readonly string[]> {
  return inFolders(terminal, async () => {
    const service = await removedService(terminal);
    const links = process.platform === 'linux' ? await unregisterHandler(terminal) : { file: null, problem: null };
    if (links.problem !== null) remark(terminal, links.problem);
    return [service, links.file].filter(file => file !== null);
  });
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
  const { file, problem } = await registerHandler(terminal, realpathSync(terminal.script));
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
