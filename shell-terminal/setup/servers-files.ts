/** Databases in the files of PostgreSQL's and MySQL's own clients: `pg_service.conf`, `.my.cnf`. */

import { join } from 'node:path';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { sectionsOf, textOf, unquoted, type Values } from './files.ts';
import { inOptionFile } from './option-file.ts';
import { keyValues } from './variables.ts';

/** @param environment its PGSERVICEFILE may name another file. */
export function inServersFiles(
  base: PathBase,
  environment: Readonly<Record<string, string | undefined>>,
): FoundDatabases {
  return mergeFound([
    inServiceFile(environment.PGSERVICEFILE || join(base.home, '.pg_service.conf'), base),
    inOptionFile(join(base.home, '.my.cnf'), base),
  ]);
}

/** PostgreSQL's manual, "The Connection Service File": an INI file with a section per service. */
function inServiceFile(path: string, base: PathBase): FoundDatabases {
  return mergeFound(
    sectionsOf(textOf(path) ?? '', unquoted).map(([name, values]): FoundDatabases => {
      const from = `service ${name} in ${path}`;
      if (values.host === undefined) {
        const isMeant = values.dbname !== undefined || values.user !== undefined;
        return isMeant ? unusable(from, 'It names no host.') : nothingFound;
      }
      const connection = parseConnectionUrl(keyValues(ofService(values)), base);
      if (connection.kind === 'refused') return unusable(from, connection.problem);
      return { candidates: [{ name, from: path, connection }], unreadable: [] };
    }),
  );
}

/** Keys that a connection understands, and keys that are refused by name. */
const serviceKeys =
  'host port dbname user password sslmode sslrootcert sslcert sslkey target_session_attrs require_auth channel_binding hostaddr options'.split(
    ' ',
  );

function ofService(values: Values): Values {
  return Object.fromEntries(serviceKeys.map(key => [key, values[key]]));
}
