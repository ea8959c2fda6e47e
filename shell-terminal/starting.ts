/** Starts the daemon of this home in the background and waits until it is ready. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { StatusResult } from '../shared/control-commands.ts';
import { daemonBeside } from '../shared/install.ts';
import { homeToName, type LaunchEnding, launchDaemon } from '../shared/launch.ts';
import { noteText } from '../shared/note.ts';
import { mayStart } from '../shared/stopped-until-login.ts';
import { version } from '../shared/version.ts';
import { failed } from './cli-error.ts';
import { ConnectionLost } from './control-client.ts';
import { tryDaemon } from './daemon.ts';
import { locationsOf, type Terminal } from './terminal.ts';
import { showWaiting } from './waiting-line.ts';

const patienceMilliseconds = 10_000;
const pollMilliseconds = 50;

/** The path of `sallyportd`. @throws CliError if this install has none. */
export function daemonOf({ script }: Terminal): string {
  const executable = daemonBeside(script);
  if (executable !== null) return executable;
  throw failed('sallyportd is missing from this install; build or install it again.', 'not_started');
}

/** @throws CliError */
export async function startDaemon(terminal: Terminal): Promise<StatusResult> {
  mayStart(locationsOf(terminal).home);
  const launch = await launchDaemon({
    daemonExecutable: daemonBeside(terminal.script),
    namedHome: homeToName(terminal.environment),
  });
  if (launch.kind === 'failed') throw failed(`Sallyport could not be started: ${launch.problem}.`, 'not_started');
  return showWaiting(terminal, 'Starting Sallyport', untilReady(terminal, launch.ending));
}

/** A sentence if it runs and is on, but can't serve because another program has its port. */
export function whyUnserved({ port, notes }: StatusResult): string | null {
  const said = port === null ? notes.find(({ code }) => code === 'unserved') : undefined;
  return said === undefined ? null : `Sallyport is running, but serves nobody. ${noteText(said)}`;
}

/** A sentence if it runs since before an update, so that the update's changes don't hold yet. */
export function olderThanCommand(status: Pick<StatusResult, 'version'>): readonly string[] {
  if (status.version === version) return [];
  return [`It is version ${status.version}, this command ${version}. \`sallyport restart\` starts the new one.`];
}

/** @throws CliError */
export async function runningDaemon(terminal: Terminal): Promise<StatusResult> {
  return (await readyStatus(terminal)) ?? startDaemon(terminal);
}

/** @throws CliError if it isn't ready in time. */
export async function untilReady(terminal: Terminal, ending: () => LaunchEnding | null): Promise<StatusResult> {
  const giveUpAt = performance.now() + patienceMilliseconds;
  for (;;) {
    const status = await readyStatus(terminal);
    if (status !== null) return status;
    const ended = ending();
    if (ended?.isFailure === true)
      throw failed(`Sallyport did not start: ${ended.sentence}. ${whatToDo(terminal)}`, 'not_started');
    if (performance.now() > giveUpAt) {
      const because = ended === null ? '' : ` (${ended.sentence})`;
      throw failed(`Sallyport was not ready within 10 s${because}. ${whatToDo(terminal)}`, 'not_started');
    }
    await wait(pollMilliseconds);
  }
}

const isUp = { starting: false, ready: true, paused: true, off: true, stopping: false } as const;

/**
 * Null if none runs, or it isn't ready yet.
 * @throws CliError if something answers that can't be believed.
 */
export async function readyStatus(terminal: Terminal): Promise<StatusResult | null> {
  const connecting = await tryDaemon(terminal);
  if (connecting.kind === 'absent' || connecting.kind === 'unanswered') return null;
  if (connecting.kind === 'untrusted') throw failed(connecting.problem);
  try {
    const status = await connecting.client.ask('status', {});
    return isUp[status.state] ? status : null;
  } catch (error) {
    if (error instanceof ConnectionLost) return null;
    throw error;
  } finally {
    connecting.client.close();
  }
}

function whatToDo(terminal: Terminal): string {
  const { logs } = locationsOf(terminal);
  const log = existsSync(join(logs, 'sallyportd.log')) ? `; its log is in ${logs}` : '';
  return `\`sallyport start --foreground\` shows why${log}.`;
}
