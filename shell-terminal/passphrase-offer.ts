/**
 * Asks for the owner passphrase at the first natural moment (spec §11): during setup. Enter skips
 * it.
 */

import { leastPassphraseCharacters } from '../shared/new-passphrase.ts';
import { CliError } from './cli-error.ts';
import { Refused } from './control-client.ts';
import { withDaemon } from './daemon.ts';
import { choosePassphrase, typedTwice } from './owner-passphrase.ts';
import { remark, say, type Terminal } from './terminal.ts';

const about = `Choose an owner passphrase of ${leastPassphraseCharacters} characters or more. AI clients may read; before they may do more, you type it. Enter skips this: then nothing more can be allowed until you choose one.`;
const aboutAgain = 'Choose it once more; Enter skips this.';

/** Does nothing if one was chosen, or if it was switched off. */
export async function offerPassphrase(terminal: Terminal): Promise<void> {
  await withDaemon(terminal, async client => {
    const { passphrase } = await client.ask('status', {});
    if (passphrase.state !== 'none') return;
    for (let isAgain = false; ; isAgain = true) {
      try {
        const typed = await typedTwice(isAgain ? aboutAgain : about);
        if (!typed) {
          say(terminal, 'No passphrase is chosen. `sallyport passphrase set` chooses one later.');
          return;
        }
        await choosePassphrase(client, typed);
        say(terminal, 'The owner passphrase is set. Other terminals ask once whether that was you.');
        return;
      } catch (error) {
        // If the two differ, the setup so far stays, and it asks again.
        if (!(error instanceof CliError || error instanceof Refused)) throw error;
        remark(terminal, error.message);
      }
    }
  });
}
