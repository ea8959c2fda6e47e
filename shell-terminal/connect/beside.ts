/**
 * Finds members of Sallyport's entry that Sallyport didn't write. Someone who can write a client's
 * file can run other code in the bridge, or lead it to another home, while the command still looks
 * right. Names the members; shows no value and judges nothing.
 */

import { isObject } from '../../shared/json.ts';
import { areNpxBridge } from '../../shared/npx.ts';

/** These change neither what is started nor whom it reaches. */
const harmless: ReadonlySet<string> = new Set([
  'type',
  'name',
  'enabled',
  'disabled',
  'timeout',
  'description',
  'display_name',
  'bundled',
  'command',
  'cmd',
  'url',
  'headers',
]);
const mostNames = 12;
const longestName = 64;

/**
 * @param home as Sallyport wrote it.
 * @returns a sentence, still to be escaped; null if there is nothing to report.
 */
export function toldBeside(entry: Readonly<Record<string, unknown>>, home: string | null = null): string | null {
  const names = namesBeside(entry, home);
  if (names.length === 0) return null;
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const listed = `${names
    .slice(0, mostNames)
    .map(name => name.slice(0, longestName))
    .join(', ')}${more}`;
  return `The entry also sets ${listed}. Sallyport did not add that and doesn't need it: remove what you did not add yourself.`;
}

export function namesBeside(entry: Readonly<Record<string, unknown>>, home: string | null = null): readonly string[] {
  const members = Object.entries(entry).flatMap(([key, value]) => {
    if (harmless.has(key) || isEmpty(value) || (key === 'args' && isNpxBridge(entry))) return [];
    const names = keysOf(value).filter(name => !isOwnHome(key, name, value, home));
    return keysOf(value).length === 0 ? [key] : names.map(name => `${key}.${name}`);
  });
  const headers = keysOf(entry.headers).filter(name => name.toLowerCase() !== 'authorization');
  // A client uses one of them; it decides which.
  const starters = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri'].filter(key => entry[key] !== undefined);
  const second = starters.slice(1).filter(key => harmless.has(key));
  return [...members, ...headers.map(name => `headers.${name}`), ...second];
}

/** Some clients let people switch an entry off this way. */
export function isSwitchedOff({ enabled, disabled }: Readonly<Record<string, unknown>>): boolean {
  return enabled === false || disabled === true;
}

/** The entry that Sallyport writes if npx runs it. */
function isNpxBridge({ command, cmd, args }: Readonly<Record<string, unknown>>): boolean {
  return (command ?? cmd) === 'npx' && areNpxBridge(args);
}

function isOwnHome(key: string, name: string, value: unknown, home: string | null): boolean {
  const isEnvironment = ['env', 'envs', 'environment'].includes(key);
  return isEnvironment && name === 'SALLYPORT_HOME' && (value as Record<string, unknown>)[name] === home;
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
