/** Runs the daemon as this command's child, and passes every signal on to it. */

import { spawn } from 'node:child_process';
import { httpConfigs, stdioConfigs, tokenWords } from '../shared/client-configs.ts';
import type { StatusResult } from '../shared/control-commands.ts';
import { bridgeBeside } from '../shared/install.ts';
import { daemonEnvironment, homeToName, type LaunchEnding } from '../shared/launch.ts';
import { namedHome } from '../shared/locations.ts';
import { CliError, exitCodes, failed } from './cli-error.ts';
import { daemonOf, whyUnserved } from './starting.ts';
import { print, remark, styled, type Terminal } from './terminal.ts';

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Its environment is a launched daemon's (spec §2 Launch): it serves others, too. */
export async function runInForeground(
  terminal: Terminal,
  untilReady: (ending: () => LaunchEnding | null) => Promise<StatusResult>,
): Promise<void> {
  // In its own process group: otherwise a Ctrl-C would reach it twice, from the terminal and from
  // here.
  const env = daemonEnvironment(homeToName(terminal.environment));
  const child = spawn(daemonOf(terminal), [], { stdio: ['ignore', 'inherit', 'inherit'], detached: true, env });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', error => reject(failed(`sallyportd could not be started (${error.message}).`)));
    child.once('exit', code => resolve(code ?? exitCodes.failed));
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of passedOn) process.on(signal, passOn);
  let running = true;
  const finished = ended.finally(() => {
    running = false;
    for (const signal of passedOn) process.off(signal, passOn);
  });
  void untilReady(() => (running ? null : { sentence: 'it ended', isFailure: true })).then(
    status => {
      if (!running) return;
      const problem = whyUnserved(status);
      if (problem !== null) remark(terminal, problem);
      else print(terminal, ...introduction(terminal, status));
    },
    error => {
      // The daemon itself says what keeps it from being ready.
      if (running) remark(terminal, error instanceof Error ? error.message : String(error));
    },
  );
  const code = await finished;
  if (code !== 0) throw new CliError(exitCodes.failed, `sallyportd ended with exit code ${code}.`);
}

function introduction(terminal: Terminal, status: StatusResult): string[] {
  const heading = (text: string): string => styled(terminal, 'bold', text);
  const bridge = bridgeBeside(terminal.script);
  const stdio = bridge === null ? [] : stdioConfigs(bridge, namedHome(terminal.environment));
  const shownClients = ['claude-desktop', 'claude-code', 'cursor', 'vscode'];
  const snippets = stdio
    .filter(({ client }) => shownClients.includes(client))
    .flatMap(({ title, where, text }) => [heading(`${title}: ${where}`), text, '']);
  const [http] = status.port === null ? [] : httpConfigs(status.port, tokenWords);
  return [
    `Sallyport ${status.version} is ready on port ${status.port ?? 'none'}. Ctrl-C stops it.`,
    '',
    ...snippets,
    ...(http === undefined ? [] : [heading(`${http.title}: ${http.where}`), http.text, '']),
  ];
}
