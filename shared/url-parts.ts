/**
 * What reading a connection's URL is made of: the result, decoding, and making paths absolute.
 * Touches no file.
 */

import { isAbsolute, resolve } from 'node:path';
import type { ConnectionUrlView } from './control-commands.ts';

/** Whether a tunnel stands before it is for ssh-url.ts to read. */
export interface ParsedConnection extends Omit<ConnectionUrlView, 'tunnel'> {
  readonly kind: 'parsed';
}

/** What to tell a person of options that have no effect; null where there are none. */
export function ignoredSentence({ ignored }: Pick<ParsedConnection, 'ignored'>): string | null {
  const [first, ...others] = new Set(ignored);
  if (first === undefined) return null;
  const last = others.pop();
  const names = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  return `${names} in the URL ${last === undefined ? 'has' : 'have'} no effect here.`;
}

export interface RefusedUrl {
  readonly kind: 'refused';
  /** One sentence, without any part of the URL but its scheme and the names of its options. */
  readonly problem: string;
}

export type ConnectionUrl = ParsedConnection | RefusedUrl;

/** Part of the sentences that refuse something else. */
export const expectedForms =
  'postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file is expected';

/** What relative paths are made absolute against. */
export interface PathBase {
  readonly cwd: string;
  readonly home: string;
}

/** Null for `~somebody`, whose home is not ours to know. */
export function absolutePath(path: string, { cwd, home }: PathBase): string | null {
  if (path === '~') return home;
  if (path.startsWith('~/')) return resolve(home, path.slice(2));
  if (path.startsWith('~')) return null;
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

export function refusedUrl(problem: string): RefusedUrl {
  return { kind: 'refused', problem };
}

/** Null where `%` is not followed by the code of a character. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The name or value of a query item, as forms write it: a `+` is a space. Null as {@link decoded}:
 * strict UTF-8, never a replacement character.
 */
export function decodedItem(text: string): string | null {
  return decoded(text.replaceAll('+', ' '));
}
