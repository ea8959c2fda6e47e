/** `sallyport passphrase set`, `confirm`, `reset` and `off` (spec §11). */

import { join } from 'node:path';
import { shellWord } from '../../shared/client-configs.ts';
import type { PassphraseView } from '../../shared/control-commands.ts';
import { rootConfirmation } from '../../shared/locations.ts';
import { leastPassphraseCharacters } from '../../shared/new-passphrase.ts';
import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { choosePassphrase, hasTerminal, newPassphrase, sayNoMoreOfPassphrase } from '../owner-passphrase.ts';
import { typedLine } from '../setup/typed.ts';
import { locationsOf, print, printJson, say, type Terminal } from '../terminal.ts';
import { shownTime } from '../words.ts';

const aboutNew = `Anyone who knows the passphrase can give AI clients more access. It has ${leastPassphraseCharacters} characters or more. Type it only here. It can't be recovered.`;

export const setPassphraseCommand = command(
  {
    words: 'passphrase set',
    about: 'Choose the owner passphrase, or replace it',
    details: [
      'Sallyport asks for it before AI clients may do more: a higher level or policy, a',
      'token that writes, approving a question, another place or password for a',
      'connection, and the settings that protect. Removing access never needs it. It has 8',
      'to 256 characters, and you type it twice. After three wrong tries, wait a minute.',
    ],
  },
  async ({ terminal, answer }) => {
    // Asks first, so nobody types a passphrase for nothing.
    await askDaemon(terminal, 'status', {});
    const passphrase = await newPassphrase(aboutNew);
    const view = await withDaemon(terminal, client => choosePassphrase(client, passphrase));
    answer(view, 'The owner passphrase is set. Sallyport asks for it before AI clients may do more.');
    if (view.unconfirmed !== undefined) await decideGrants(terminal, view.unconfirmed);
  },
);

const grantsHelp = 'keep leaves it as it is. take back ends it, as if it had never been allowed.';
const offHelp = 'The word off turns it off; anything else changes nothing.';

/** What was allowed before it outlives the new passphrase only if its person says so. */
async function decideGrants(terminal: Terminal, lines: readonly string[]): Promise<void> {
  say(terminal, 'Nobody has confirmed what was allowed while the owner passphrase was off:');
  for (const line of lines) say(terminal, `  ${line}`);
  const later = '`sallyport passphrase confirm --keep` keeps it, `--take-back` ends it.';
  if (!terminal.stdin.isTTY) return say(terminal, later);
  const typed = await typedLine(terminal, 'Type keep or take back, or Enter to decide later: ', grantsHelp);
  if (typed !== 'keep' && typed !== 'take back') return say(terminal, later);
  await askDaemon(terminal, 'passphrase.confirm', { grants: typed === 'keep' ? 'keep' : 'takeBack' });
  say(terminal, typed === 'keep' ? kept : tookBack);
}

const kept = 'Kept.';
const tookBack =
  'Taken back: those tokens are revoked, settings are as they were, and clients may use those connections as before; what was new or leads elsewhere is blocked.';

export const confirmPassphraseCommand = command(
  {
    words: 'passphrase confirm',
    about: 'Confirm that you chose the passphrase',
    options: {
      keep: { type: 'boolean', about: 'keep what was allowed while it was off' },
      'take-back': { type: 'boolean', about: 'end what was allowed while it was off' },
    },
    details: ['Until then, commands at a terminal say when it was chosen, and by which program.'],
  },
  async ({ terminal, options, answer }) => {
    const { keep = false, 'take-back': takesBack = false } = options;
    if (keep && takesBack) throw misuse('Use --keep or --take-back, not both.');
    const grants = keep ? { grants: 'keep' as const } : takesBack ? { grants: 'takeBack' as const } : {};
    const view = await askDaemon(terminal, 'passphrase.confirm', grants);
    if (keep || takesBack) return answer(view, keep ? kept : tookBack);
    answer(view, view.chosen === null ? unnoted(view) : 'Noted.');
  },
);

function unnoted({ state }: PassphraseView): string {
  return state === 'none'
    ? 'No owner passphrase is chosen yet; `sallyport passphrase set` chooses one.'
    : "Sallyport doesn't know who chose it: it did not record that then.";
}

export const resetPassphraseCommand = command(
  {
    words: 'passphrase reset',
    about: 'Replace a forgotten passphrase, in a day',
    details: [
      'At once every connection becomes Read Only at most, and tokens that may do more',
      'than read are revoked. The new passphrase counts once Sallyport has run for 24',
      'hours. Until then the old one holds, and typing it for anything ends the reset.',
    ],
  },
  async ({ terminal, json }) => {
    await askDaemon(terminal, 'status', {});
    const passphrase = await newPassphrase(aboutNew);
    const view = await askDaemon(terminal, 'passphrase.reset', { passphrase });
    sayNoMoreOfPassphrase();
    if (json) return printJson(terminal, view);
    say(terminal, takenBack);
    tellOfReset(terminal, view);
  },
);

const takenBack =
  'The access that the old passphrase allowed has ended: connections are Read Only at most, and tokens that may do more than read are revoked.';

function tellOfReset(terminal: Terminal, { reset }: PassphraseView): void {
  say(
    terminal,
    `The new passphrase counts from ${reset === null ? 'now on' : `${shownTime(reset.countsAt)} on, if Sallyport runs until then`}.`,
  );
  // If Sallyport runs as root, any of its programs could give root's permission.
  if (reset === null || process.getuid?.() === 0) return;
  const file = join(locationsOf(terminal).home, rootConfirmation);
  say(terminal, 'Root can make it count now:');
  print(terminal, `  echo ${reset.id} | sudo tee ${shellWord(file)} >/dev/null`);
}

const aboutOff =
  'Without a passphrase any program that runs as you, your agents too, can grant itself more access: write, drop tables, answer for you.';

export const offPassphraseCommand = command(
  {
    words: 'passphrase off',
    about: 'Turn the passphrase off: nothing is confirmed',
    details: [
      'Any program that runs as you, your agents too, can then grant itself any access.',
      '`sallyport passphrase set` ends that.',
    ],
  },
  async ({ terminal, answer }) => {
    const { passphrase } = await askDaemon(terminal, 'status', {});
    // Without a terminal the daemon refuses, so its log names the program that tried.
    if (passphrase.state === 'none' && hasTerminal()) {
      if (!terminal.stdin.isTTY) throw misuse('Only a person can do this, so it needs a terminal.');
      say(terminal, aboutOff);
      if ((await typedLine(terminal, 'Type off to turn it off: ', offHelp)) !== 'off')
        throw failed('Nothing was changed.');
    }
    const view = await askDaemon(terminal, 'passphrase.off', {});
    sayNoMoreOfPassphrase();
    answer(view, 'The owner passphrase is off. `sallyport passphrase set` chooses one again.');
  },
);
