/**
 * What `sallyport uninstall` takes out of the files of AI clients, once the person agrees: their
 * entries, the skill, and what stands there for a takeover. Names what stays in them.
 */

import { bridgeBeside } from '../../shared/install.ts';
import { homeFolder, MisnamedHome } from '../../shared/locations.ts';
import { CliError } from '../cli-error.ts';
import { sayPutBack, serversPutBack } from '../commands/connect-undo.ts';
import { connectable } from '../connect/clients-here.ts';
import { typedYes } from '../setup/typed.ts';
import { removeSkill, skillsHere } from '../skill/place.ts';
import { locationsOf, remark, say, type Terminal } from '../terminal.ts';

/**
 * @param isLast true if the program goes at once, so that its commands can't be named.
 * @returns true if a client starts another install for this home.
 */
export async function leaveClients(terminal: Terminal, isLast: boolean): Promise<boolean> {
  await putBack(terminal);
  const all = (await connectable(terminal, bridgeBeside(terminal.script) ?? '')).filter(one => one.connected);
  const others = all.filter(one => one.differs);
  for (const { config, path } of others)
    say(terminal, `${config.title} starts another Sallyport, or for another home: the entry in ${path} stays.`);
  const entries = all.filter(one => !one.differs);
  // A skill names no install.
  const skills = others.length > 0 ? [] : skillsHere(terminal);
  if (entries.length > 0) say(terminal, 'These AI clients have an entry "sallyport":');
  for (const { config, path } of entries) say(terminal, `  ${config.client}: ${path}`);
  if (skills.length > 0) say(terminal, 'These have a skill that tells of it:');
  for (const { client, path } of skills) say(terminal, `  ${client}: ${path}`);
  const isShared = others.some(({ home }) => isThisHome(terminal, home));
  if (entries.length + skills.length === 0) return isShared;
  const help = 'Each file keeps everything else, and a copy is made.';
  const isOut = await agreed(terminal, 'Take it out of their files?', help);
  const { removeEntry } = await import('../connect/remove-entry.ts');
  for (const { config, path } of entries) {
    const done = isOut && without(terminal, path, () => removeEntry(path, config.entry));
    say(terminal, done ? `${config.title}: removed. Restart it.` : `Kept: the entry "sallyport" in ${path}`);
  }
  for (const place of skills) {
    const done = isOut && without(terminal, place.path, () => removeSkill(place));
    say(terminal, done ? `Removed ${place.path}` : `Kept: the skill ${place.path}`);
  }
  if (isOut) return isShared;
  if (entries.length > 0) say(terminal, "Each client will say that it can't start Sallyport.");
  const commands = [
    ...(entries.length > 0 ? ['`sallyport connect CLIENT --remove` takes an entry out'] : []),
    ...(skills.length > 0 ? ['`sallyport connect CLIENT --skill --remove` takes a skill out'] : []),
  ];
  const later = `While Sallyport is installed, ${commands.join('; ')}. Afterwards, take it out by hand.`;
  say(terminal, isLast ? 'Take it out by hand, or install Sallyport again.' : later);
  return isShared;
}

/** @param named as a client's entry names it; null for the usual one. */
function isThisHome(terminal: Terminal, named: string | null): boolean {
  try {
    const { HOME } = terminal.environment;
    return homeFolder({ HOME, SALLYPORT_HOME: named ?? undefined }) === locationsOf(terminal).home;
  } catch (error) {
    if (error instanceof MisnamedHome) return false;
    throw error;
  }
}

/** What `connect undo` does; later, nothing would. */
async function putBack(terminal: Terminal): Promise<void> {
  const { takeoversHere } = await import('../past/entries.ts');
  if (takeoversHere(terminal).length === 0) return;
  const help = 'Clients then reach these databases by them, past Sallyport, as they did before.';
  if (await agreed(terminal, "Put back the servers that Sallyport took out of clients' files?", help))
    sayPutBack(terminal, await serversPutBack(terminal, null));
}

async function agreed(terminal: Terminal, question: string, help: string): Promise<boolean> {
  return terminal.stdin.isTTY === true && (await typedYes(terminal, question, false, help));
}

/** False, with the reason told, if the file refuses. */
function without(terminal: Terminal, path: string, change: () => unknown): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    remark(terminal, `${path}: ${error.message}`);
    return false;
  }
}
