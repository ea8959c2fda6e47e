/**
 * Names every way by which a client on this machine reaches a database without Sallyport, and every
 * password that lies readable beside it (spec §16 doctor). Shows no password.
 */

import { join } from 'node:path';
import { shellWord } from '../../shared/client-configs.ts';
import { backupsWithPasswords, type Looking, otherServers, passwordsInComments } from '../past/entries.ts';
import { adviceOn } from '../past/told.ts';
import { placeOf } from '../setup/candidate.ts';
import type { Variables } from '../setup/expanded.ts';
import { inSettingsFile, settingsFilesIn } from '../setup/settings-files.ts';
import { advice, type Check, ok } from './check.ts';

export async function checkPast(looking: Looking): Promise<Check[]> {
  const checks = [
    ...otherServers(looking).map(server => advice(server.title, adviceOn(server, looking.userHome))),
    ...passwordsInComments(looking).map(({ title, path }) =>
      advice(
        title,
        `${path} has a database's password in a comment, or in a part that can't be read; take it out by hand.`,
      ),
    ),
    ...backupsWithPasswords(looking).map(path =>
      advice('copies', `${path} still holds a database's password; \`rm ${shellWord(path)}\` deletes it.`),
    ),
    ...(await checkProject(looking)),
  ];
  return checks.length > 0 ? checks : [ok('past', 'No client here is known to reach a database past Sallyport.')];
}

/** An agent with a shell reads what lies in its project. */
async function checkProject({ cwd, userHome, environment }: Looking): Promise<Check[]> {
  const checks: Check[] = [];
  if (cwd === null) return checks;
  for (const name of settingsFilesIn(cwd)) {
    const found = await inSettingsFile(join(cwd, name), name, environment as Variables, { cwd, home: userHome });
    for (const { connection } of found?.candidates ?? []) {
      if (connection.password === null) continue;
      const what = `${name} here holds the password of ${placeOf(connection.endpoint)}`;
      checks.push(advice('project', `${what}: an agent with a shell in this folder can use it past Sallyport.`));
    }
  }
  return checks;
}
