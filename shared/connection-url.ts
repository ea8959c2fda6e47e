/**
 * Reads a connection as people write or paste it: a URL of PostgreSQL, MySQL, MariaDB or SQLite,
 * also with JDBC's `jdbc:` or SQLAlchemy's `+driver`; libpq's `key=value` pairs; those of ADO.NET
 * and ODBC; the data source names of Go's MySQL driver, PHP's PDO and Perl's DBI; the path of an
 * SQLite file. A program's name may come before it, as in `psql URL`. Opens nothing. Returns the
 * password separately, and no sentence from here repeats what was read.
 */

import { connectionsOf } from './engine.ts';
import { isGoName, readGoName } from './go-name.ts';
import { plainJdbc } from './jdbc-forms.ts';
import { isKeyValues, readKeyValues } from './key-values.ts';
import { isReference } from './placeholders.ts';
import { isSemicolonPairs, pairsOfPdo, readSemicolonPairs } from './semicolon-pairs.ts';
import { readServerUrl } from './server-url.ts';
import { readSqliteUrl, sqliteFile } from './sqlite-url.ts';
import { type ConnectionUrl, expectedForms, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';
import { schemeOf } from './url-schemes.ts';

export function parseConnectionUrl(typed: string, base: PathBase): ConnectionUrl {
  const text = plainJdbc(undressed(typed));
  if (text === '') return refusedUrl(`The connection's URL is empty; ${expectedForms}.`);
  // URL parsers silently drop line breaks and tabs, so another address would be dialled than was
  // read.
  if (/\p{Cc}/u.test(text)) return refusedUrl('The URL has a control character in it; remove it.');
  if (/\p{Cf}/u.test(text)) return refusedUrl('The URL has an invisible character in it; remove it.');
  const ofLine = connectionOfLine(text);
  if (ofLine === 'flags') return refusedLine();
  if (ofLine !== null) return parseConnectionUrl(ofLine, base);
  const ofGo = readGoName(text, base);
  if (ofGo !== null) return ofGo;
  const pairs = pairsOfPdo(text);
  if (pairs !== null) return pairs.includes(';') ? readSemicolonPairs(pairs, base) : readKeyValues(pairs, base);
  const scheme = schemeOf(text);
  if (scheme === null) return readBareText(text, base);
  if (scheme === 'unknown') return unknownUrl();
  if ('kind' in scheme) return scheme;
  return connectionsOf[scheme.engine].isFile
    ? readSqliteUrl(scheme.rest, base, /^file:/i.test(text))
    : readServerUrl(scheme.engine, text, base);
}

/**
 * Whether a value from a settings file is a connection: of a supported engine, or of one that gets
 * a refusal.
 */
export function isConnectionText(given: string): boolean {
  const value = plainJdbc(given);
  if (pairsOfPdo(value) !== null) return true;
  const scheme = schemeOf(value);
  if (scheme === null || scheme === 'unknown') return isGoName(value) || isKeyValues(value) || isSemicolonPairs(value);
  if ('kind' in scheme) return /^jdbc:|:\/\//i.test(value);
  // Not only SQLite uses `file:`, and `sqlite:*` may be a logger's word.
  if (connectionsOf[scheme.engine].isFile)
    return !/^file:/i.test(value) && /\/|\.(?:db|sqlite3?|s3db)\b/i.test(scheme.rest);
  return scheme.rest.startsWith('//');
}

/**
 * A text without a scheme. Only a text that begins like a path may contain the marks of another
 * form.
 */
function readBareText(text: string, base: PathBase): ConnectionUrl {
  if (/^(?:\.{0,2}|~[^/]*)\//.test(text) || text === ':memory:') return sqliteFile(text, base);
  if (isReference(text)) return refusedUrl('That is a placeholder or a variable; give the URL that belongs there.');
  if (text.includes('=')) {
    const pairs = text.includes('://') ? null : readKeyValues(text, base);
    const others = isSemicolonPairs(text) ? readSemicolonPairs(text, base) : null;
    if (others !== null && pairs?.kind !== 'parsed') return others;
    // `Password=x;Port=1; Host=h` is libpq's too, with another password and port.
    if (others?.kind === 'parsed') return refusedUrl('The pairs can be read in two ways; write Host before Password.');
    if (pairs !== null) return pairs;
  }
  if (text.includes('://')) return refusedUrl('There is a URL with other text around it; give the URL alone.');
  return text.includes(':') || text.startsWith('-') ? unknownUrl() : sqliteFile(text, base);
}

/** The text is not repeated: it may be a user name before a password. */
function unknownUrl(): ConnectionUrl {
  return refusedUrl(
    `That is not a URL that Sallyport knows; ${expectedForms}. A file whose name has a colon is written ./name.`,
  );
}

/** Each opening quote and its closing quote. */
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
 * `NAME=` of shells, programs, Docker, PowerShell, YAML and JSON; fish's `set -x NAME `; and the
 * option before it, `"--dsn", ` or `--dsn `.
 */
const assignment =
  /^(?:(?:(?:export|set|const|let|var|val|ENV|ARG|-e|--env)\s+|-e(?=[a-z_]\w*=)|--env=|\$(?:env:|\{env:)?)?(["']?)[a-z_][a-z0-9_.-]*\1\}?\s*(?:=|:\s)|(?:set(?:\s+--?[a-z]\S*)+|setenv|setx|ENV)\s+[a-z_]\w*\s|["']--[a-z-]+["'],|--?[a-z][a-z-]*(?:=|\s))/i;
/** Of a list in YAML; of Windows, where the quotes are around the whole. */
const beforeItem = /^(?:-\s+(?=["'a-z])|set\s+(?="))/i;

/**
 * Removes what gets copied along with a connection: spaces, line breaks, quotes, the variable's
 * name. A line that assigns it counts as the value, if that is a connection.
 */
function undressed(text: string): string {
  const item = text.trim().replace(beforeItem, '');
  const plain = bareUrl(unquoted(item));
  const before = assignment.exec(item) ?? assignment.exec(plain);
  if (before === null) return plain;
  const given = withoutComment(before.input.slice(before[0].length).replace(/(["'`])[,;]\s*$/, '$1')).trim();
  const value = bareUrl(unquoted(given));
  const isUrl = /^(?:jdbc:)?[a-z][a-z0-9+.-]*:\/\//i.test(plainJdbc(value));
  return isUrl || (value !== given && isSemicolonPairs(value)) ? value : plain;
}

/** Of YAML or a shell. With an @ it may be the rest of a password. */
function withoutComment(text: string): string {
  const at = text.search(/\s#/);
  return at === -1 || text.includes('@', at) ? text : text.slice(0, at);
}

/**
 * In angle brackets, as mails have it; or with the sign after it in a list or a program. A comma
 * behind hosts or in options is libpq's: one more, which is empty.
 */
function bareUrl(text: string): string {
  const [, bracketed] = /^<((?:jdbc:)?[a-z][a-z0-9+.-]*:\/\/[^<>\s]+)>$/i.exec(text) ?? [];
  return bracketed ?? text.replace(/^((?:jdbc:)?[a-z][a-z0-9+.-]*:\/\/[^/?\s]+\/[^?,;\s]+)[,;]$/i, '$1');
}

function unquoted(text: string): string {
  const trimmed = trimmedOf(text);
  const closing = quotes[trimmed.charAt(0)];
  return closing !== undefined && trimmed.length > 1 && trimmed.endsWith(closing)
    ? trimmed.slice(1, -1).trim()
    : trimmed;
}

/** The text without blanks and zero-width spaces at its ends. */
function trimmedOf(text: string): string {
  const characters = [...text];
  const isSeen = (character: string): boolean => !/[\s\p{Cf}]/u.test(character);
  return characters.slice(Math.max(characters.findIndex(isSeen), 0), characters.findLastIndex(isSeen) + 1).join('');
}

/** Variables before the program, and the text after it. */
const line =
  /^((?:\w+=(?:'[^']*'|"[^"]*"|[^ '"]*) +)*)(?:psql|pgcli|pg_dump|pg_restore|usql|cockroach|mysql|mysqldump|mysqlsh|mycli|mariadb|mariadb-dump|sqlite3|litecli|docker|podman|kubectl|sudo) +(.*)$/is;

/**
 * Reads a line pasted from a terminal: `psql 'postgresql://…'` gives its URL.
 * @returns the one connection in the program's arguments; `flags` if it is given in pieces; null
 *   for any other line.
 */
function connectionOfLine(text: string): string | null {
  const [, variables, given] = line.exec(text) ?? [];
  if (variables === undefined || given === undefined) return null;
  const alone = given.trim().replace(/^(?:sql +)?(?:(?:-d|--dbname|--url|--uri)[ =] *)?/i, '');
  const [, quoted] = /^(?:"([^"]*)"|'([^']*)')$/.exec(alone)?.filter(part => part !== undefined) ?? [];
  const isUrl = /^[a-z][a-z\d+.-]*:\/\/[^ '"]+$/i.test(alone);
  if (variables !== '' || (quoted === undefined && !isUrl)) return 'flags';
  return quoted ?? alone;
}

function refusedLine(): RefusedUrl {
  return refusedUrl(
    'That is a command line; write the server, port, database and user that it names as postgres://user@host:port/database or mysql://user@host:port/database, and give the password separately.',
  );
}
