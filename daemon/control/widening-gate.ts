/** Lets a request that widens access pass only with what its owner confirms it by (SPEC §11). What widens is widening-verdicts.ts. */

import { errorCodes } from '../../shared/codes.ts';
import type { ConfirmationWanted } from '../../shared/control.ts';
import type { OwnerPassphrase } from '../access/passphrase.ts';
import { wideningMode } from '../access/widening.ts';
import { type CommandContext, type CommandOutcome, refused } from './command.ts';

/** @param widens completes "This …". @returns null where it may pass. */
export async function wideningRefusal(
  widens: string,
  { ports, passphrase, requestId }: Pick<CommandContext, 'ports' | 'passphrase' | 'requestId'>,
): Promise<CommandOutcome<never> | null> {
  const { owner, settings, activity } = ports;
  if (wideningMode(settings.current().widening, owner.isSet()) === 'free') return null;
  const what = `This ${widens}, so the owner of this Sallyport has to confirm it`;
  const judged = await judge(what, owner, passphrase);
  const note = { category: 'access', action: 'widening', requestId } as const;
  if (judged === null) activity.record({ ...note, outcome: 'success', reason: 'confirmed with the owner passphrase' });
  else activity.record({ ...note, outcome: 'denied', reason: judged.reason });
  return judged?.refusal ?? null;
}

interface Judged {
  readonly refusal: CommandOutcome<never>;
  readonly reason: string;
}

async function judge(what: string, owner: OwnerPassphrase, passphrase: string | null): Promise<Judged | null> {
  if (!owner.isSet()) {
    const mend = 'no owner passphrase is kept to confirm it with. Put back the secrets that belong to this home.';
    return { refusal: refused(`${what}; ${mend}`), reason: 'no owner passphrase is kept' };
  }
  if (passphrase === null) {
    const how = 'run it in a terminal, and type the owner passphrase when it is asked for.';
    return { refusal: wanted(`${what}: ${how}`), reason: 'not confirmed' };
  }
  const check = await owner.check(passphrase);
  switch (check.kind) {
    case 'right':
      return null;
    case 'wrong':
      return {
        refusal:
          check.triesLeft > 0
            ? wanted(`That is not the owner passphrase. ${what}.`)
            : refused(`That is not the owner passphrase, for the third time: the next try is in a minute. ${what}.`),
        reason: 'wrong owner passphrase',
      };
    case 'wait':
      return {
        refusal: refused(`Too many wrong passphrases: the next try is in ${check.seconds} s. ${what}.`),
        reason: 'too many wrong owner passphrases',
      };
  }
}

function wanted(message: string): CommandOutcome<never> {
  const data: ConfirmationWanted = { confirm: 'passphrase' };
  return { kind: 'refused', error: { code: errorCodes.forbidden, message, data } };
}
