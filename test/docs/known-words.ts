/** Tells whether `sallyport` knows a command and its options, as its --help lists them. */

import { commands } from '../../shell-terminal/commands.ts';
import { commandHelp } from '../../shell-terminal/help.ts';

/**
 * @param line one that starts with `sallyport`.
 * @returns null, or what it doesn't know.
 */
export async function unknownIn(line: string): Promise<string | null> {
  const words = line.split(/\s+/).slice(1);
  const found = commands
    .filter(command => `${words.join(' ')} `.startsWith(`${command.words} `))
    .sort((one, other) => other.words.length - one.words.length)[0];
  const options = words.flatMap(word => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
  const isAboutAll = words[0] === 'COMMAND' || options.includes('--version') || options[0] === words[0];
  if (found === undefined) return isAboutAll ? null : `no command ${JSON.stringify(line)}`;
  const page = commandHelp(found, null);
  const missing = options.filter(option => !new RegExp(`^ {2}${option}\\b`, 'm').test(page));
  return missing.length === 0 ? null : `${found.words} has no ${missing.join(', ')}`;
}
