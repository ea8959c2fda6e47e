/**
 * What to say to words that are no command: which one was meant, as far as they tell. Never repeats
 * them, as a password may stand there.
 */

import { nearestWord } from '../shared/nearest-word.ts';
import type { CommandSpec } from './command.ts';
import { type Ending, misuse } from './ending.ts';

export function unknownCommand(commands: readonly CommandSpec[], first: string, second: string): Ending {
  const secondWords = commands.flatMap(({ words }) =>
    words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
  );
  if (secondWords.length > 0) {
    const meant = second === '' ? null : nearestWord(secondWords, second);
    const expected = `After ${first} one of ${secondWords.join(', ')} is expected.`;
    const sentence = meant === null ? expected : `${expected} Did you mean \`sallyport ${first} ${meant}\`?`;
    return misuse(sentence, `sallyport ${first} COMMAND [options]`);
  }
  const meant = meantBy(commands, first);
  return misuse(
    meant.length === 0
      ? 'There is no such command; `sallyport --help` lists those there are.'
      : `There is no such command. Did you mean ${meant.map(words => `\`sallyport ${words}\``).join(' or ')}?`,
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
