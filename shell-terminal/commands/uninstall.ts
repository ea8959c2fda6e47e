/**
 * `sallyport uninstall`: undoes what is the person's own (login service, daemon, clients' entries),
 * says what stays, and takes the program away where that is theirs to do, or says the line that
 * does. Leaves connections, passwords and settings as they are.
 */

import { join } from 'node:path';
import { daemonBeside } from '../../shared/install.ts';
import { lockHolder } from '../../shared/lock-holder.ts';
import { CliError, failed, isNoDaemon, typedSudo } from '../cli-error.ts';
import { command } from '../command.ts';
import { installedWay, removalLine } from '../installed-way.ts';
import { runProgram } from '../run-program.ts';
import { anothers, wordsOfProcess } from '../service/whose.ts';
import { locationsOf, remark, say, type Terminal } from '../terminal.ts';
import { leaveClients } from '../uninstall/clients.ts';
import { whatStays } from '../uninstall/what-stays.ts';
import { stopped } from './server.ts';
import { undoService } from './service.ts';

const patienceMilliseconds = 60_000;

export const uninstallCommand = command(
  {
    words: 'uninstall',
    about: 'Take Sallyport out of your clients, stop it, and remove the program',
    details: [
      'Your connections, passwords, settings and log stay; it says where. What it may not',
      'remove itself, such as a Debian package, it names the line for.',
    ],
    options: { 'keep-program': { type: 'boolean', about: 'only the service, the daemon and the entries of clients' } },
    json: false,
  },
  async ({ terminal, options }) => {
    const typedBy = typedSudo();
    if (typedBy !== null)
      throw failed(
        `Type it without sudo, so that it finds what is ${typedBy}'s; it ends with the line that needs root. Nothing was changed.`,
      );
    const way = installedWay(terminal.script);
    const isRemoved = !options['keep-program'] && way.kind === 'prefix' && way.mayRemove;
    const { removed, others } = await undoService(terminal, 'own');
    for (const file of removed) say(terminal, `Removed ${file}`);
    if (others.service !== null)
      say(terminal, `The login service stays, because it starts another Sallyport: ${others.service}`);
    if (others.links !== null)
      say(terminal, `Links stay as they are, because they open in another Sallyport: ${others.links}`);
    const isStarted = await leaveClients(terminal, isRemoved);
    // Last, because a client may start it again while a question waits for its answer.
    const another = await stopDaemon(terminal);
    const isShared = another !== null || others.service !== null || others.links !== null || isStarted;
    for (const line of await whatStays(terminal, isShared)) say(terminal, line);
    if (options['keep-program']) return;
    if (isRemoved) {
      const words = [join(way.library, 'place.sh'), 'remove', way.prefix];
      const { stdout, problem } = await runProgram('sh', words, { timeout: patienceMilliseconds });
      if (problem === null) return say(terminal, stdout.trim());
      remark(terminal, problem);
    }
    say(terminal, `Now the program itself: ${removalLine(way)}`);
  },
);

/**
 * Stops the daemon, which would otherwise go on without its files.
 * @returns the program of another install's daemon, which goes on; null if none runs.
 */
async function stopDaemon(terminal: Terminal): Promise<string | null> {
  const pid = (await lockHolder(locationsOf(terminal).lock))?.pid ?? null;
  const words = pid === null ? [] : await wordsOfProcess(pid);
  const another = anothers(words, 'sallyportd', daemonBeside(terminal.script));
  if (another !== null) {
    say(terminal, `Another Sallyport runs, and goes on: process ${pid}, ${another}`);
    return another;
  }
  try {
    await stopped(terminal);
    say(terminal, 'Stopped Sallyport, which was running.');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (!isNoDaemon(error)) remark(terminal, error.message);
  }
  return null;
}
