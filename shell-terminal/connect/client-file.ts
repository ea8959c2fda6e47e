/**
 * Reads a client's configuration file as text, and says whether it may be replaced. Changes
 * nothing.
 */

import { failed } from '../cli-error.ts';
import { type ReadUsersFile, readUsersFile, type UsersFile } from '../users-file.ts';

type ReadFile = Exclude<ReadUsersFile, UsersFile> | FoundFile;

export interface FoundFile extends UsersFile {
  readonly mark: '' | '\uFEFF';
  /** Without the byte order mark. */
  readonly text: string;
}

export function readClientFile(named: string): ReadFile {
  const read = readUsersFile(named);
  if (read.kind !== 'found') return read;
  const decoded = textIn(read.bytes);
  if (decoded === null) return { kind: 'refused', why: `${named} is not UTF-8 text` };
  const mark = decoded.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { ...read, mark, text: decoded.slice(mark.length) };
}

/** The same, for changing it. @throws CliError if it may not be changed. */
export function fileToChange(named: string): Exclude<ReadFile, { readonly kind: 'refused' }> {
  const read = readClientFile(named);
  if (read.kind === 'refused') throw failed(`${read.why}; nothing was changed.`);
  return read;
}

/** Clients write their files too, some at every turn. */
const mostTries = 5;

/**
 * @param change null if the client has written its file meanwhile.
 * @throws CliError if the client keeps writing.
 */
export function retryWhileWritten<Result>(path: string, change: () => Result | null): Result {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const done = change();
    if (done !== null) return done;
  }
  throw failed(`${path} is rewritten by its client all the time; close the client, then try again.`, 'file_refused', {
    path,
  });
}

function textIn(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
