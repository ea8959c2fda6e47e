/**
 * Reads libpq's connection strings, `host=h user=u password='p'` (PostgreSQL's manual,
 * "Keyword/Value Connection Strings"). Part of `connection-url.ts`; repeats no secrets either.
 */

import { isRefusable, refusedOption } from './refused-options.ts';
import { connectionOf } from './server-url.ts';
import {
  type GivenOptions,
  isKeyPassphrase,
  isKnownWithoutEffect,
  optionNamed,
  refusedKeyPassphrase,
} from './url-options.ts';
import { type ConnectionUrl, type PathBase, refusedUrl } from './url-parts.ts';

const knownKeys =
  'the keys are host, port, dbname, user, password, sslmode and sslrootcert, and a value with a space is in single quotes';

export function readKeyValues(text: string, base: PathBase): ConnectionUrl {
  const given: GivenOptions = {};
  const ignored: string[] = [];
  for (const [key, value, isQuoted] of pairsOf(text)) {
    const name = key?.toLowerCase();
    if (name !== undefined && (isRefusable(name) || isKnownWithoutEffect(name))) {
      const refused = refusedOption('server', name, value);
      if (refused !== null) return refused;
      if (!isQuoted && value.includes(';')) return notLibpq;
      ignored.push(name);
      continue;
    }
    if (isKeyPassphrase(name)) return refusedKeyPassphrase();
    const option = name === undefined ? undefined : optionNamed(name);
    // Other forms separate pairs by semicolons; in an unquoted value here, one would take in the
    // next pair.
    if (option === undefined || (option !== 'password' && !isQuoted && value.includes(';'))) return notLibpq;
    if (given[option] !== undefined) return refusedUrl('One of the keys is there twice; remove one.');
    if (value !== '') given[option] = value;
  }
  if (given.host === undefined && given.socket === undefined) return refusedUrl('The key host is missing; add host=….');
  return connectionOf('postgres', given, ignored, base);
}

/** Whether a text can be nothing else: it names a host, and a database or an account. */
export function isKeyValues(text: string): boolean {
  const keys = [...pairsOf(text)].map(([key]) => key?.toLowerCase());
  return !keys.includes(undefined) && keys.includes('host') && ['dbname', 'user'].some(key => keys.includes(key));
}

/** Repeats no key: it may be part of an unquoted password. */
const notLibpq: ConnectionUrl = refusedUrl(
  `The key=value pairs can't be read; ${knownKeys}. A file whose name has a = is written ./name.`,
);

/**
 * Like libpq: a backslash keeps the next character, inside and outside quotes. A null key marks
 * unreadable text and ends the list.
 */
function* pairsOf(text: string): Generator<readonly [key: string | null, value: string, isQuoted: boolean]> {
  // The space is the only white space here: control characters are refused earlier.
  const pair = / *([^ =]+) *= *(?:'((?:[^'\\]|\\.)*)'|((?!')(?:[^ \\]|\\.)*)) */suy;
  while (pair.lastIndex < text.length) {
    const [, key = null, quoted, unquoted = ''] = pair.exec(text) ?? [];
    yield [key, (quoted ?? unquoted).replace(/\\(.)/gsu, '$1'), quoted !== undefined];
    if (key === null) return;
  }
}
