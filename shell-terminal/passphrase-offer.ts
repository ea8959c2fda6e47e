/** Asks for the owner passphrase where it is first natural (spec §11): while somebody sets Sallyport up. Enter skips it. */

import { withDaemon } from './daemon.ts';
import { choosePassphrase, typedTwice } from './owner-passphrase.ts';
import { say, type Terminal } from './terminal.ts';

const about =
  'Choose an owner passphrase. AI clients may read; before they may do more, you type it. Enter skips this: then nothing more can be allowed until you choose one.';

/** Does nothing where one was chosen, or switched off. @throws Ending */
export async function offerPassphrase(terminal: Terminal): Promise<void> {
  await withDaemon(terminal, async client => {
    const { passphrase } = await client.ask('status', {});
    if (passphrase.state !== 'none') return;
    const typed = await typedTwice(about);
    if (typed === null || typed === '') {
      say(terminal, 'No passphrase is chosen. `sallyport passphrase set` chooses one later.');
      return;
    }
    await choosePassphrase(client, typed);
    say(terminal, 'The owner passphrase is set.');
  });
}
