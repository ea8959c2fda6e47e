/** Asks for how long AI clients may write, where the command line does not say (spec §16): a level that nobody takes back stays. */

import type { FieldOptions } from './connection-fields.ts';
import { typedLine } from './setup/typed.ts';
import { print, type Terminal } from './terminal.ts';

const choices = [
  { word: '30m', shown: '30 minutes' },
  { word: 'tonight', shown: 'until tonight' },
  { word: 'always', shown: 'until you take it back' },
] as const;

/** @returns the options with `for` filled in where they open a connection for writing. @throws Ending where it is given up. */
export async function withDuration(terminal: Terminal, options: FieldOptions): Promise<FieldOptions> {
  if (options.for !== undefined || !/^read-?write$/i.test(options['external-clients'] ?? '')) return options;
  print(terminal, 'For how long may AI clients write?', ...choices.map(({ shown }, at) => `  ${at + 1}  ${shown}`));
  for (;;) {
    const typed = await typedLine(terminal, 'Number, or Enter for 30 minutes: ');
    const choice = choices[typed === '' ? 0 : Number(typed) - 1];
    if (choice !== undefined) return { ...options, for: choice.word };
  }
}
