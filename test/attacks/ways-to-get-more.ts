/**
 * Finds what no text for a client may hold: a command, an option or a setting that would give it
 * more access.
 */

import { settingKeys } from '../../daemon/access/settings/settings.ts';
import { commands } from '../../shell-terminal/commands.ts';

/** Starting Sallyport, looking at it or reading its log gives nobody more access. */
export const harmless: readonly string[] = ['start', 'stop', 'doctor', 'logs'];

const words = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))];
const command = new RegExp(`\\bsallyport (?:${words.join('|')})\\b`, 'g');
const option = /(?<![\w-])--[a-z][a-z-]*/g;
const commandLine = /`[a-z][\w-]* [^`\n]*`/g;
/** Keys without a dot are English words. */
const keys = settingKeys.filter(key => key.includes('.'));

/**
 * @param allowed first words of our commands that may be in the text.
 * @returns what a model could type or look up, as the text has it.
 */
export function waysToGetMore(text: string, allowed: readonly string[] = []): string[] {
  const isAllowed = (found: string): boolean => allowed.includes(/sallyport (\w+)/.exec(found)?.[1] ?? '');
  const typed = [command, option, commandLine].flatMap(pattern => text.match(pattern) ?? []);
  return [...typed.filter(found => !isAllowed(found)), ...keys.filter(key => text.includes(key))];
}

/** @returns the texts in it, including those of JSON inside a text. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}
