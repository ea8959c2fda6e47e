/**
 * Reads a connection as people write it: a URL of PostgreSQL, MySQL, MariaDB or SQLite, or the bare path of an SQLite file.
 * Opens nothing. The password is handed out apart, and no sentence from here ever repeats what was read.
 */

import { readServerUrl } from './server-url.ts';
import { absolutePath, type ConnectionUrl, decoded, type PathBase, refusedUrl } from './url-parts.ts';

const forms =
  'postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file is expected';

export function parseConnectionUrl(text: string, base: PathBase): ConnectionUrl {
  if (text.trim() === '') return refusedUrl(`The connection's URL is empty; ${forms}.`);
  // Parsers of URLs drop line breaks and tabs silently: what is dialled would not be what was read.
  if (/\p{Cc}/u.test(text)) return refusedUrl('The URL has a control character in it; remove it.');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return readServerUrl('postgres', text, base);
    case 'mysql':
    case 'mariadb':
      return readServerUrl('mysql', text, base);
    case 'sqlite':
      return readSqliteUrl(text.slice('sqlite:'.length), base);
    case undefined:
      return sqliteFile(text, base);
    default:
      // Not quoted: it may be a user name before a password.
      return refusedUrl(`That is no URL Sallyport knows; ${forms}. A file whose name has a colon is written ./name.`);
  }
}

/** `sqlite:path`, `sqlite://path` and `sqlite:///absolute/path`, percent-decoded. */
function readSqliteUrl(rest: string, base: PathBase): ConnectionUrl {
  const [path = '', query] = rest.split('?', 2);
  if (query !== undefined) {
    const [option = ''] = query.split(/[=&]/, 1);
    return refusedUrl(`sqlite: takes no option ${JSON.stringify(option)}; a ? in a file's name is written %3F.`);
  }
  const name = decoded(path.startsWith('//') ? path.slice(2) : path);
  if (name === null) return refusedUrl('A % in the path is not followed by two hexadecimal digits; write it %25.');
  if (/\p{Cc}/u.test(name)) return refusedUrl('The path has a control character in it; remove it.');
  return sqliteFile(name, base);
}

function sqliteFile(path: string, base: PathBase): ConnectionUrl {
  if (path === '') return refusedUrl('sqlite: needs the path of a file.');
  if (path === ':memory:') return refusedUrl('A database in memory belongs to one process; give the path of a file.');
  const filePath = absolutePath(path, base);
  if (filePath === null) return refusedUrl("Another user's home (~name) is not looked up; write the path out.");
  return {
    kind: 'parsed',
    endpoint: { engine: 'sqlite', host: null, port: null, socketPath: null, filePath, database: null, user: null },
    tls: { mode: null, caFile: null },
    password: null,
  };
}
