/**
 * Databases that several variables describe together: `DB_HOST`, `DB_DATABASE` (Laravel,
 * WordPress), `POSTGRES_USER`, `MYSQL_ROOT_PASSWORD`.
 */

import { connectionsOf } from '../../shared/engine.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nameFor, nothingFound, unsetVariable, unusable } from './candidate.ts';
import { isUnfilled, plainVariable, type Variables } from './expanded.ts';
import { connectionOfParts, engineMeant, type Parts } from './parts.ts';

/** `called` is the database, if nothing else says it: many things have a name. */
type Field = keyof Parts | 'rootPassword' | 'called';

const fields: Readonly<Record<string, Field>> = {
  HOST: 'host',
  HOSTNAME: 'host',
  PORT: 'port',
  TCP_PORT: 'port',
  SOCKET: 'socket',
  UNIX_PORT: 'socket',
  USER: 'user',
  USERNAME: 'user',
  PASSWORD: 'password',
  PASS: 'password',
  PASSWD: 'password',
  PWD: 'password',
  ROOT_PASSWORD: 'rootPassword',
  DATABASE: 'database',
  NAME: 'called',
  DBNAME: 'database',
  DB: 'database',
  CONNECTION: 'engine',
  CLIENT: 'engine',
  ENGINE: 'engine',
  DRIVER: 'engine',
  DIALECT: 'engine',
  TYPE: 'engine',
};
const stems = /^(?:[A-Z\d]+_)*(?:DB|DATABASE|SQL|POSTGRES|POSTGRESQL|MYSQL|MARIADB|TYPEORM)$/;

/** Also Laravel's words for it. */
const isNothing = /^$|^\(?(?:null|empty)\)?$/;

type Given = Partial<Record<Field, string>>;

/** @param engineAt the engine at a host, if a URL beside the variables names that host. */
export function inVariableParts(
  variables: Variables,
  where: string,
  base: PathBase,
  engineAt: (host: string) => Parts['engine'] | undefined,
): FoundDatabases {
  const byStem = new Map<string, Given>();
  for (const [name, value = ''] of Object.entries(variables)) {
    const found = isNothing.test(value.trim()) ? null : stemAndField(plainVariable(name));
    if (found === null) continue;
    const [stem, field] = found;
    byStem.set(stem, { [field]: value.trim(), ...byStem.get(stem) });
  }
  const isWordPress = Object.keys(variables).some(name => /^WP_|^WORDPRESS_/.test(name));
  return mergeFound(
    [...byStem].map(([stem, given]) => {
      const engine = engineOf(stem, given.engine, given.port, isWordPress);
      // Names such as DB_NAME are used for many things.
      if (engine === null && (given.host === undefined || (given.user ?? given.rootPassword) === undefined))
        return nothingFound;
      const known = engine ?? engineAt(given.host ?? '') ?? null;
      return ofEngine(known, given, `${stem}_HOST and others ${where}`, base);
    }),
  );
}

/** Railway leaves the underscore out: `MYSQLHOST`. */
function stemAndField(name: string): readonly [stem: string, field: Field] | null {
  for (const [suffix, field] of Object.entries(fields)) {
    if (!name.endsWith(suffix)) continue;
    const stem = name.slice(0, -suffix.length).replace(/_$/, '');
    if (stems.test(stem)) return [stem, field];
  }
  return null;
}

function ofEngine(engine: Parts['engine'] | null, given: Given, from: string, base: PathBase): FoundDatabases {
  const { password: typed, rootPassword, engine: _, called, ...written } = given;
  const database = written.database ?? called;
  const place = { ...written, ...(database !== undefined && { database }) };
  const user = place.user ?? (rootPassword === undefined ? undefined : 'root');
  const isNamed = place.host !== undefined || place.socket !== undefined || place.database !== undefined;
  if (!isNamed && (user === undefined || (typed ?? rootPassword) === undefined)) return nothingFound;
  if ([place.host, place.port, place.socket, place.database, user].some(value => isUnfilled(value ?? ''))) {
    return unsetVariable(from);
  }
  if (engine === null) return unusable(from, 'They do not name the engine.');
  const { isFile } = connectionsOf[engine];
  if (isFile && place.database === undefined) return nothingFound;
  const password = user === 'root' ? (typed ?? rootPassword) : typed;
  const parts = {
    engine,
    user,
    database: place.database,
    ...(password !== undefined && !isUnfilled(password) && { password }),
    ...(isFile ? {} : placeOf(place)),
  };
  const connection = connectionOfParts(parts, base);
  if (connection.kind === 'refused') return unusable(from, connection.problem);
  return { candidates: [{ name: nameFor(connection.endpoint), from, connection }], unreadable: [] };
}

/** WordPress writes a port or a socket after the host. */
function placeOf({ host = '127.0.0.1', port, socket }: Given): Pick<Parts, 'host' | 'port' | 'socket'> {
  const [, name = host, behind] = /^([^:]*):(\d+|\/.*)$/.exec(host) ?? [];
  const path = behind?.startsWith('/') ? behind : socket;
  if (path !== undefined && /^(?:localhost|127\.0\.0\.1)?$/.test(name)) return { socket: path, port };
  return { host: name, port: behind ?? port };
}

function engineOf(stem: string, word: string | undefined, port: string | undefined, isWordPress: boolean) {
  if (word !== undefined && engineMeant(word) !== null) return engineMeant(word);
  if (engineMeant(stem) !== null) return engineMeant(stem);
  if (isWordPress || stem.startsWith('WORDPRESS')) return 'mysql';
  return port === '5432' || port === '6543' ? 'postgres' : port === '3306' ? 'mysql' : null;
}
