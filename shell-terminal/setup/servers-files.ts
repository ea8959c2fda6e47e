/** Databases in the files of PostgreSQL's and MySQL's own clients: `pg_service.conf`, `.my.cnf`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { sectionsOf, textOf, unquoted, type Values } from './files.ts';
import { inOptionFile } from './option-file.ts';
import { readPasswordFile, withPasswordFrom } from './password-file.ts';
import { keyValues } from './variables.ts';

/** @param environment PGSERVICEFILE and PGSYSCONFDIR in it may name other places. */
export function inServersFiles(
  base: PathBase,
  environment: Readonly<Record<string, string | undefined>>,
): FoundDatabases {
  const own = inServiceFile(environment.PGSERVICEFILE || join(base.home, '.pg_service.conf'), base);
  const systems = inServiceFile(join(environment.PGSYSCONFDIR || debiansFolder, 'pg_service.conf'), base);
  const named = new Set(own.candidates.map(({ name }) => name));
  return mergeFound([
    own,
    { ...systems, candidates: systems.candidates.filter(({ name }) => !named.has(name)) },
    inOptionFile(join(base.home, '.my.cnf'), base),
    existsSync(join(base.home, '.mylogin.cnf'))
      ? unusable(
          join(base.home, '.mylogin.cnf'),
          'Its passwords are scrambled, so it is not read; give the URL instead.',
        )
      : nothingFound,
  ]);
}

/** Where Debian's libpq looks; `pg_config --sysconfdir` tells others. */
const debiansFolder = '/etc/postgresql-common';

/** PostgreSQL's manual, "The Connection Service File": an INI file with a section per service. */
function inServiceFile(path: string, base: PathBase): FoundDatabases {
  return mergeFound(
    sectionsOf(textOf(path) ?? '', unquoted).map(([name, values]): FoundDatabases => {
      const from = `service ${name} in ${path}`;
      if (values.host === undefined && values.dbname === undefined && values.user === undefined) return nothingFound;
      const connection = parseConnectionUrl(keyValues({ host: socketFolder(), ...ofService(values) }), base);
      if (connection.kind === 'refused') return unusable(from, connection.problem);
      const candidate = { name, from: path, connection };
      const { passfile } = values;
      const whole = passfile === undefined ? candidate : withPasswordFrom(readPasswordFile(passfile), candidate);
      return { candidates: [whole], unreadable: [] };
    }),
  );
}

/** libpq's default without a host, which its packager chose. */
function socketFolder(): string {
  return existsSync('/var/run/postgresql') ? '/var/run/postgresql' : '/tmp';
}

/** Keys that a connection understands, and keys that are refused by name. */
const serviceKeys =
  'host port dbname user password sslmode sslrootcert sslcert sslkey target_session_attrs require_auth channel_binding hostaddr options'.split(
    ' ',
  );

function ofService(values: Values): Values {
  return Object.fromEntries(serviceKeys.flatMap(key => (values[key] === undefined ? [] : [[key, values[key]]])));
}
