/**
 * When an entry that a client has for Sallyport already does what is wanted, and what of it has to
 * change else.
 */

import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EntryValue } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import type { Differences } from './merge.ts';

/**
 * Members that say what is started; all others (a timeout, a switch, what may run unasked) are the
 * person's own.
 */
const commandKeys = ['command', 'cmd'] as const;

/** @param bridge the real path of this install's; null where something else is started. */
export function bridgeDifferences(bridge: string | null): Differences {
  return (old, entry) => {
    // Its token may be narrower than the bridge's: replacing it unasked would give the client more.
    if (speaksHttp(old))
      return 'has an entry sallyport that speaks HTTP, with a permission of its own; take it out first if the bridge, which has Read & Write, is to stand in its place';
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
    // Those of another command would end the bridge, which takes none; npx needs its own.
    const args = Array.isArray(entry.args) ? entry.args : [];
    const oldArgs = Array.isArray(old.args) ? old.args : [];
    if (!isSameList(oldArgs, args)) changes.args = args;
    return changes;
  };
}

/**
 * Some clients have the command and its arguments in one list. A command that isn't a path is npx,
 * and no path is as good.
 */
function starts(old: unknown, wanted: unknown, bridge: string | null): boolean {
  const [command, ...more] = Array.isArray(wanted) && Array.isArray(old) ? old : [old];
  const [wantedCommand, ...wantedMore] = Array.isArray(wanted) ? wanted : [wanted];
  if (typeof command !== 'string') return false;
  const isBridge = bridge !== null && isAbsolute(String(wantedCommand));
  const isThere = isBridge ? leadsTo(bridge, command) : command === wantedCommand;
  return isThere && isSameList(more, wantedMore);
}

/** A client may well start it by a link: that one is as good. */
function leadsTo(bridge: string, path: string): boolean {
  if (path === bridge) return true;
  try {
    return isAbsolute(path) && realpathSync(path) === bridge;
  } catch {
    return false;
  }
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

function homeIn(value: unknown): string | undefined {
  return isRecord(value) ? value.SALLYPORT_HOME : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value);
}

/**
 * @param isMinted whether the entry's token is a real one; the one that stands there is kept else.
 */
export function httpDifferences(isMinted: boolean): Differences {
  return (old, entry) => {
    if (!speaksHttp(old))
      return 'has an entry sallyport that starts the bridge; take it out first if HTTP is to stand in its place';
    const headers = typeof old.headers === 'object' && old.headers !== null ? old.headers : {};
    // In any spelling: with two of them a client sends both, and neither token is believed.
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
