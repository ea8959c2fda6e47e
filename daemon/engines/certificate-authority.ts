/**
 * Reads the CA file that a server is verified with, at each dial. It must be what it was when the
 * connection was saved, or be root's. If it holds something else than certificates, the error names
 * what.
 */

import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Tls } from '../access/connection.ts';
import { inDialTurn, inLookTurn } from '../file-turns.ts';
import { DialError } from './dial-error.ts';
import { otherForm } from './not-pem.ts';
import { readPemFile } from './pem-file.ts';
import { trustSystemAuthorities } from './system-authorities.ts';

const readMilliseconds = 2_000;

/**
 * @returns PEM; null if the connection has no CA file: then this machine's authorities count.
 *   Rejects with an Error whose message is a clause.
 */
export async function readAuthority({ mode, caFile, caFileDigest }: Tls): Promise<Buffer | null> {
  if (caFile === null) {
    if (mode === 'verify-ca' || mode === 'verify-full') trustSystemAuthorities();
    return null;
  }
  const text = await textOf(caFile, caFile);
  if (caFileDigest === undefined || caFileDigest === digestOf(text)) return text;
  const roots = await inDialTurn(() => onlyRoots(caFile)).catch(() => null);
  if (roots === null)
    throw new DialError(
      `the CA file ${caFile} is not what it was when the connection was saved, so another program may have put its own there`,
      'authority_file_changed',
    );
  // A link on the way may have led elsewhere when it was read; nobody else can change that place.
  return textOf(roots, caFile);
}

async function textOf(path: string, named: string): Promise<Buffer> {
  const { content } = await readPemFile(path).catch(() => {
    throw new DialError(`the CA file ${named} could not be read`, 'authority_file');
  });
  const problem = problemOf(content);
  if (problem !== null) throw new DialError(`the CA file ${named} ${problem}`, 'authority_file');
  return content;
}

/**
 * @returns what `readAuthority` compares; null if the file can't be read in time: a save must not
 *   hang at a file system of somebody's own.
 */
export async function authorityDigest(caFile: string): Promise<string | null> {
  const read = readPemFile(caFile, inLookTurn).then(
    ({ content }) => digestOf(content),
    () => null,
  );
  return Promise.race([read, wait(readMilliseconds, null, { ref: false })]);
}

function digestOf(text: Buffer): string {
  return createHash('sha256').update(text).digest('base64');
}

/**
 * @param uid of this daemon; to a daemon of root's, its other programs are like any user's.
 * @returns where the path leads, if only root can change that file or put another in its place, as
 *   with the system's own authorities, which its updates renew; else null.
 */
export async function onlyRoots(path: string, uid: number | null = process.getuid?.() ?? null): Promise<string | null> {
  if (uid === null || uid === 0) return null;
  try {
    const real = await realpath(path);
    const places = new Set([path, real].flatMap(withFolders));
    for (const place of places) {
      const found = await lstat(place);
      // A link's mode says nothing; where it leads is looked at too.
      const isOthers = !found.isSymbolicLink() && (found.mode & 0o022) !== 0;
      if (found.uid !== 0 || isOthers) return null;
    }
    return real;
  } catch {
    return null;
  }
}

function withFolders(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [path, ...withFolders(folder)];
}

function problemOf(text: Buffer): string | null {
  if (text.includes('-----BEGIN CERTIFICATE-----') || text.includes('-----BEGIN TRUSTED CERTIFICATE-----')) return null;
  if (text.toString('latin1').trim() === '') return 'is empty';
  if (text.includes('PRIVATE KEY-----')) return 'holds a private key where a certificate is expected';
  return otherForm(text) ?? 'holds no certificate in PEM';
}
