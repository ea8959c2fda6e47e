/**
 * Finds every server in the files of this machine's AI clients that reaches a database past
 * Sallyport, and every password in them. It reads files, changes none, and shows no password.
 */

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { ClientEntry } from '../../shared/client-configs.ts';
import { type ServersPlace, serversPlaces } from '../../shared/client-files.ts';
import { isObject } from '../../shared/json.ts';
import { CliError } from '../cli-error.ts';
import { isSwitchedOff } from '../connect/beside.ts';
import { valueIn } from '../connect/merge.ts';
import { textOf } from '../doctor/client-text.ts';
import type { Variables } from '../setup/expanded.ts';
import type { Terminal } from '../terminal.ts';
import { type Reached, type Reading, reachedBy } from './reaches.ts';
import { holdsSecret } from './secrets.ts';
import { hasPassword, urlsIn } from './urls.ts';

export interface OtherServer extends Reached, Pick<ServersPlace, 'client' | 'title' | 'isProject'> {
  /** As the client names it. */
  readonly name: string;
  /** The file that the client's links lead to. */
  readonly path: string;
  /** Where it is in the file, for taking it out. */
  readonly entry: ClientEntry;
  /** True if the person switched it off. */
  readonly isOff: boolean;
  /** True if a password or a key is readable in the entry, or in a file that it names. */
  readonly holdsPassword: boolean;
  /** The files that it names in which one is readable. */
  readonly secretFiles: readonly string[];
}

/** Where to look. @property cwd a project's folder; null for none. */
export type Looking = Pick<Terminal, 'userHome' | 'environment'> & { readonly cwd: string | null };

/** Looks from the terminal's folder. If that is gone, all other places are looked at. */
export function lookingFrom(terminal: Terminal): Looking {
  const { userHome, environment } = terminal;
  try {
    return { userHome, environment, cwd: terminal.cwd };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { userHome, environment, cwd: null };
  }
}

/** The servers that reach a database past Sallyport, each once. */
export function otherServers(looking: Looking): readonly OtherServer[] {
  return onlyOnce(placesHere(looking).flatMap(place => serversInFile(realPath(place.path), place, looking)));
}

/** Every place of servers: each file that is there or may be made. */
export function placesHere({ userHome, environment, cwd }: Looking): readonly ServersPlace[] {
  return serversPlaces(userHome, environment, cwd).flatMap(place => {
    const [folder, name] = [dirname(place.path), basename(place.path)];
    if (!name.startsWith('*')) return [place];
    const names = namesIn(folder).filter(one => one.endsWith(name.slice(1)));
    return names.map(one => ({ ...place, path: join(folder, one) }));
  });
}

/**
 * Each server once, from its first place: in the home folder a client's file is a project's, too.
 */
export function onlyOnce(servers: readonly OtherServer[]): readonly OtherServer[] {
  const seen = new Set<string>();
  return servers.filter(({ path, entry: { under, name } }) => {
    const id = JSON.stringify([path, under, name]);
    return !seen.has(id) && seen.add(id);
  });
}

function otherServer(
  { client, title, isProject, format, kind, under, path }: ServersPlace,
  name: string,
  server: Readonly<Record<string, unknown>>,
  { userHome, environment, cwd }: Looking,
): OtherServer | null {
  const entry: ClientEntry = { format, kind, under, name, value: {}, head: [] };
  const folder = isProject ? (cwd ?? userHome) : (projectOf(entry) ?? dirname(path));
  const base = { cwd: isProject ? folder : folderOf(server, folder), home: userHome };
  const from = `${name} in ${path.replace(userHome, '~')}`;
  const secretFiles: string[] = [];
  const read = (file: string): Reading | null => {
    const named = realPath(
      resolve(base.cwd, file.replace(/^\$\{workspaceFolder\}/, base.cwd).replace(/^~(?=\/)/, userHome)),
    );
    const reading = readNamed(named, isProject ? base.cwd : null);
    if (reading !== null && holdsSecret([reading.value, reading.variables])) secretFiles.push(named);
    return reading;
  };
  const outer = { variables: environment as Variables, isStrangers: isProject };
  const reached = reachedBy(name, server, from, { outer, base, read });
  if (reached === null) return null;
  const is = { isOff: isSwitchedOff(server), holdsPassword: holdsPassword(reached, server, secretFiles) };
  return { ...reached, client, title, isProject, name, path, entry, ...is, secretFiles };
}

/** The one project for which the user's own file has the entry, by its folder; null for all. */
export function projectOf({ under }: Pick<ClientEntry, 'under'>): string | null {
  return under[0] === 'projects' ? (under[1] ?? null) : null;
}

/** The folder that an entry's relative paths start from. */
function folderOf({ cwd }: Readonly<Record<string, unknown>>, otherwise: string): string {
  return typeof cwd === 'string' && cwd.startsWith('/') ? cwd : otherwise;
}

/**
 * Reads a file that an entry names.
 * @param within the folder that it must be in, since a stranger's entry may name a file of the
 *   person's; null for any.
 */
function readNamed(path: string, within: string | null): Reading | null {
  if (within !== null && !path.startsWith(`${realPath(within)}/`)) return null;
  const text = textOf(path);
  if (text === null) return null;
  const format = /\.ya?ml$/i.test(path) ? 'yaml' : /\.(toml|json)$/i.exec(path)?.[1]?.toLowerCase();
  const documents = format === 'yaml' ? text.split(/^---\s*$/m) : [text];
  if (format !== undefined)
    return { variables: {}, value: documents.map(one => valueIn(one, format as ClientEntry['format'])) };
  return { variables: parseEnv(text) as Variables, value: null };
}

/** The maps or lists that the keys lead to; `*` is any key. */
function holdersIn(
  value: unknown,
  [key, ...below]: readonly string[],
): { under: readonly string[]; holder: unknown }[] {
  if (key === undefined) return [{ under: [], holder: value }];
  if (!isObject(value)) return [];
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  return keys.flatMap(one =>
    holdersIn(value[one], below).map(({ under, holder }) => ({ under: [one, ...under], holder })),
  );
}

function serversIn(
  holder: unknown,
  kind: ClientEntry['kind'],
): (readonly [string, Readonly<Record<string, unknown>>])[] {
  const named: (readonly [unknown, unknown])[] =
    kind === 'item' && Array.isArray(holder)
      ? holder.map(item => [isObject(item) ? item.name : null, item] as const)
      : isObject(holder)
        ? Object.entries(holder)
        : [];
  return named.flatMap(([name, server]) =>
    typeof name === 'string' && isObject(server) ? [[name, server] as const] : [],
  );
}

function holdsPassword(
  { reaches }: Reached,
  server: Readonly<Record<string, unknown>>,
  secretFiles: readonly string[],
): boolean {
  const known = reaches.flatMap(reach => (reach.kind === 'database' && reach.candidate.connection.password) || []);
  const text = JSON.stringify(server);
  // A connection's password is from the entry, unless a file that the entry names holds one.
  if (known.some(password => secretFiles.length === 0 || text.includes(password))) return true;
  const isCloud = reaches.some(({ kind }) => kind === 'cloud');
  return holdsSecret(server, isCloud ? ['start'] : []);
}

/** Files with a password in a comment. People are told of it; it is never taken out. */
export function passwordsInComments(looking: Looking): readonly { title: string; path: string }[] {
  const seen = new Map<string, { title: string; path: string } | null>();
  for (const { title, path: named, format } of placesHere(looking)) {
    const path = realPath(named);
    if (seen.has(path)) continue;
    const text = textIn(path);
    const found = urlsIn(text).filter(hasPassword);
    const meant = found.length === 0 ? '' : JSON.stringify(valueIn(text, format) ?? null);
    seen.set(path, found.some(url => !meant.includes(url)) ? { title, path } : null);
  }
  return [...seen.values()].filter(file => file !== null);
}

/** Sallyport's copies of clients' files that hold a database's password. */
export function backupsWithPasswords(looking: Looking): readonly string[] {
  const holding = placesHere(looking).flatMap(place =>
    backupsOf(place.path, false).filter(path =>
      serversInFile(path, place, looking).some(server => server.holdsPassword),
    ),
  );
  return [...new Set(holding)];
}

/** Sallyport's copies of clients' files from before something was taken over. */
export function takeoversHere(terminal: Terminal): readonly string[] {
  const copies = placesHere(lookingFrom(terminal)).flatMap(({ path }) => backupsOf(path, true));
  return [...new Set(copies)];
}

/** The servers in a file, such as a backup, as if it were the client's. */
export function serversInFile(path: string, place: ServersPlace, looking: Looking): readonly OtherServer[] {
  return holdersIn(valueIn(textIn(path), place.format), place.under).flatMap(({ under, holder }) =>
    serversIn(holder, place.kind).flatMap(
      ([name, server]) => otherServer({ ...place, under, path }, name, server, looking) ?? [],
    ),
  );
}

/** A file's text without a byte order mark; empty if there is no such file. */
function textIn(path: string): string {
  return (textOf(path) ?? '').replace(/^\uFEFF/, '');
}

/** Where the links of a client's file lead; the path itself if there is no such file. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** The names in a folder; none if it can't be read, or is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Sallyport's copies of a client's file, the newest last.
 * @param isTakeovers true for those alone from before something was taken over.
 */
export function backupsOf(named: string, isTakeovers: boolean): readonly string[] {
  const path = realPath(named);
  const folder = dirname(path);
  const number = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1);
  const start = basename(path);
  const names = namesIn(folder).filter(name => {
    const found = /^\.before-sallyport(-takeover)?(?:-\d+)?$/.exec(name.slice(start.length));
    return name.startsWith(start) && found !== null && (found[1] !== undefined || !isTakeovers);
  });
  return names.toSorted((one, other) => number(one) - number(other)).map(name => join(folder, name));
}
