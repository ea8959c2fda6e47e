/** Whether the built `sallyport` knows a command and its options, asked of its own --help. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { executable } from '../shell-terminal/real-home.ts';

const run = promisify(execFile);
const pagesOfHelp = new Map<string, Promise<string>>();

function help(words: readonly string[]): Promise<string> {
  const key = words.join(' ');
  const asked = pagesOfHelp.get(key) ?? run(executable, [...words, '--help']).then(({ stdout }) => stdout);
  pagesOfHelp.set(key, asked);
  return asked;
}

/** @param line one that starts with `sallyport`. @returns null, or what it doesn't know. */
export async function unknownIn(line: string): Promise<string | null> {
  const words = line.split(/\s+/).slice(1);
  const known = [...(await help([])).matchAll(/^ {2}([a-z]+(?: [a-z]+)*)/gm)].map(([, name = '']) => name);
  const name = known
    .filter(command => `${words.join(' ')} `.startsWith(`${command} `))
    .sort((one, other) => other.length - one.length)[0];
  const options = words.flatMap(word => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
  const isAboutAll = words[0] === 'COMMAND' || options.includes('--version') || options[0] === words[0];
  if (name === undefined) return isAboutAll ? null : `no command ${JSON.stringify(line)}`;
  const page = await help(name.split(' '));
  const missing = options.filter(option => !new RegExp(`^ {2}${option}\\b`, 'm').test(page));
  return missing.length === 0 ? null : `${name} has no ${missing.join(', ')}`;
}
