/**
 * Databases that a Docker Compose file starts on this machine: from images, variables and published
 * ports.
 */

import { resolve } from 'node:path';
import { connectionsOf, type Engine } from '../../shared/engine.ts';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { notSupported, unsupportedDatabase } from '../../shared/url-schemes.ts';
import { type FoundDatabases, mergeFound, nameFor, nothingFound, unsetVariable, unusable } from './candidate.ts';
import { dotenv } from './dotenv.ts';
import { expanded, filled, isUnfilled, type Variables } from './expanded.ts';
import { plainTextOf } from './files.ts';
import { connectionOfParts, engineMeant } from './parts.ts';

export function ofCompose(
  services: Record<string, unknown>,
  known: Variables,
  where: string,
  base: PathBase,
): FoundDatabases {
  return mergeFound(
    Object.entries(services).map(([name, service]) =>
      isObject(service) ? ofService(service, known, `${name} ${where}`, base) : nothingFound,
    ),
  );
}

/** Programs beside a database, whose names tell its engine. */
const notServers = /admin|exporter|backup|adminer|postgrest|client/i;

function ofService(service: Record<string, unknown>, known: Variables, from: string, base: PathBase): FoundDatabases {
  const image = typeof service.image === 'string' ? filled(service.image, known) : '';
  const program = image.split('/').at(-1)?.split(/[:@]/)[0] ?? '';
  const engine = notServers.test(program) ? null : engineMeant(program);
  const isCockroach = /cockroach/i.test(program);
  const accountOf = isCockroach ? ofCockroach : engine === null ? undefined : accounts[engine];
  if (engine === null || accountOf === undefined) {
    const other = image.split('/').flatMap(word => unsupportedDatabase(word.split(/[:@]/)[0] ?? '') ?? [])[0] ?? null;
    return other === null ? nothingFound : unusable(from, notSupported(other));
  }
  const inFiles = variablesInFiles(service.env_file, known, base);
  if (inFiles === null) return unusable(from, "Its env_file, which may name the account, can't be read.");
  const variables = { ...inFiles, ...variablesOf(service.environment, known) };
  const usual = isCockroach ? 26_257 : connectionsOf[engine].port;
  const inside = portInside(engine, service.command, variables, known, usual);
  const port = service.network_mode === 'host' ? inside : publishedPort(service.ports, inside, known);
  if (port === null) return unusable(from, 'It publishes no port on this machine.');
  const account = accountOf(variables);
  if ([port, account.user, account.database].some(value => isUnfilled(value ?? ''))) return unsetVariable(from);
  const password = isUnfilled(account.password ?? '') ? undefined : account.password;
  const connection = connectionOfParts({ engine, host: '127.0.0.1', port, ...account, password }, base);
  if (connection.kind === 'refused') return unusable(from, connection.problem);
  return { candidates: [{ name: nameFor(connection.endpoint), from, connection }], unreadable: [] };
}

/** Where the server itself listens: by its command line, its variable, or as usual. */
function portInside(
  engine: Engine,
  command: unknown,
  variables: Variables,
  known: Variables,
  usual: number | null,
): string {
  const words = filled((Array.isArray(command) ? command : [command ?? '']).map(String).join(' '), known);
  const [, written] = /(?:^|\s)(?:--port[= ]|-c ?port=|-[pP] ?)["']?(\d{1,5})\b/.exec(words) ?? [];
  const variable = engine === 'postgres' ? variables.PGPORT : variables.MYSQL_TCP_PORT;
  return written ?? (variable || `${usual}`);
}

/** With the images' defaults. */
function ofPostgres({ POSTGRES_USER, POSTGRESQL_USERNAME, POSTGRES_DB, POSTGRESQL_DATABASE, ...others }: Variables) {
  const user = POSTGRES_USER || POSTGRESQL_USERNAME || 'postgres';
  const password = others.POSTGRES_PASSWORD || others.POSTGRESQL_PASSWORD;
  return { user, password, database: POSTGRES_DB || POSTGRESQL_DATABASE || user };
}

function ofCockroach({ COCKROACH_USER, COCKROACH_PASSWORD: password, COCKROACH_DATABASE }: Variables) {
  return { user: COCKROACH_USER || 'root', password, database: COCKROACH_DATABASE || 'defaultdb' };
}

function ofMysql(variables: Variables) {
  const of = (field: string): string | undefined => variables[`MYSQL_${field}`] || variables[`MARIADB_${field}`];
  const user = of('USER');
  return user === undefined
    ? { user: 'root', password: of('ROOT_PASSWORD'), database: of('DATABASE') }
    : { user, password: of('PASSWORD'), database: of('DATABASE') };
}

/**
 * One file, or a list of files and of `{ path, required }`; later files win. Null if none can be
 * read, and one must be there.
 */
function variablesInFiles(files: unknown, known: Variables, { cwd }: PathBase): Variables | null {
  const listed: readonly unknown[] = Array.isArray(files) ? files : files === undefined ? [] : [files];
  const texts = listed.map(each => {
    const { path, required } = isObject(each) ? each : { path: each, required: true };
    const text = typeof path === 'string' ? plainTextOf(resolve(cwd, filled(path, known))) : null;
    return required === false ? (text ?? '') : text;
  });
  if (texts.length > 0 && texts.every(text => text === null)) return null;
  return Object.assign({}, ...texts.map(text => expanded(dotenv(text ?? ''), known))) as Variables;
}

const accounts: Partial<Record<Engine, typeof ofPostgres | typeof ofMysql>> = { postgres: ofPostgres, mysql: ofMysql };

/** A map, or a list of `NAME=value`. A name without a value comes from the shell. */
function variablesOf(environment: unknown, known: Variables): Variables {
  const pairs: readonly (readonly [string, unknown])[] = Array.isArray(environment)
    ? environment.map(line => nameAndValue(String(line)))
    : isObject(environment)
      ? Object.entries(environment)
      : [];
  return Object.fromEntries(
    // Compose writes a dollar sign twice.
    pairs.map(([name, value]) => [
      name,
      value == null ? known[name] : filled(String(value).replaceAll('$$', '\\$'), known),
    ]),
  );
}

function nameAndValue(line: string): readonly [string, string | null] {
  const at = line.indexOf('=');
  return at === -1 ? [line, null] : [line.slice(0, at), line.slice(at + 1)];
}

/** `5432:5432`, `127.0.0.1:5433:5432`, `5500-5501:5432-5433`, or a map. */
function publishedPort(ports: unknown, inside: string, known: Variables): string | null {
  for (const port of Array.isArray(ports) ? ports : []) {
    if (isObject(port) && String(port.target) === inside && port.published !== undefined) return String(port.published);
    const [, outside, target] = /^(?:[^/]*:)?([^:]+):(\d+)(?:\/tcp)?$/.exec(filled(String(port), known)) ?? [];
    if (target === inside && outside !== undefined) return outside;
    const [, from, first, last] =
      /^(?:[^/]*:)?(\d+)-\d+:(\d+)-(\d+)(?:\/tcp)?$/.exec(filled(String(port), known)) ?? [];
    const at = Number(inside) - Number(first);
    if (at >= 0 && Number(inside) <= Number(last)) return `${Number(from) + at}`;
  }
  return null;
}
