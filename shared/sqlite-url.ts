/** Reads the URL or the path of an SQLite file. Part of `connection-url.ts`; touches no file. */

import { refusedOption } from './refused-options.ts';
import { pairsIn } from './url-options.ts';
import { absolutePath, type ConnectionUrl, decoded, type PathBase, refusedUrl } from './url-parts.ts';

/**
 * `sqlite:path`, `sqlite://path` and `sqlite:///absolute/path`, percent-decoded.
 * @param isFile true if it begins with `file:`, whose three slashes always mean an absolute path.
 */
export function readSqliteUrl(rest: string, base: PathBase, isFile: boolean): ConnectionUrl {
  const mark = rest.indexOf('?');
  const written = mark === -1 ? rest : rest.slice(0, mark);
  const ignored: string[] = [];
  for (const { name, value, hasValue } of pairsIn(mark === -1 ? '' : rest.slice(mark + 1))) {
    // Doesn't repeat a name that isn't an option: it may be part of a password.
    if (name === null || value === null || !hasValue || !/^_?[a-z][a-z._-]{0,39}$/i.test(name))
      return refusedUrl("sqlite: takes no options of an unusual name; a ? in a file's name is written %3F.");
    const refused = refusedOption('sqlite', name, value);
    if (refused !== null) return refused;
    ignored.push(name);
  }
  const name = decoded(written.startsWith('//') ? written.slice(2) : written);
  if (name === null) return refusedUrl('A % in the path is not followed by two hexadecimal digits; write it %25.');
  if (/\p{Cc}/u.test(name)) return refusedUrl('The path has a control character in it; remove it.');
  // SQLAlchemy and Django write three slashes before a relative path, and before things that aren't
  // paths.
  const isAlone = written.startsWith('///') && !isFile && /^\/[^/]+$/.test(name);
  return sqliteFile(isAlone ? name.slice(1) : name.replace(/^\/(?=\.{1,2}\/|:memory:$)/, ''), base, ignored);
}

export function sqliteFile(path: string, base: PathBase, ignored: readonly string[] = []): ConnectionUrl {
  if (path === '') return refusedUrl('sqlite: needs the path of a file.');
  if (path === ':memory:') return refusedUrl('A database in memory belongs to one process; give the path of a file.');
  const filePath = absolutePath(path, base);
  if (filePath === null) return refusedUrl("Another user's home (~name) is not looked up; write the whole path.");
  return {
    kind: 'parsed',
    endpoint: { engine: 'sqlite', host: null, port: null, socketPath: null, filePath, database: null, user: null },
    tls: { mode: null, caFile: null },
    password: null,
    ignored,
  };
}
