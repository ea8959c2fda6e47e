/**
 * The database in `.my.cnf`, as clients of MySQL and MariaDB read it (MySQL's manual, "Using Option
 * Files").
 */

import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { sectionsOf, textOf, unquoted, type Values } from './files.ts';
import { connectionOfParts } from './parts.ts';

/** The groups that `mysql` and `mariadb` read. Later lines win, whatever their group. */
const groups = new Set(['client', 'client-server', 'client-mariadb', 'mysql', 'mariadb-client']);
const deepestInclude = 10;

export function inOptionFile(path: string, base: PathBase): FoundDatabases {
  const sections = sectionsOf(withIncluded(path, []), optionValue);
  const suffixes = new Set(sections.flatMap(([name]) => /^(?:client|mysql)(_.+)$/.exec(name)?.[1] ?? []));
  const usual: Values = Object.assign({}, ...sections.flatMap(([name, values]) => (groups.has(name) ? [values] : [])));
  return mergeFound([
    ofOptions(usual, null, path, base),
    // `mysql --defaults-group-suffix=_testing` reads these too.
    ...[...suffixes].map(suffix => {
      const own = sections.filter(([name]) => name === `client${suffix}` || name === `mysql${suffix}`);
      return ofOptions(Object.assign({}, usual, ...own.map(([, values]) => values)), suffix.slice(1), path, base);
    }),
  ]);
}

function ofOptions(options: Values, called: string | null, path: string, base: PathBase): FoundDatabases {
  const { host = 'localhost', socket, user, password, database, port, protocol } = options;
  if (options.host === undefined && socket === undefined && user === undefined) return nothingFound;
  // As MySQL's own clients read it, the socket counts only for `localhost`.
  const isSocket = socket !== undefined && host === 'localhost' && protocol?.toLowerCase() !== 'tcp';
  const connection = connectionOfParts(
    {
      engine: 'mysql',
      user,
      password,
      database,
      ...(isSocket ? { socket } : { host: host === 'localhost' ? '127.0.0.1' : host, port }),
      options: Object.fromEntries(tlsNames.map(name => [name, options[name] ?? options[name.replace('-', '_')]])),
    },
    base,
  );
  if (connection.kind === 'refused') return unusable(path, connection.problem);
  return { candidates: [{ name: database ?? called ?? 'mysql', from: path, connection }], unreadable: [] };
}

const tlsNames = ['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key'] as const;

/** With included files in their place. @param within the files being read. */
function withIncluded(path: string, within: readonly string[]): string {
  const text = textOf(path);
  if (text === null || within.includes(path) || within.length >= deepestInclude) return '';
  const lines = text.split(/\r?\n/).flatMap(line => {
    const [, word, named = ''] = /^!(include|includedir)\s+(\S.*)$/.exec(line.trim()) ?? [];
    if (word === undefined) return [line];
    const place = resolve(dirname(path), named);
    const files = word === 'include' ? [place] : optionFilesIn(place);
    return files.map(file => withIncluded(file, [...within, path]));
  });
  return lines.join('\n');
}

function optionFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => /\.(?:cnf|ini)$/.test(name))
      .toSorted()
      .map(name => join(folder, name));
  } catch {
    return [];
  }
}

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', s: ' ' };

function optionValue(typed: string): string {
  const value = unquoted(beforeComment(typed).trim());
  return value.replace(/\\([ntrbs"'\\])/g, (_, letter: string) => escaped[letter] ?? letter);
}

/** A # outside quotes begins a comment, even inside a word. */
function beforeComment(typed: string): string {
  let quote = '';
  for (let at = 0; at < typed.length; at += 1) {
    const character = typed.charAt(at);
    if (quote === '' && character === '#') return typed.slice(0, at);
    if (quote !== '' && character === '\\') at += 1;
    else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
  }
  return typed;
}
