/**
 * Looks for databases in all places of this machine that may name them. Opens only files of the
 * person who asks.
 */

import { join, resolve } from 'node:path';
import { failed } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { filesIn, serversHere } from './around.ts';
import { type FoundDatabases, mergeFound } from './candidate.ts';
import { inDBeaver } from './dbeaver.ts';
import type { Variables } from './expanded.ts';
import { inPasswordFile, isCovered, readPasswordFile, withPasswordFrom } from './password-file.ts';
import { inServersFiles } from './servers-files.ts';
import { inSettingsFile } from './settings-files.ts';
import { inTablePlus } from './table-plus.ts';
import { inVariables } from './variables.ts';

/**
 * @param files may hold passwords, so they are read only with the person's consent.
 * @throws CliError if one can't be read.
 */
export async function findDatabases(
  { cwd, userHome, environment }: Terminal,
  files: readonly string[],
): Promise<FoundDatabases> {
  const base = { cwd, home: userHome };
  const shell = environment as Variables;
  const passwords = readPasswordFile(shell.PGPASSFILE || join(userHome, '.pgpass'));
  const settings: FoundDatabases[] = [];
  for (const name of files) {
    const path = resolve(cwd, name);
    const found = await inSettingsFile(path, name, shell, base);
    if (found === null) throw failed(`${path} can't be read.`, 'file_refused', { path });
    settings.push(found);
  }
  const others = mergeFound([
    inVariables(shell, 'in this shell', base),
    ...settings,
    filesIn(base),
    inServersFiles(base, shell),
    inDBeaver(base, shell.XDG_DATA_HOME),
    inTablePlus(base),
  ]);
  const named = inPasswordFile(passwords, base);
  const all = [
    { ...others, candidates: others.candidates.map(candidate => withPasswordFrom(passwords, candidate)) },
    { ...named, candidates: named.candidates.filter(candidate => !isCovered(candidate, others.candidates)) },
    await serversHere(base),
  ];
  return mergeFound(all);
}
