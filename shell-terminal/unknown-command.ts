/**
 * The answer to unknown words: the command that was probably meant. Never repeats the words, since
 * one may be a password.
 */

import { nearestWord } from '../shared/nearest-word.ts';
import { type CliError, misuse } from './cli-error.ts';
import type { CommandSpec } from './command.ts';

export function unknownCommand(commands: readonly CommandSpec[], first: string, second: string): CliError {
  const secondWords = commands.flatMap(({ words }) =>
    words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
  );
  if (secondWords.length > 0) {
    const meant = second === '' ? null : nearestWord(secondWords, second);
    const missing = `${second === '' ? 'Missing' : 'Unknown'} subcommand. Available: ${secondWords.join(', ')}.`;
    const sentence = meant === null ? missing : `${missing} Did you mean \`sallyport ${first} ${meant}\`?`;
    return misuse(sentence, `sallyport ${first} COMMAND [options]`);
  }
  const meant = meantBy(commands, first);
  return misuse(
    meant.length === 0
      ? 'Unknown command; `sallyport --help` lists all.'
      : `Unknown command. Did you mean ${oneOf(meant.map(words => `\`sallyport ${words}\``))}?`,
    'sallyport COMMAND [options]',
  );
}

function meantBy(commands: readonly CommandSpec[], first: string): readonly string[] {
  if (/^sallyport:/i.test(first)) return ['open LINK'];
  if (/^[a-z][a-z0-9+]*:/i.test(first)) return ['connections add URL'];
  // The second word alone, `add`.
  const ending = commands.filter(({ words }) => words.endsWith(` ${first.toLowerCase()}`));
  if (ending.length > 0) return ending.map(({ words }) => words);
  const nearest = nearestWord([...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))], first);
  return nearest === null ? [] : [nearest];
}

/** `a, b or c` */
function oneOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(part => part !== '').join(' or ');
}
