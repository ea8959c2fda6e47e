/** Lets a request that widens access pass only with what its owner confirms it by (SPEC §11). What widens is widening-verdicts.ts. */

import { errorCodes } from '../../shared/codes.ts';
import type { ConfirmationWanted } from '../../shared/control.ts';
import { wideningMode } from '../access/widening.ts';
import { type CommandContext, type CommandOutcome, refused } from './command.ts';

/** @param widens completes "This …". @returns null where it may pass. */
export async function wideningRefusal(
  widens: string,
  { ports, passphrase }: Pick<CommandContext, 'ports' | 'passphrase'>,
): Promise<CommandOutcome<never> | null> {
  const { owner, settings } = ports;
  if (wideningMode(settings.current().widening, owner.isSet()) === 'free') return null;
  const what = `This ${widens}, so the owner of this Sallyport has to confirm it`;
  if (!owner.isSet()) {
    return refused(
      `${what}; no owner passphrase is kept to confirm it with. Put back the secrets that belong to this home.`,
    );
  }
  if (passphrase === null) {
    return wanted(`${what}: run it in a terminal, and type the owner passphrase when it is asked for.`);
  }
  const check = await owner.check(passphrase);
  switch (check.kind) {
    case 'right':
      return null;
    case 'wrong':
      return check.triesLeft > 0
        ? wanted(`That is not the owner passphrase. ${what}.`)
        : refused(`That is not the owner passphrase, for the third time: the next try is in a minute. ${what}.`);
    case 'wait':
      return refused(`Too many wrong passphrases: the next try is in ${check.seconds} s. ${what}.`);
  }
}

function wanted(message: string): CommandOutcome<never> {
  const data: ConfirmationWanted = { confirm: 'passphrase' };
  return { kind: 'refused', error: { code: errorCodes.forbidden, message, data } };
}
