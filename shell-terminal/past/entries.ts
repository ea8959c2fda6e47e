/**
 * Every server in the files of this machine's AI clients that reaches a database past Sallyport,
 * and every password that lies there. Reads files; changes none, and shows no password.
 */

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { ClientEntry } from '../../shared/client-configs.ts';
import { type ServersPlace, serversPlaces } from '../../shared/client-files.ts';
import { isObject } from '../../shared/json.ts';
import type { FoundFile } from '../connect/client-file.ts';
import { readClientFile } from '../connect/client-file.ts';
import { valueIn } from '../connect/merge.ts';
import type { Variables } from '../setup/expanded.ts';
import { textOf } from '../setup/files.ts';
import type { Terminal } from '../terminal.ts';
import { isOwn, type Reached, type Reading, reachedBy } from './reaches.ts';

export interface OtherServer extends Reached, Pick<ServersPlace, 'client' | 'title' | 'isProject'> {
  /** As the client names it. */
  readonly name: string;
  /** The file that the client's links lead to. */
  readonly path: string;
  /** For taking it out. */
  readonly entry: ClientEntry;
  /** True if a password or a key is readable there. */
  readonly holdsPassword: boolean;
}

type Looking = Pick<Terminal, 'userHome' | 'environment'> & { readonly cwd: string | null };

export function otherServers({ userHome, environment, cwd }: Looking): readonly OtherServer[] {
  const seen = new Set<string>();
  return serversPlaces(userHome, environment, cwd).flatMap(place => {
    const read = readClientFile(place.path);
    if (read.kind !== 'found') return [];
    const value = valueIn(read.text, place.format);
    return holdersIn(value, place.under).flatMap(({ under, holder }) => {
      const id = JSON.stringify([read.path, under]);
      if (seen.has(id)) return [];
      seen.add(id);
      return serversIn(holder, place.kind).flatMap(([name, server]) => {
        const found = otherServer({ ...place, under }, read, name, server, { userHome, environment, cwd });
        return found === null ? [] : [found];
      });
    });
  });
}

function otherServer(
  { client, title, isProject, format, kind, under }: ServersPlace,
  { path }: FoundFile,
  name: string,
  server: Readonly<Record<string, unknown>>,
  { userHome, environment, cwd }: Looking,
): OtherServer | null {
  if (isOwn(name, server)) return null;
  const base = { cwd: folderOf(server, isProject, path, cwd ?? userHome), home: userHome };
  const from = `${name} in ${path.replace(userHome, '~')}`;
  const read = (file: string): Reading | null => readNamed(file, base.cwd, userHome);
  const reached = reachedBy(name, server, from, { outer: environment as Variables, base, read });
  if (reached === null) return null;
  const entry: ClientEntry = { format, kind, under, name, value: {}, head: [] };
  return { ...reached, client, title, isProject, name, path, entry, holdsPassword: holdsPassword(reached, server) };
}

/** Relative paths mean the project's folder, or the one that the entry names. */
function folderOf({ cwd }: Readonly<Record<string, unknown>>, isProject: boolean, path: string, here: string): string {
  if (typeof cwd === 'string' && cwd.startsWith('/')) return cwd;
  return isProject ? here : dirname(path);
}

function readNamed(named: string, folder: string, home: string): Reading | null {
  const path = named.replace(/^\$\{workspaceFolder\}/, folder).replace(/^~(?=\/)/, home);
  const text = textOf(resolve(folder, path));
  if (text === null) return null;
  const format = /\.ya?ml$/i.test(path) ? 'yaml' : /\.toml$/i.test(path) ? 'toml' : null;
  if (format !== null) return { variables: {}, value: valueIn(text, format) };
  return { variables: parseEnv(text) as Variables, value: null };
}

/** The maps or lists at the keys, of which `*` is any. */
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

function holdsPassword({ reaches }: Reached, server: Readonly<Record<string, unknown>>): boolean {
  if (reaches.some(reach => reach.kind === 'database' && Boolean(reach.candidate.connection.password))) return true;
  const isBeyond = reaches.some(({ kind }) => kind !== 'database');
  return (
    isBeyond &&
    /(?:password|passwd|_pass|token|api[-_]?key|secret|authorization)"?\s*[:=]\s*"(?!\$|")/i.test(
      JSON.stringify(server),
    )
  );
}

/** `scheme://user:password@host`; a placeholder is none. */
const urlWithPassword =
  /\b(?:postgres|postgresql|mysql|mariadb)(?:\+\w+)?:\/\/[^\s"':/@]*:(?![$<[{*]|%24)[^\s"'@]+@[^\s"'\\]+/g;

/** Files in which a password stands in a comment: it is told, and never taken out. */
export function passwordsInComments({
  userHome,
  environment,
  cwd,
}: Looking): readonly { title: string; path: string }[] {
  const seen = new Map<string, { title: string; path: string }>();
  for (const { title, path: named, format } of serversPlaces(userHome, environment, cwd)) {
    const read = readClientFile(named);
    if (read.kind !== 'found' || seen.has(read.path)) continue;
    const meant = JSON.stringify(valueIn(read.text, format) ?? null);
    const inComment = (read.text.match(urlWithPassword) ?? []).some(url => !meant.includes(url));
    if (inComment) seen.set(read.path, { title, path: read.path });
  }
  return [...seen.values()];
}

/** Sallyport's copies of clients' files that hold a database's password. */
export function backupsWithPasswords({ userHome, environment, cwd }: Looking): readonly string[] {
  const holding = serversPlaces(userHome, environment, cwd).flatMap(place =>
    backupsOf(place.path).filter(path => {
      const read = { kind: 'found', path } as FoundFile;
      const value = valueIn((textOf(path) ?? '').replace(/^\uFEFF/, ''), place.format);
      const servers = holdersIn(value, place.under).flatMap(({ holder }) => serversIn(holder, place.kind));
      return servers.some(
        ([name, server]) => otherServer(place, read, name, server, { userHome, environment, cwd })?.holdsPassword,
      );
    }),
  );
  return [...new Set(holding)];
}

/** The newest last. */
export function backupsOf(path: string): readonly string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const start = `${basename(path)}.before-sallyport`;
  const number = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1);
  const names = readdirSync(folder).filter(
    name => name === start || (/^-\d+$/.test(name.slice(start.length)) && name.startsWith(start)),
  );
  return names.toSorted((one, other) => number(one) - number(other)).map(name => join(folder, name));
}
