/**
 * `sallyport uninstall`: undoes what is the person's own (login service, daemon, clients' entries),
 * says what stays, and takes the program away where that is theirs to do, or says the line that
 * does. Leaves connections, passwords and settings as they are.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bridgeBeside } from '../../shared/install.ts';
import { CliError, failed, isNoDaemon, typedSudo } from '../cli-error.ts';
import { command } from '../command.ts';
import { connectable } from '../connect/clients-here.ts';
import { installedWay, removalLine } from '../installed-way.ts';
import { runProgram } from '../run-program.ts';
import { typedYes } from '../setup/typed.ts';
import { locationsOf, remark, say, type Terminal } from '../terminal.ts';
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
    for (const file of await undoService(terminal)) say(terminal, `Removed ${file}`);
    await leaveClients(terminal);
    // Last, because a client may start it again while a question waits for its answer.
    await stopDaemon(terminal);
    for (const line of await whatStays(terminal)) say(terminal, line);
    if (options['keep-program']) return;
    const way = installedWay(terminal.script);
    if (way.kind === 'prefix' && way.mayRemove) {
      const words = [join(way.library, 'place.sh'), 'remove', way.prefix];
      const { stdout, problem } = await runProgram('sh', words, { timeout: patienceMilliseconds });
      if (problem === null) return say(terminal, stdout.trim());
      remark(terminal, problem);
    }
    const line = removalLine(way);
    say(terminal, line === null ? 'npx ran this one; nothing is installed.' : `Now the program itself: ${line}`);
  },
);

/** Otherwise it would go on without its files. */
async function stopDaemon(terminal: Terminal): Promise<void> {
  try {
    await stopped(terminal);
    say(terminal, 'Stopped Sallyport, which was running.');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (!isNoDaemon(error)) remark(terminal, error.message);
  }
}

async function leaveClients(terminal: Terminal): Promise<void> {
  const all = (await connectable(terminal, bridgeBeside(terminal.script) ?? '')).filter(one => one.connected);
  for (const { config, path } of all.filter(one => one.differs))
    say(terminal, `${config.title} starts another Sallyport, or for another home: the entry in ${path} stays.`);
  const entries = all.filter(one => !one.differs);
  if (entries.length === 0) return;
  say(terminal, 'These AI clients have an entry "sallyport":');
  for (const { config, path } of entries) say(terminal, `  ${config.client}: ${path}`);
  const help = 'Each file keeps everything else, and a copy is made.';
  const isOut = terminal.stdin.isTTY === true && (await typedYes(terminal, 'Take it out of their files?', false, help));
  const { removeEntry } = await import('../connect/remove-entry.ts');
  for (const { config, path } of entries) {
    try {
      if (isOut) removeEntry(path, config.entry);
      say(terminal, isOut ? `${config.title}: removed. Restart it.` : `Kept: the entry "sallyport" in ${path}`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      remark(terminal, `Kept: the entry "sallyport" in ${path}: ${error.message}`);
    }
  }
  if (!isOut)
    say(
      terminal,
      "Each client will say that it can't start it. Take the entry out of the file by hand, or install Sallyport again.",
    );
}

async function whatStays(terminal: Terminal): Promise<readonly string[]> {
  const { home, store } = locationsOf(terminal);
  const { backupsOf } = await import('../past/entries.ts');
  const copies = (await connectable(terminal, '')).flatMap(({ path }) => backupsOf(path, false));
  return [homeStays(home, store), ...copies.map(copy => `A copy of a client's file stays: ${copy}`)].filter(
    line => line !== null,
  );
}

function homeStays(home: string, store: string): string | null {
  if (!existsSync(home))
    return process.getuid?.() === 0
      ? 'Connections, passwords and settings of whoever used it stay in their home folders ("sallyport" in .local/share, on macOS in Library/Application Support).'
      : null;
  const usesKeychain = existsSync(store) && readFileSync(store, 'utf8').includes('"secrets":"keychain"');
  return usesKeychain
    ? `Your connections, settings and log stay in ${home}, your passwords in the keychain (look for "sallyport").`
    : `Your connections, passwords, settings and log stay in ${home}; remove that folder to be rid of them.`;
}
