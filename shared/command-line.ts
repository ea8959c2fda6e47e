/** What people paste of a terminal: `psql 'postgresql://…'` is read as its URL. Part of `connection-url.ts`; runs nothing. */

import { type RefusedUrl, refusedUrl } from './url-parts.ts';

/** Variables before the program, and what stands behind it. */
const line =
  /^((?:\w+=(?:'[^']*'|"[^"]*"|[^ '"]*) +)*)(?:psql|pgcli|pg_dump|pg_restore|usql|cockroach|mysql|mysqldump|mysqlsh|mycli|mariadb|mariadb-dump|sqlite3|litecli|docker|podman|kubectl|sudo) +(.*)$/is;

/** @returns the one connection that is given to the program, `flags` where it is given in pieces, null for what is no such line. */
export function connectionOfLine(text: string): string | null {
  const [, variables, given] = line.exec(text) ?? [];
  if (variables === undefined || given === undefined) return null;
  const alone = given.trim().replace(/^(?:sql +)?(?:(?:-d|--dbname|--url|--uri)[ =] *)?/i, '');
  const [, quoted] = /^(?:"([^"]*)"|'([^']*)')$/.exec(alone)?.filter(part => part !== undefined) ?? [];
  const isUrl = /^[a-z][a-z\d+.-]*:\/\/[^ '"]+$/i.test(alone);
  if (variables !== '' || (quoted === undefined && !isUrl)) return 'flags';
  return quoted ?? alone;
}

export function refusedLine(): RefusedUrl {
  return refusedUrl(
    'That is a command line; write the server, port, database and user that it names as postgres://user@host:port/database or mysql://user@host:port/database, and give the password apart.',
  );
}
