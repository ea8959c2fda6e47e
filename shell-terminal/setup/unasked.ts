/**
 * What was found here as data, and the saving of what is named of it: for a program that shows
 * both, as Sallyport.app does. Asks nothing.
 */

import { shownText } from '../../shared/shown-text.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { askDaemon } from '../daemon.ts';
import { firstMet } from '../server-proof.ts';
import { remark, say, type Terminal } from '../terminal.ts';
import { findAndCompare, freeName, paramsOf, shownCandidate } from './import.ts';

/** @param files that may hold passwords. */
export async function foundHere(terminal: Terminal, files: readonly string[]) {
  const { candidates, unreadable, saved } = await findAndCompare(terminal, files);
  const databases = candidates.map(candidate => shownCandidate(terminal, candidate));
  const known = saved.map(({ candidate, connection: { name } }) => ({ ...shownCandidate(terminal, candidate), name }));
  const shown = (all: typeof known) => all.map(({ name, place, more }) => ({ name, place, from: more }));
  // Those that are saved already have their connection's name.
  return { databases: shown(databases), saved: shown(known), unreadable };
}

/**
 * Each is saved with the password that was found for it, and dialled once.
 * @returns whether all were saved.
 */
export async function saveFound(
  terminal: Terminal,
  places: readonly string[],
  files: readonly string[],
): Promise<boolean> {
  const { candidates } = await findAndCompare(terminal, files);
  let isEachSaved = true;
  for (const place of places) {
    const found = candidates.find(candidate => shownCandidate(terminal, candidate).place === place);
    try {
      if (found === undefined)
        throw new CliError(exitCodes.failed, `Nothing was found at ${place}, or it is saved already.`);
      const params = paramsOf(found.connection, found.connection.password);
      const { name } = await askDaemon(terminal, 'connections.save', {
        name: await freeName(terminal, found.name),
        ...params,
      });
      const tested = await askDaemon(terminal, 'connections.test', { connection: name });
      const answered = tested.reachable ? `answers: ${tested.serverVersion}.` : `can't be reached: ${tested.problem}`;
      say(terminal, [`${shownText(name)} is saved. It ${answered}`, ...firstMet(tested)].join(' '));
    } catch (error) {
      // One that can't be saved is no reason to leave out the others.
      if (!(error instanceof CliError) || error.exitCode === exitCodes.noDaemon) throw error;
      remark(terminal, error.message);
      isEachSaved = false;
    }
  }
  return isEachSaved;
}
