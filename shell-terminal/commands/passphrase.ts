/** `sallyport passphrase set` and `passphrase clear` (spec §11). */

import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { newPassphrase } from '../owner-passphrase.ts';
import { printJson, say } from '../terminal.ts';

export const setPassphraseCommand = command(
  {
    words: 'passphrase set',
    about: 'Require a passphrase to grant more access',
    details: [
      'What grants more access: new tokens, a higher level or policy, a yes to a',
      'question, another place for a saved connection, and the settings that protect.',
      'What takes access away is never asked about. It is typed on the terminal,',
      'twice; three wrong ones, and the next try is in a minute. It guards these',
      'commands, not your files: who edits those as you can still change what is',
      'allowed.',
    ],
  },
  async ({ terminal, answer }) => {
    // First, so that nobody types one for nothing.
    await askDaemon(terminal, 'status', {});
    const passphrase = await newPassphrase();
    const kept = await askDaemon(terminal, 'passphrase.set', { passphrase });
    const { widening } = await askDaemon(terminal, 'status', {});
    answer(
      kept,
      widening === 'ask'
        ? 'The owner passphrase is set; Sallyport asks for it before anything grants more access.'
        : 'The owner passphrase is set, but the setting widening is free: `sallyport settings set widening ask` has it asked for.',
    );
  },
);

export const clearPassphraseCommand = command(
  { words: 'passphrase clear', about: 'Remove the passphrase' },
  async ({ terminal, json }) => {
    const answer = await askDaemon(terminal, 'passphrase.clear', {});
    if (json) return printJson(terminal, answer);
    say(terminal, 'There is no owner passphrase any more; any program that runs as you can grant more access.');
  },
);
