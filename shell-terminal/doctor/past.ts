/**
 * Names every way by which a client on this machine reaches a database without Sallyport, and every
 * password that lies readable beside it (spec §16 doctor). Shows no password.
 */

import { join } from 'node:path';
import { shellWord } from '../../shared/client-configs.ts';
import { backupsWithPasswords, type Looking, otherServers, passwordsInComments } from '../past/entries.ts';
import { adviceOn, commentTold } from '../past/told.ts';
import { placeOf } from '../setup/candidate.ts';
import type { Variables } from '../setup/expanded.ts';
import { inSettingsFile, settingsFilesIn } from '../setup/settings-files.ts';
import { advice, type Check, ok } from './check.ts';

export async function checkPast(looking: Looking): Promise<Check[]> {
  const checks = [
    ...otherServers(looking).map(server => advice(server.title, adviceOn(server, looking.userHome))),
    ...(await readablePasswords(looking)).map(({ at, says }) => advice(at, says)),
  ];
  return checks.length > 0 ? checks : [ok('past', 'No client here is known to reach a database past Sallyport.')];
}

/** @property at the client whose file it is, `copies` or `project`. */
interface ReadablePassword {
  readonly at: string;
  /** A sentence with the file and the name in it, still to be escaped. */
  readonly says: string;
}

/**
 * Passwords that an agent could read. Those in a client's entries are told with the entry
 * (`adviceOn`).
 */
export async function readablePasswords(looking: Looking): Promise<readonly ReadablePassword[]> {
  return [
    ...passwordsInComments(looking).map(({ title, path }) => ({ at: title, says: commentTold(path) })),
    ...backupsWithPasswords(looking).map(path => ({
      at: 'copies',
      says: `${path} still holds a database's password; \`rm ${shellWord(path)}\` deletes it.`,
    })),
    ...(await inProject(looking)),
  ];
}

/** An agent with a shell reads what lies in its project. */
async function inProject({ cwd, userHome, environment }: Looking): Promise<readonly ReadablePassword[]> {
  const passwords: ReadablePassword[] = [];
  if (cwd === null) return passwords;
  for (const name of settingsFilesIn(cwd)) {
    const found = await inSettingsFile(join(cwd, name), name, environment as Variables, { cwd, home: userHome });
    for (const { from, connection } of found?.candidates ?? []) {
      if (connection.password === null) continue;
      const what = `${from} here holds the password of ${placeOf(connection.endpoint)}`;
      passwords.push({
        at: 'project',
        says: `${what}: an agent with a shell in this folder can use it past Sallyport.`,
      });
    }
  }
  return passwords;
}
