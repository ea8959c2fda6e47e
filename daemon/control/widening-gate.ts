/**
 * Lets a request that widens access pass only with what its owner confirms it by (SPEC §11): the owner passphrase, or a yes in
 * Sallyport.app. What widens is widening-verdicts.ts; the app is asked in confirm-in-app.ts, outside of the turn this runs in.
 */

import { errorCodes } from '../../shared/codes.ts';
import type { ConfirmationWanted } from '../../shared/control.ts';
import { wideningMode } from '../access/widening.ts';
import { type CommandContext, type CommandOutcome, refused } from './command.ts';

export type GateVerdict =
  | { readonly kind: 'passes' }
  | { readonly kind: 'refused'; readonly refusal: CommandOutcome<never> }
  /** Not yet: Sallyport.app is to be asked, and this once more after its yes. */
  | { readonly kind: 'asks_app' };

type GateContext = Pick<CommandContext, 'ports' | 'passphrase' | 'requestId' | 'confirmIn' | 'isApp' | 'appPresence'>;

const passes: GateVerdict = { kind: 'passes' };

/**
 * @param widens completes "This …".
 * @param confirmed whether what Sallyport.app has said yes to for another shell is still what would be done; null before.
 */
export async function wideningGate(
  widens: string,
  context: GateContext,
  confirmed: 'still so' | 'changed since' | null,
): Promise<GateVerdict> {
  const { owner, ownerApp, settings, activity } = context.ports;
  if (wideningMode(settings.current().widening, owner.isSet() || ownerApp.isKnown()) === 'free') return passes;
  const note = { category: 'access', action: 'widening', requestId: context.requestId } as const;
  const pass = (reason: string): GateVerdict => {
    activity.record({ ...note, outcome: 'success', reason });
    return passes;
  };
  const refuse = (reason: string, refusal: CommandOutcome<never>): GateVerdict => {
    activity.record({ ...note, outcome: 'denied', reason });
    return { kind: 'refused', refusal };
  };
  const what = wideningSentence(widens);
  if (confirmed !== null) {
    if (confirmed === 'still so') return pass('confirmed in Sallyport.app');
    return refuse('what was confirmed has changed since, or who asked has gone', refused(`${changedSince} ${what}.`));
  }
  if (context.passphrase !== null && owner.isSet()) {
    const check = await owner.check(context.passphrase);
    if (check.kind === 'right') return pass('confirmed with the owner passphrase');
    if (check.kind === 'wait') {
      const wait = `Too many wrong passphrases: the next try is in ${check.seconds} s. ${what}.`;
      return refuse('too many wrong owner passphrases', refused(wait));
    }
    const isLast = check.triesLeft === 0;
    const no = isLast
      ? refused(`That is not the owner passphrase, for the third time: the next try is in a minute. ${what}.`)
      : wanted(`That is not the owner passphrase. ${what}.`, { confirm: 'passphrase' });
    return refuse('wrong owner passphrase', no);
  }
  if (context.confirmIn === 'app' && context.appPresence() === 'here') {
    return context.isApp() ? pass('confirmed in Sallyport.app') : { kind: 'asks_app' };
  }
  return refuse(
    owner.isSet() || ownerApp.isKnown() ? 'not confirmed' : 'no owner passphrase is kept',
    how(what, context),
  );
}

export function wideningSentence(widens: string): string {
  return `This ${widens}, so the owner of this Sallyport has to confirm it`;
}

/** Ways that lead nowhere now are not offered: the data says what to ask again with. */
function how(what: string, { ports: { owner, ownerApp }, appPresence }: GateContext): CommandOutcome<never> {
  const app = appPresence();
  if (app === 'here') {
    return owner.isSet()
      ? wanted(`${what}: in Sallyport.app, or with the owner passphrase.`, { confirm: 'app', passphrase: true })
      : wanted(`${what}: in Sallyport.app.`, { confirm: 'app' });
  }
  if (owner.isSet()) {
    const where = 'with the owner passphrase, typed in a terminal or in a window of Sallyport, never piped.';
    return wanted(`${what}: ${where}`, { confirm: 'passphrase' });
  }
  if (!ownerApp.isKnown()) {
    const mend = 'no owner passphrase is kept to confirm it with. Put back the secrets that belong to this home.';
    return refused(`${what}; ${mend}`);
  }
  return refused(
    app === 'several'
      ? `${what}; more than one program says that it is Sallyport.app, so none can. Quit them, open Sallyport.app, then try again.`
      : `${what} in Sallyport.app, which is not running. Open it, then try again.`,
  );
}

const changedSince = 'What was confirmed is not what would be done any more, so nothing was.';

function wanted(message: string, data: ConfirmationWanted): CommandOutcome<never> {
  return { kind: 'refused', error: { code: errorCodes.forbidden, message, data } };
}
