/**
 * Decides whether a client's existing entry for Sallyport already does what is wanted, and what to
 * change if not.
 */

import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EntryValue } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import type { Differences } from './merge.ts';

/**
 * Members that say what is started. All others (a timeout, a switch, what may run unasked) belong
 * to the person.
 */
const commandKeys = ['command', 'cmd'] as const;

/** @param bridge the real path of this install's bridge; null if something else is started. */
export function bridgeDifferences(bridge: string | null): Differences {
  return (old, entry) => {
    // Its token may be narrower than the bridge's, so replacing it unasked could give the client
    // more.
    if (speaksHttp(old))
      return 'has an entry sallyport for HTTP, whose token has its own rights; to use the bridge, which has Read & Write, remove that entry first';
    const changes: Record<string, EntryValue[string]> = {};
    for (const [key, value] of Object.entries(entry)) {
      const isCommand = commandKeys.some(name => name === key);
      if (isCommand && !starts(old[key], value, bridge)) changes[key] = value;
      const home = homeIn(value);
      if (home !== undefined && homeIn(old[key]) !== home) {
        const environment = old[key] ?? {};
        if (!isRecord(environment)) return `has an entry sallyport whose ${key} can only be changed by hand`;
        changes[key] = { ...environment, SALLYPORT_HOME: home };
      }
      if (key === 'type' && old.type === undefined) changes.type = value;
    }
    // Arguments of another command would end the bridge, which takes none; npx needs its own.
    const args = Array.isArray(entry.args) ? entry.args : [];
    const oldArgs = Array.isArray(old.args) ? old.args : [];
    if (!isSameList(oldArgs, args)) changes.args = args;
    return changes;
  };
}

/**
 * Some clients keep the command and its arguments in one list. A command that isn't a path is npx,
 * and must be the same word.
 */
function starts(old: unknown, wanted: unknown, bridge: string | null): boolean {
  const [command, ...more] = Array.isArray(wanted) && Array.isArray(old) ? old : [old];
  const [wantedCommand, ...wantedMore] = Array.isArray(wanted) ? wanted : [wanted];
  if (typeof command !== 'string') return false;
  const isBridge = bridge !== null && isAbsolute(String(wantedCommand));
  const isThere = isBridge ? leadsTo(bridge, command) : command === wantedCommand;
  return isThere && isSameList(more, wantedMore);
}

/** A link to the bridge is as good as its path. */
function leadsTo(bridge: string, path: string): boolean {
  if (path === bridge) return true;
  try {
    return isAbsolute(path) && realpathSync(path) === realpathSync(bridge);
  } catch {
    return false;
  }
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

/** The home that an entry names, by whatever member its client has for variables; null for none. */
export function homeOf(entry: Readonly<Record<string, unknown>>): string | null {
  const named = Object.values(entry).map(homeIn);
  return named.find(home => typeof home === 'string') ?? null;
}

function homeIn(value: unknown): string | undefined {
  return isRecord(value) ? value.SALLYPORT_HOME : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value);
}

/**
 * @param isMinted true if the entry's token is a real one; otherwise the existing token is kept.
 */
export function httpDifferences(isMinted: boolean): Differences {
  return (old, entry) => {
    if (!speaksHttp(old)) return 'has an entry sallyport that starts the bridge; to use HTTP, remove that entry first';
    const headers = typeof old.headers === 'object' && old.headers !== null ? old.headers : {};
    // In any spelling: with two such headers a client sends both, and the daemon believes neither
    // token.
    const others = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
    );
    const bearer = { ...others, ...(entry.headers as Readonly<Record<string, string>>) };
    return {
      ...(old.url === entry.url ? {} : { url: entry.url ?? '' }),
      ...(entry.type === undefined || old.type === entry.type ? {} : { type: entry.type }),
      ...(isMinted ? { headers: bearer as Readonly<Record<string, string>> } : {}),
    };
  };
}

/** Its header names a variable: no token is in it, and none that stands there is kept. */
export const boxTokenDifferences: Differences = (old, entry) => {
  if (!speaksHttp(old))
    return 'has an entry sallyport that starts a program; take it out first if a box with a token is to stand in its place';
  const changed = Object.entries(entry).filter(
    ([key, value]) => !(ownToPerson.has(key) && key in old) && !isDeepStrictEqual(old[key], value),
  );
  return Object.fromEntries(changed);
};
const ownToPerson: ReadonlySet<string> = new Set(['enabled', 'timeout', 'name']);

function speaksHttp(old: Readonly<Record<string, unknown>>): boolean {
  return ['url', 'serverUrl', 'httpUrl', 'uri'].some(key => old[key] !== undefined);
}
