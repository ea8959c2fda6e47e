/**
 * Lets a privilege increase pass only with the owner's confirmation (spec §11): the owner
 * passphrase, or an approval in Sallyport.app. Each command says what is a privilege increase. The
 * app is asked by confirm-in-app.ts, outside of this turn.
 */

import { errorCodes } from '../../shared/codes.ts';
import type { ConfirmationWay } from '../../shared/control.ts';
import type { AppsProof } from '../access/privilege-increases/confirmations.ts';
import type { PrivilegeIncrease } from '../access/privilege-increases/increase-words.ts';
import { type ConfirmedBy, howConfirmed } from '../access/privilege-increases/origin-words.ts';
import type { OwnerPassphrase } from '../access/privilege-increases/passphrase.ts';
import { isSignedByTouch } from '../access/privilege-increases/touch-id.ts';
import { english, type ReasonPart, say } from '../guard/reason.ts';
import { type CommandContext, type CommandOutcome, controlError, refused } from './command.ts';
import { requesterWords } from './requester-words.ts';

type GateVerdict =
  | { readonly kind: 'passes'; readonly confirmedBy: NonNullable<ConfirmedBy> }
  | { readonly kind: 'refused'; readonly refusal: CommandOutcome<never> }
  /** Sallyport.app has to be asked; after its approval the gate is called again. */
  | { readonly kind: 'asks_app' };

type GateContext = Pick<
  CommandContext,
  'ports' | 'passphrase' | 'touchId' | 'requestId' | 'confirmIn' | 'isApp' | 'appPresence' | 'origin' | 'shell'
>;

/** What was confirmed, and whether it is still what would be done. */
export type Confirmed =
  /** Confirmed in Sallyport.app, for another shell. */
  | { readonly by: 'app'; readonly isStillSo: boolean; readonly confirmedBy: AppsProof }
  /**
   * Confirmed by the owner, if what came with the request is right: a passphrase typed under what
   * this shell was told, Touch ID's signature of the challenge, or a click in the app while no
   * passphrase is set.
   */
  | { readonly by: 'owner'; readonly isStillSo: boolean; readonly challenge: string };

/** @param confirmed null if nothing is known of what the person was shown. */
export async function increaseGate(
  increase: PrivilegeIncrease,
  context: GateContext,
  confirmed: Confirmed | null,
): Promise<GateVerdict> {
  const { owner, ownerApp, activity } = context.ports;
  const off = owner.whyOff();
  if (off !== null) return { kind: 'passes', confirmedBy: off };
  const isSet = owner.state() === 'set';
  const client = await requesterWords(context);
  const note = { category: 'access', action: 'increase', requestId: context.requestId, client } as const;
  const touchIdKey = owner.touchIdKey();
  const pass = (confirmedBy: AppsProof): GateVerdict => {
    activity.record({ ...note, outcome: 'success', reason: howConfirmed(confirmedBy) });
    return { kind: 'passes', confirmedBy };
  };
  const refuse = (reason: string, refusal: CommandOutcome<never>): GateVerdict => {
    activity.record({ ...note, outcome: 'denied', reason });
    return { kind: 'refused', refusal };
  };
  const what = say('%@', increaseSentence(increase.phrase));
  if (confirmed?.by === 'app') {
    if (!confirmed.isStillSo)
      return refuse(
        'what was confirmed has changed since, or who asked has gone',
        refused('changed_since', [...changedSince, ...what]),
      );
    // A click counts, unless a passphrase was set after it.
    if (confirmed.confirmedBy !== 'app' || !isSet) return pass(confirmed.confirmedBy);
    return refuse('not confirmed', how(what, increase, context));
  }
  const clicked = context.confirmIn === 'app' && context.isApp();
  // This comes before the passphrase is checked: typed under something else, it confirms nothing.
  if (confirmed?.isStillSo === false && (isSet || clicked)) {
    return refuse('what was shown has changed since', how([...shownElse, ...what], increase, context));
  }
  if (context.passphrase !== null && isSet) {
    const wrong = await wrongPassphrase(owner, context.passphrase, what);
    return wrong === null ? pass('passphrase') : refuse(wrong.reason, wrong.refusal);
  }
  if (context.confirmIn === 'app' && context.appPresence() === 'here') {
    if (!context.isApp()) return { kind: 'asks_app' };
    // With a passphrase set the click isn't enough: any program that has the shell secret can call
    // itself the app.
    if (!isSet) return pass('app');
    const signed = touchIdKey !== null && confirmed !== null && context.touchId !== null;
    if (signed && isSignedByTouch(touchIdKey, confirmed.challenge, context.touchId)) return pass('touchId');
  }
  return refuse(
    isSet || ownerApp.isKnown() ? 'not confirmed' : 'no owner passphrase is chosen',
    how(what, increase, context),
  );
}

/**
 * Checks a typed passphrase.
 * @param what sentences on what it would confirm.
 * @returns null if it is right.
 */
export async function wrongPassphrase(
  owner: Pick<OwnerPassphrase, 'check'>,
  typed: string,
  what: readonly ReasonPart[],
): Promise<{ readonly reason: string; readonly refusal: CommandOutcome<never> } | null> {
  const check = await owner.check(typed);
  if (check.kind === 'right') return null;
  if (check.kind === 'wait') {
    const wait = say('Too many wrong passphrases: the next try is in %@ s.', String(check.seconds));
    return {
      reason: 'too many wrong owner passphrases',
      refusal: refused('passphrase_waits', [...wait, ...notYours, ...what], { seconds: check.seconds }),
    };
  }
  const isLast = check.triesLeft === 0;
  const refusal = isLast
    ? refused(
        'passphrase_waits',
        [...say('That is not the owner passphrase, for the third time: the next try is in a minute.'), ...what],
        { seconds: 60 },
      )
    : wanted([...say('That is not the owner passphrase.'), ...what], { confirm: 'passphrase' }, 'wrong_passphrase');
  return { reason: 'wrong owner passphrase', refusal };
}

export function increaseSentence(phrase: string): string {
  return `This ${phrase}.`;
}

/** Refuses, and offers the ways to confirm that work now: the data says what to send again with. */
function how(
  what: readonly ReasonPart[],
  { facts }: PrivilegeIncrease,
  { ports: { owner, ownerApp }, appPresence, isApp }: GateContext,
): CommandOutcome<never> {
  const app = appPresence();
  // The facts are shown to the person before the prompt.
  const shown = facts.length === 0 ? {} : { facts };
  const isSet = owner.state() === 'set';
  // With a passphrase set the app's own click confirms nothing.
  if (isSet && isApp() && owner.touchIdKey() === null) return wanted(what, { confirm: 'passphrase', ...shown });
  if (app === 'here') return wanted(what, { confirm: 'app', ...(isSet && { passphrase: true as const }), ...shown });
  if (isSet) return wanted(what, { confirm: 'passphrase', ...shown });
  if (!ownerApp.isKnown()) return wanted(what, { confirm: 'choose', ...shown });
  return app === 'several'
    ? refused('several_apps', [
        ...what,
        ...say(
          'More than one program says that it is Sallyport.app, so none can confirm it. Quit them, open Sallyport.app, then try again.',
        ),
      ])
    : refused('app_away', [
        ...what,
        ...say('Sallyport.app has to confirm it, and is not running. Open it, then try again.'),
      ]);
}

/** Any program of this user may guess, and so make the owner wait. */
const notYours = say('If they were not yours, a program that runs as you is guessing; end it first.');
export const changedSince = say('Something has changed since you confirmed this, so nothing was done.');
export const shownElse = say('Something has changed since this was shown, so nothing was done.');

/** The last sentence for a shell that can't ask a person; other shells show a prompt instead. */
const ways: Readonly<Record<ConfirmationWay['confirm'], string>> = {
  passphrase: 'It needs the owner passphrase, which a person types on a terminal or in Sallyport.app.',
  choose:
    'It needs an owner passphrase, and none is chosen yet. A person chooses one on a terminal: `sallyport passphrase set`.',
  app: 'It has to be approved in Sallyport.app.',
};

/** Refuses until the person confirms. @param what sentences that a prompt shows. */
export function wanted(
  what: readonly ReasonPart[],
  data: ConfirmationWay,
  code: 'needs_confirmation' | 'wrong_passphrase' = 'needs_confirmation',
): CommandOutcome<never> {
  const way =
    data.confirm === 'app' && data.passphrase === true
      ? `${ways.app.slice(0, -1)}, or confirmed with the owner passphrase.`
      : ways[data.confirm];
  const sentence = english(what);
  const shown = { ...data, sentence, parts: what };
  return { kind: 'refused', error: controlError(errorCodes.forbidden, code, `${sentence} ${way}`, [], shown) };
}
