/** `passphrase.set` and `passphrase.clear` (spec §11). Where there is one already, the gate has asked for it before. */

import * as z from 'zod';
import { command, done, invalid, refused } from '../command.ts';

export const setPassphrase = command<'passphrase.set'>(
  z.strictObject({ passphrase: z.string('a text is expected').max(1_024, 'it is far too long') }),
  async ({ passphrase }, { ports }) => {
    // Else whoever comes first could make themselves the owner, while all that widens waits for one.
    if (ports.settings.current().widening === 'ask' && !ports.owner.isSet() && !ports.ownerApp.isKnown()) {
      return refused('The setting widening is ask, but no passphrase is kept; put back the secrets of this home.');
    }
    const problem = await ports.owner.set(passphrase);
    return problem === null ? done({ set: true }) : invalid(problem);
  },
);

export const clearPassphrase = command<'passphrase.clear'>(z.strictObject({}), async (_, { ports }) => {
  if (!ports.owner.isSet()) return refused('There is no owner passphrase to clear.');
  if (ports.settings.current().widening === 'ask' && !ports.ownerApp.isKnown()) {
    return refused(
      'The setting widening is ask, which needs a passphrase; `sallyport settings set widening auto` first.',
    );
  }
  await ports.owner.clear();
  return done({ set: false });
});
