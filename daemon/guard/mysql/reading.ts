/**
 * The ways in which one text can be read: by sql_mode, by character set, and by the server that
 * looks at its executable comments.
 */

/**
 * - `escapes`: a backslash in a string escapes what follows;
 * - `literal`: NO_BACKSLASH_ESCAPES;
 * - `leadByte`: a backslash after a non-ASCII character belongs to that character (gbk, big5, sjis:
 *   the quote eater).
 */
type Backslash = 'escapes' | 'literal' | 'leadByte';

/** A server, which decides whether the content of `/*!50000 … *\/` is code. */
interface CommentServer {
  readonly flavor: 'mysql' | 'mariadb';
  /** As the comment writes it: 80400 for 8.4.0, 101100 for 10.11. */
  readonly version: number;
  /** How many digits after the mark this server takes for a version. */
  readonly digits: 5 | 6;
}

export interface Reading {
  readonly ansiQuotes: boolean;
  readonly backslash: Backslash;
  readonly server: CommentServer;
}

/**
 * No server exists from this version on, so such a comment isn't code anywhere yet (spec §7,
 * `/*!99999`).
 */
const noServerYet = { 5: 99_000, 6: 990_000 } as const;

/** The oldest servers anyone still dials: 5.5 of either kind, and MariaDB 10.0. */
const oldest = { mysql: 50_500, mariadb: 100_000 } as const;

/** Nobody writes SQL with more version marks than this in one statement. */
const maxVersionMarks = 8;

const mark = /\/\*M?!(\d{0,6})/g;

/**
 * @returns the text after the mark that the server skips as a version, and whether it runs what
 * follows.
 */
export function executes(server: CommentServer, mariadbOnly: boolean, digits: string): { skip: number; run: boolean } {
  if (mariadbOnly && server.flavor === 'mysql') return { skip: 0, run: false };
  if (digits.length < 5) return { skip: 0, run: true };
  const taken = digits.slice(0, server.digits);
  const version = Number(taken);
  // Every MariaDB since 10.0 runs `/*M!99999`: its own versions have six digits.
  const isFuture = version >= noServerYet[taken.length === 6 || mariadbOnly ? 6 : 5];
  // MariaDB ignores `/*!` marks of MySQL 5.7 to 9.x, but not `/*M!` ones.
  const isForMysql = server.flavor === 'mariadb' && !mariadbOnly && version >= 50_700 && version < 100_000;
  return { skip: taken.length, run: !isFuture && !isForMysql && version <= server.version };
}

/**
 * @returns every server that treats the text's executable comments in its own way; one server if
 *   there are no such comments.
 */
function servers(text: string): CommentServer[] | null {
  const marks = [...text.matchAll(mark)].map(found => found[1] ?? '');
  if (marks.length === 0) return [{ flavor: 'mysql', version: oldest.mysql, digits: 5 }];
  const versions = new Set(marks.flatMap(digits => [Number(digits.slice(0, 5)), Number(digits)]));
  if (versions.size > maxVersionMarks) return null;
  const hasSix = marks.some(digits => digits.length === 6);
  const found: CommentServer[] = [];
  for (const flavor of ['mysql', 'mariadb'] as const) {
    for (const version of new Set([oldest[flavor], ...versions])) {
      if (version < oldest[flavor]) continue;
      found.push({ flavor, version, digits: hasSix ? 6 : 5 });
      if (hasSix && flavor === 'mysql') found.push({ flavor, version, digits: 5 });
    }
  }
  return found;
}

/**
 * @returns every reading that can differ for this text, the servers' default first; null if there
 *   are too many version marks.
 */
export function readings(text: string): Reading[] | null {
  const commentServers = servers(text);
  if (commentServers === null) return null;
  const backslashes: Backslash[] = ['escapes'];
  if (text.includes('\\')) backslashes.push('literal');
  if (/[^\0-\x7f]\\/.test(text)) backslashes.push('leadByte');
  const quotes = text.includes('"') ? [false, true] : [false];
  return commentServers.flatMap(server =>
    backslashes.flatMap(backslash => quotes.map(ansiQuotes => ({ ansiQuotes, backslash, server }))),
  );
}
