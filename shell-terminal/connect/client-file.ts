/** Reads a client's own configuration file as text, and says whether it may be replaced. Changes nothing. */

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

function textIn(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
