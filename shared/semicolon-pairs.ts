/**
 * Connection strings of ADO.NET and ODBC, `Server=h;Database=d;User Id=u;Password=p`: recognised by
 * their keys, and refused. No value of theirs is read.
 */

import { type RefusedUrl, refusedUrl } from './url-parts.ts';

/** Before a key may come the key of a JSON file, and a quote. */
const place = /(?:^|[;"'])\s?(?:server|host|data ?source|addr|address|network ?address|driver|provider|dsn) ?=/i;
const other =
  /(?:^|[;"'])\s?(?:database|initial catalog|uid|user ?id|user|user ?name|pwd|password|port|ssl ?mode|encrypt|integrated security|trusted[ _]connection|version) ?=/i;

/** Whether a value from a settings file is such a string. */
export function isSemicolonPairs(text: string): boolean {
  return /^ *data source *=/i.test(text) || (text.includes(';') && place.test(text) && other.test(text));
}

export const refusedSemicolonPairs: RefusedUrl = refusedUrl(
  "Sallyport doesn't read ODBC or ADO.NET strings; write the server, port, database and user of this one as postgres://user@host:port/database or mysql://user@host:port/database, or the path of the SQLite file alone, and give the password separately.",
);
