/**
 * Connection strings of ADO.NET and ODBC, `Server=h;Database=d;User Id=u;Password=p`: recognised by
 * their keys, and refused with what to give instead.
 */

import { type RefusedUrl, refusedUrl } from './url-parts.ts';
import { notSupported } from './url-schemes.ts';

const places = new Set('server host datasource addr address networkaddress driver provider dsn'.split(' '));
const others = new Set(
  'database initialcatalog uid userid user username pwd password port sslmode encrypt integratedsecurity trustedconnection version'.split(
    ' ',
  ),
);
/** Keys that only SQL Server has. */
const ofSqlServer = /^(?:initialcatalog|trustedconnection|multipleactiveresultsets|attachdbfilename|encrypt)$/;

/** Keys in lower case, without blanks. A value may be any text, so it is never repeated. */
function pairsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').flatMap(part => {
      const at = part.indexOf('=');
      if (at < 1) return [];
      // Before it may come the key of a JSON file, and a quote.
      const key =
        part
          .slice(0, at)
          .split(/[^a-z _]/i)
          .at(-1) ?? '';
      return [[key.toLowerCase().replace(/[ _]/g, ''), part.slice(at + 1).trim()] as const];
    }),
  );
}

/** Whether a value from a settings file is such a string. */
export function isSemicolonPairs(text: string): boolean {
  const keys = [...pairsIn(text).keys()];
  if (/^ *data source *=/i.test(text)) return true;
  return text.includes(';') && keys.some(key => places.has(key)) && keys.some(key => others.has(key));
}

export function refusedSemicolonPairs(text: string): RefusedUrl {
  const pairs = pairsIn(text);
  const source = pairs.get('datasource') ?? '';
  const program = `${pairs.get('driver') ?? ''} ${pairs.get('provider') ?? ''}`;
  const server = pairs.get('server') ?? source;
  const isSqlServer = [...pairs.keys()].some(key => ofSqlServer.test(key)) || /^tcp:|^\(localdb\)/i.test(server);
  if (isSqlServer || /sql server/i.test(program))
    return refusedUrl(`That is not a URL that Sallyport knows: ${notSupported('SQL Server')}`);
  if (/sqlite/i.test(program) || pairs.has('version') || /\.(?:db3?|sqlite3?|s3db)["']?$/i.test(source))
    return refusedUrl("Sallyport doesn't read ODBC or ADO.NET strings; give the path of the SQLite file alone.");
  const postgres = 'postgres://user@host:port/database';
  const mysql = 'mysql://user@host:port/database';
  const isPostgres = /postgres|psql|npgsql/i.test(program) || pairs.get('port') === '5432' || pairs.has('username');
  const isMysql = /mysql|maria/i.test(program) || pairs.get('port') === '3306';
  const form = isMysql ? mysql : isPostgres ? postgres : `${postgres} or ${mysql}`;
  return refusedUrl(
    `Sallyport doesn't read ODBC or ADO.NET strings; write the server, port, database and user of this one as ${form}, and give the password separately.`,
  );
}
