/**
 * Reads a connection as people write or paste it: a URL of PostgreSQL, MySQL, MariaDB or SQLite, with JDBC's `jdbc:` before it or
 * SQLAlchemy's `+driver` in its scheme, libpq's `key=value` pairs, or the
 * bare path of an SQLite file. Opens nothing. The password is handed out apart, and no sentence from here ever repeats what was read.
 */

import { readKeyValues } from './key-values.ts';
import { readServerUrl } from './server-url.ts';
import { absolutePath, type ConnectionUrl, decoded, expectedForms, type PathBase, refusedUrl } from './url-parts.ts';

export function parseConnectionUrl(typed: string, base: PathBase): ConnectionUrl {
  const text = undressed(typed);
  if (text === '') return refusedUrl(`The connection's URL is empty; ${expectedForms}.`);
  // Parsers of URLs drop line breaks and tabs silently: what is dialled would not be what was read.
  if (/\p{Cc}/u.test(text)) return refusedUrl('The URL has a control character in it; remove it.');
  const [whole, scheme] = /^(?:jdbc:)?([a-z][a-z0-9.-]*)(?:\+[a-z0-9_]+)?:/i.exec(text) ?? [];
  switch (scheme?.toLowerCase()) {
    case 'postgres':
    case 'postgresql':
    case 'postgis':
      return readServerUrl('postgres', text.replace(/^jdbc:/i, ''), base);
    case 'mysql':
    case 'mysql2':
    case 'mariadb':
      return readServerUrl('mysql', text.replace(/^jdbc:/i, ''), base);
    case 'sqlite':
    case 'sqlite3':
    // Prisma's.
    case 'file':
      return readSqliteUrl(text.slice(whole?.length), base);
    case undefined:
      return readBareText(text, base);
    default:
      return unknownUrl();
  }
}

/** What begins with no scheme. Only what begins like a path may hold the characters that mark another form. */
function readBareText(text: string, base: PathBase): ConnectionUrl {
  if (/^(?:\.{0,2}|~[^/]*)\//.test(text) || text === ':memory:') return sqliteFile(text, base);
  if (text.includes('://')) {
    return refusedUrl('There is a URL with something else around it; give the URL alone.');
  }
  if (text.includes('=')) return readKeyValues(text, base);
  return text.includes(':') || text.startsWith('-') ? unknownUrl() : sqliteFile(text, base);
}

/** Not quoted: it may be a user name before a password. */
function unknownUrl(): ConnectionUrl {
  return refusedUrl(
    `That is no URL Sallyport knows; ${expectedForms}. A file whose name has a colon is written ./name.`,
  );
}

/** `sqlite:path`, `sqlite://path` and `sqlite:///absolute/path`, percent-decoded. */
function readSqliteUrl(rest: string, base: PathBase): ConnectionUrl {
  // The name of an option is not repeated: it may be a piece of a password.
  if (rest.includes('?')) return refusedUrl("sqlite: takes no options; a ? in a file's name is written %3F.");
  const name = decoded(rest.startsWith('//') ? rest.slice(2) : rest);
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
    ignored: [],
  };
}

/** Each opening quote with the one that closes it. */
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '„': '“',
  '«': '»',
};

/**
 * Without what comes along when a connection is copied: spaces, line breaks, quotes, the variable it was assigned to. A line of a
 * shell or an `.env` file is taken for what it assigns where that is a URL.
 */
function undressed(text: string): string {
  const plain = unquoted(text);
  const assignment = /^(?:export\s+|set\s+)?[a-z_][a-z0-9_]*\s*=/i.exec(plain);
  if (assignment === null) return plain;
  const value = unquoted(plain.slice(assignment[0].length));
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : plain;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const closing = quotes[trimmed.charAt(0)];
  return closing !== undefined && trimmed.length > 1 && trimmed.endsWith(closing)
    ? trimmed.slice(1, -1).trim()
    : trimmed;
}
