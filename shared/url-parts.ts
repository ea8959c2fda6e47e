/**
 * The parts for reading a connection's URL: its result, decoding, and absolute paths. Touches no
 * file.
 */

import { isAbsolute, resolve } from 'node:path';
import type { ConnectionUrlView } from './control-commands.ts';

/** What a URL says, except for the tunnel, which ssh-url.ts reads. */
export interface ParsedConnection extends Omit<ConnectionUrlView, 'tunnel'> {
  readonly kind: 'parsed';
}

/** A sentence about options without effect; null if there are none. */
export function ignoredSentence({ ignored }: Pick<ParsedConnection, 'ignored'>): string | null {
  const [first, ...others] = new Set(ignored);
  if (first === undefined) return null;
  const last = others.pop();
  const names = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  return `${names} in the URL ${last === undefined ? 'has' : 'have'} no effect here.`;
}

/** A sentence if the engine was guessed; null if it was told. */
export function guessSentence({
  isEngineGuessed,
  endpoint,
}: Pick<ParsedConnection, 'isEngineGuessed' | 'endpoint'>): string | null {
  if (isEngineGuessed !== true) return null;
  const [taken, other, port] =
    endpoint.engine === 'postgres' ? ['PostgreSQL', 'MySQL', 3306] : ['MySQL', 'PostgreSQL', 5432];
  return `Nothing in the string names its engine, so by its keys it is taken for ${taken}'s; if it is ${other}'s, add Port=${port}.`;
}

export interface RefusedUrl {
  readonly kind: 'refused';
  /** One sentence. From the URL it repeats only the scheme and names of options. */
  readonly problem: string;
}

export type ConnectionUrl = ParsedConnection | RefusedUrl;

/** Part of sentences that refuse another form. */
export const expectedForms =
  'postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file is expected';

/** The base of relative paths. */
export interface PathBase {
  readonly cwd: string;
  readonly home: string;
}

/** Null for `~somebody`: another user's home isn't known. `$HOME/` is `~/`, as a shell takes it. */
export function absolutePath(written: string, { cwd, home }: PathBase): string | null {
  const path = written.replace(/^\$(?:HOME|\{HOME\})(?=\/)/, '~');
  if (path === '~') return home;
  if (path.startsWith('~/')) return resolve(home, path.slice(2));
  if (path.startsWith('~')) return null;
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

export function refusedUrl(problem: string): RefusedUrl {
  return { kind: 'refused', problem };
}

/** Null if a `%` isn't followed by the code of a character. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The name or value of a query item in form encoding: a `+` is a space. Null as in {@link decoded}:
 * strict UTF-8, never a replacement character.
 */
export function decodedItem(text: string): string | null {
  return decoded(text.replaceAll('+', ' '));
}
