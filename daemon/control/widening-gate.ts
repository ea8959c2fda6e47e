/**
 * Lets a request that widens access pass only with what its owner confirms it by (spec §11): the owner passphrase, or a yes in
 * Sallyport.app. What widens is widening-verdicts.ts; the app is asked in confirm-in-app.ts, outside of the turn this runs in.
 */

import { errorCodes } from '../../shared/codes.ts';
import type { ConfirmationWanted } from '../../shared/control.ts';
import { type ConfirmedBy, howConfirmed } from '../access/privilege-increases/origin.ts';
import { wideningMode } from '../access/privilege-increases/widening.ts';
import type { Widening } from '../access/privilege-increases/widening-words.ts';
import { askerWords } from './asker-words.ts';
import { type CommandContext, type CommandOutcome, refused } from './command.ts';

type GateVerdict =
  | { readonly kind: 'passes'; readonly confirmedBy: ConfirmedBy }
  | { readonly kind: 'refused'; readonly refusal: CommandOutcome<never> }
  /** Not yet: Sallyport.app is to be asked, and this once more after its yes. */
  | { readonly kind: 'asks_app' };

type GateContext = Pick<
  CommandContext,
  'ports' | 'passphrase' | 'requestId' | 'confirmIn' | 'isApp' | 'appPresence' | 'origin' | 'shell'
>;

/** What was confirmed, and whether it is still what would be done. */
export interface Confirmed {
  /** Sallyport.app, for another shell; or a passphrase that was typed under what this shell was told, if it is the right one. */
  readonly by: 'app' | 'passphrase';
  readonly isStillSo: boolean;
}

/** @param confirmed null where nothing is known of what the person was shown. */
export async function wideningGate(
  widens: Widening,
  context: GateContext,
  confirmed: Confirmed | null,
): Promise<GateVerdict> {
  const { owner, ownerApp, settings, activity } = context.ports;
  if (wideningMode(settings.current().widening, owner.isSet() || ownerApp.isKnown()) === 'free') {
    return { kind: 'passes', confirmedBy: null };
  }
  const client = await askerWords(context);
  const note = { category: 'access', action: 'widening', requestId: context.requestId, client } as const;
  const pass = (confirmedBy: 'app' | 'passphrase'): GateVerdict => {
    activity.record({ ...note, outcome: 'success', reason: howConfirmed(confirmedBy) });
    return { kind: 'passes', confirmedBy };
  };
  const refuse = (reason: string, refusal: CommandOutcome<never>): GateVerdict => {
    activity.record({ ...note, outcome: 'denied', reason });
    return { kind: 'refused', refusal };
  };
  const what = wideningSentence(widens.phrase);
  if (confirmed?.by === 'app') {
    if (confirmed.isStillSo) return pass('app');
    return refuse('what was confirmed has changed since, or who asked has gone', refused(`${changedSince} ${what}.`));
  }
  // Before it is looked at: typed under something else, it says nothing of this.
  if (confirmed?.isStillSo === false && owner.isSet()) {
    return refuse('what was shown has changed since', how(`${shownElse} ${what}`, widens, context));
  }
  if (context.passphrase !== null && owner.isSet()) {
    const check = await owner.check(context.passphrase);
    if (check.kind === 'right') return pass('passphrase');
    if (check.kind === 'wait') {
      const wait = `Too many wrong passphrases: the next try is in ${check.seconds} s. ${notYours} ${what}.`;
      return refuse('too many wrong owner passphrases', refused(wait));
    }
    const isLast = check.triesLeft === 0;
    const no = isLast
      ? refused(`That is not the owner passphrase, for the third time: the next try is in a minute. ${what}.`)
      : wanted(`That is not the owner passphrase. ${what}.`, { confirm: 'passphrase' });
    return refuse('wrong owner passphrase', no);
  }
  if (context.confirmIn === 'app' && context.appPresence() === 'here') {
    return context.isApp() ? pass('app') : { kind: 'asks_app' };
  }
  return refuse(
    owner.isSet() || ownerApp.isKnown() ? 'not confirmed' : 'no owner passphrase is kept',
    how(what, widens, context),
  );
}

export function wideningSentence(widens: string): string {
  return `This ${widens}, so the owner of this Sallyport has to confirm it`;
}

/** Ways that lead nowhere now are not offered: the data says what to ask again with. */
function how(
  what: string,
  { facts }: Widening,
  { ports: { owner, ownerApp }, appPresence }: GateContext,
): CommandOutcome<never> {
  const app = appPresence();
  // What is drawn before it is confirmed.
  const shown = facts.length === 0 ? {} : { facts };
  if (app === 'here') {
    return owner.isSet()
      ? wanted(`${what}: in Sallyport.app, or with the owner passphrase.`, {
          confirm: 'app',
          passphrase: true,
          ...shown,
        })
      : wanted(`${what}: in Sallyport.app.`, { confirm: 'app', ...shown });
  }
  if (owner.isSet()) {
    const where = 'with the owner passphrase, typed in a terminal or in a window of Sallyport.';
    return wanted(`${what}: ${where}`, { confirm: 'passphrase', ...shown });
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

/** Any program of this user may guess, and keep its owner waiting by it. */
const notYours = 'If they were not yours, a program that runs as you is guessing; end it first.';
const changedSince = 'What was confirmed is not what would be done any more, so nothing was.';
const shownElse = 'What was shown is not what would be done any more, so nothing was.';

function wanted(message: string, data: ConfirmationWanted): CommandOutcome<never> {
  return { kind: 'refused', error: { code: errorCodes.forbidden, message, data } };
}
