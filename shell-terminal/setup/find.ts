/** Looks for databases wherever this machine may speak of them. Opens nothing but files of the person who asks. */

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { failed } from '../ending.ts';
import type { Terminal } from '../terminal.ts';
import { filesIn, serversHere } from './around.ts';
import { type Found, together } from './candidate.ts';
import { inDBeaver, inTablePlus } from './other-clients.ts';
import { inServersFiles, textOf } from './servers-files.ts';
import { inVariables } from './variables.ts';

/** @param dotenv a `.env` file, which is read only where a person says so. @throws Ending where it can't be read. */
export async function findDatabases({ cwd, userHome, environment }: Terminal, dotenv: string | null): Promise<Found> {
  const base = { cwd, home: userHome };
  const file = dotenv === null ? null : resolve(cwd, dotenv);
  return together([
    inVariables(environment as Record<string, string | undefined>, 'in this shell', base),
    ...(file === null ? [] : [inVariables(variablesOf(file), `in ${dotenv}`, { ...base, cwd: dirname(file) })]),
    filesIn(base),
    inServersFiles(base, environment as Record<string, string | undefined>),
    inDBeaver(base),
    inTablePlus(base),
    await serversHere(base),
  ]);
}

function variablesOf(path: string): Record<string, string | undefined> {
  const text = textOf(path);
  if (text === null) throw failed(`${path} can't be read.`);
  return parseEnv(text) as Record<string, string | undefined>;
}

/** The one in this folder, where there is one. */
export function dotenvHere({ cwd }: Terminal): string | null {
  return existsSync(join(cwd, '.env')) ? '.env' : null;
}
