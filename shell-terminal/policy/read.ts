/**
 * Reads a policy file (spec §6): its bytes once, what they say as YAML, and at which line each part
 * stands. What a policy may say is the daemon's to judge.
 */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { shellWord } from '../../shared/client-configs.ts';
import { CliError, exitCodes, misuse } from '../cli-error.ts';
import { valueOfYaml } from './yaml.ts';

export interface PolicyText {
  /** As it was named. */
  readonly named: string;
  /** For the daemon: its real path, and SHA-256 of its bytes in hexadecimal digits. */
  readonly file: { readonly path: string; readonly digest: string };
  /** What it says, as JSON. */
  readonly policy: string;
  /** Line of a part such as `connections.0.hide.1`, or of what it is in. */
  lineOf(field: string): number;
}

/** As many characters as the daemon takes. */
const mostBytes = 262_144;

/** @throws CliError that quotes nothing of the file: it may hold what doesn't belong there. */
export async function readPolicyFile(named: string, folder: string): Promise<PolicyText> {
  const { path, bytes } = bytesOf(named, isAbsolute(named) ? named : join(folder, named));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw misuse(`${named} is not UTF-8 text.`);
  }
  const lineWithPassword = text.split('\n').findIndex(holdsPassword);
  if (lineWithPassword >= 0)
    throw misuse(
      `${named}, line ${lineWithPassword + 1}: a URL with a password; a policy file holds none, so take it out and change that password.`,
    );
  const read = await valueOfYaml(text);
  if ('why' in read) throw misuse(`${named}, line ${read.line}, column ${read.column}: ${read.why}.`);
  const policy = JSON.stringify(read.value);
  // As JSON, a character such as `\0` is three times as long.
  if (policy.length > mostBytes) throw misuse(tooLarge(named));
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { named, file: { path, digest }, policy, lineOf: read.lineOf };
}

/** The daemon's refusal of a part of the file, with its line. Others as they are. */
export function withLine(error: unknown, { named, lineOf }: PolicyText): unknown {
  const refused = error instanceof CliError && error.exitCode === exitCodes.misuse ? error.told.refused : null;
  if (!(error instanceof CliError) || refused == null) return error;
  const { field, why } = refused;
  const part = field.replace(/^(?:connections\.\d+|settings)\.?/, '').replace(/\.\d+$/, '');
  const sentence = `${named}, line ${lineOf(field)}: ${part === '' ? '' : `${part}: `}${why}.`;
  return new CliError(error.exitCode, sentence, error.told);
}

/** `scheme://user:password@`, wherever it stands. */
function holdsPassword(line: string): boolean {
  const [, ...places] = line.split('://');
  return places.some(place => /^[^\s/:@]*:[^\s@]+@/.test(place));
}

/** From one descriptor, so what is checked is what is read. @throws CliError */
function bytesOf(named: string, place: string): { readonly path: string; readonly bytes: Buffer } {
  let descriptor: number;
  let path: string;
  try {
    path = realpathSync(place);
    // O_NONBLOCK: a FIFO here must not hang the reader.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw misuse(`${named} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    const problem = problemOf(fstatSync(descriptor), named);
    if (problem !== null) throw misuse(problem);
    const bytes = readFileSync(descriptor);
    if (bytes.length > mostBytes) throw misuse(tooLarge(named));
    return { path, bytes };
  } finally {
    closeSync(descriptor);
  }
}

const tooLarge = (named: string): string =>
  `${named} is larger than ${mostBytes / 1_024} KiB, so it is no policy file.`;

/** Who else may write it could narrow what its person works with, or have them confirm more. */
function problemOf(stats: Stats, named: string): string | null {
  if (!stats.isFile()) return `${named} is not a regular file.`;
  if (stats.size > mostBytes) return tooLarge(named);
  if (stats.uid !== process.getuid?.() && stats.uid !== 0)
    return `${named} belongs to another user; copy it into a file of your own.`;
  if ((stats.mode & 0o022) === 0) return null;
  return `${named} can be written by others; read what it says, then \`chmod go-w ${shellWord(named)}\`.`;
}
