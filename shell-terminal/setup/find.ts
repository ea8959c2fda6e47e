/**
 * Looks for databases wherever this machine may speak of them. Opens nothing but files of the
 * person who asks.
 */

import { join, resolve } from 'node:path';
import { failed } from '../ending.ts';
import type { Terminal } from '../terminal.ts';
import { filesIn, serversHere } from './around.ts';
import { type Found, together } from './candidate.ts';
import { inDBeaver } from './dbeaver.ts';
import type { Variables } from './expanded.ts';
import { inPasswordFile, isCovered, readPasswordFile, withPasswordFrom } from './password-file.ts';
import { inServersFiles } from './servers-files.ts';
import { inSettingsFile } from './settings-files.ts';
import { inTablePlus } from './table-plus.ts';
import { inVariables } from './variables.ts';

/**
 * @param files that may hold passwords, which are read only where a person says so.
 * @throws Ending where one can't be read.
 */
export async function findDatabases(
  { cwd, userHome, environment }: Terminal,
  files: readonly string[],
): Promise<Found> {
  const base = { cwd, home: userHome };
  const shell = environment as Variables;
  const passwords = readPasswordFile(shell.PGPASSFILE || join(userHome, '.pgpass'));
  const settings: Found[] = [];
  for (const name of files) {
    const path = resolve(cwd, name);
    const found = await inSettingsFile(path, name, shell, base);
    if (found === null) throw failed(`${path} can't be read.`);
    settings.push(found);
  }
  const others = together([
    inVariables(shell, 'in this shell', base),
    ...settings,
    filesIn(base),
    inServersFiles(base, shell),
    inDBeaver(base),
    inTablePlus(base),
  ]);
  const named = inPasswordFile(passwords, base);
  const all = [
    { ...others, candidates: others.candidates.map(candidate => withPasswordFrom(passwords, candidate)) },
    { ...named, candidates: named.candidates.filter(candidate => !isCovered(candidate, others.candidates)) },
    await serversHere(base),
  ];
  return together(all);
}
