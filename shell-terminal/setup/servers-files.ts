/**
 * Databases that the own files of PostgreSQL's and MySQL's clients name: `pg_service.conf`,
 * `.my.cnf`.
 */

import { join } from 'node:path';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type Found, nothingFound, together, unusable } from './candidate.ts';
import { sectionsOf, textOf, unquoted, type Values } from './files.ts';
import { inOptionFile } from './option-file.ts';
import { keyValues } from './variables.ts';

/** @param environment where PGSERVICEFILE may name another. */
export function inServersFiles(base: PathBase, environment: Readonly<Record<string, string | undefined>>): Found {
  return together([
    inServiceFile(environment.PGSERVICEFILE || join(base.home, '.pg_service.conf'), base),
    inOptionFile(join(base.home, '.my.cnf'), base),
  ]);
}

/** PostgreSQL's manual, "The Connection Service File": an INI file, a section a service. */
function inServiceFile(path: string, base: PathBase): Found {
  return together(
    sectionsOf(textOf(path) ?? '', unquoted).map(([name, values]): Found => {
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

/** What a connection understands, and what changes it in a way that is refused by name. */
const serviceKeys =
  'host port dbname user password sslmode sslrootcert sslcert sslkey target_session_attrs hostaddr options'.split(' ');

function ofService(values: Values): Values {
  return Object.fromEntries(serviceKeys.map(key => [key, values[key]]));
}
