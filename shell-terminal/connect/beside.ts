/**
 * What an entry for Sallyport says beside what Sallyport puts into one: whoever can write a
 * client's file can have other code run in the bridge, or lead it to another home, and the command
 * alone would look right. Names it, shows no value, judges nobody.
 */

import { isObject } from '../../shared/json.ts';
import { npxBridge } from '../../shared/npx.ts';

/** They change neither what is started nor whom it reaches. */
const harmless: ReadonlySet<string> = new Set([
  ...['type', 'name', 'enabled', 'disabled', 'timeout', 'description', 'display_name', 'bundled'],
  ...['command', 'cmd', 'url', 'headers'],
]);
const mostNames = 12;
const longestName = 64;

/**
 * @param home that Sallyport put there itself.
 * @returns a sentence, yet to be made fit to be shown; null where there is nothing to tell.
 */
export function toldBeside(entry: Readonly<Record<string, unknown>>, home: string | null = null): string | null {
  const names = namesBeside(entry, home);
  if (names.length === 0) return null;
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const listed = `${names
    .slice(0, mostNames)
    .map(name => name.slice(0, longestName))
    .join(', ')}${more}`;
  return `The entry also sets ${listed}. Sallyport did not put that there and doesn't need it: take out what you did not put there yourself.`;
}

export function namesBeside(entry: Readonly<Record<string, unknown>>, home: string | null = null): readonly string[] {
  const members = Object.entries(entry).flatMap(([key, value]) => {
    if (harmless.has(key) || isEmpty(value) || (key === 'args' && isNpxBridge(entry))) return [];
    const names = keysOf(value).filter(name => !isOwnHome(key, name, value, home));
    return keysOf(value).length === 0 ? [key] : names.map(name => `${key}.${name}`);
  });
  const headers = keysOf(entry.headers).filter(name => name.toLowerCase() !== 'authorization');
  // A client takes one of them, and which is its own affair.
  const starters = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri'].filter(key => entry[key] !== undefined);
  const second = starters.slice(1).filter(key => harmless.has(key));
  return [...members, ...headers.map(name => `headers.${name}`), ...second];
}

/** The client is told not to use it, as some let their people do it. */
export function isSwitchedOff({ enabled, disabled }: Readonly<Record<string, unknown>>): boolean {
  return enabled === false || disabled === true;
}

/** As we write it where npx runs us. */
function isNpxBridge({ command, cmd, args }: Readonly<Record<string, unknown>>): boolean {
  return (command ?? cmd) === npxBridge.command && JSON.stringify(args) === JSON.stringify(npxBridge.args);
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
