/**
 * Has the person at Sallyport.app approve what another shell asks (spec §11). Waits without holding
 * up others.
 */

import type { RefusalCode, RefusalValues } from '../../shared/refusals.ts';
import type { AppsProof, ConfirmationVerdict } from '../access/privilege-increases/confirmations.ts';
import type { PrivilegeIncrease } from '../access/privilege-increases/increase-words.ts';
import { type CommandContext, type CommandOutcome, refused } from './command.ts';
import { increaseSentence } from './increase-gate.ts';
import { requesterWords } from './requester-words.ts';

type InApp =
  | { readonly kind: 'confirmed'; readonly confirmedBy: AppsProof }
  | { readonly kind: 'refused'; readonly refusal: CommandOutcome<never> };

export async function confirmInApp(
  { phrase, facts }: PrivilegeIncrease,
  context: Pick<CommandContext, 'ports' | 'desk' | 'requester' | 'shell' | 'signal' | 'requestId' | 'origin' | 'isApp'>,
): Promise<InApp> {
  const { ports, requester, shell, signal, requestId } = context;
  // Before waiting: the requester may be gone afterwards.
  const client = await requesterWords(context);
  const asked = { sentence: increaseSentence(phrase), facts, shell: shell() };
  const verdict = await context.desk.confirmations.ask(requester, asked, signal);
  // A requester that left gets nothing, even if the approval was on its way.
  if (verdict.kind === 'yes' && !signal.aborted) return { kind: 'confirmed', confirmedBy: verdict.confirmedBy };
  const { reason, sentence, refuse } =
    verdict.kind === 'yes' ? refusals.cancelled() : refusalOf(verdict, ports.owner.state() === 'set');
  ports.activity.record({ category: 'access', action: 'increase', outcome: 'denied', requestId, client, reason });
  return { kind: 'refused', refusal: refuse(`This ${phrase}; ${sentence}`) };
}

interface Refusal {
  readonly reason: string;
  readonly sentence: string;
  readonly refuse: (sentence: string) => CommandOutcome<never>;
}

function as<Code extends RefusalCode>(code: Code, ...values: RefusalValues<Code>): Refusal['refuse'] {
  return sentence => refused(code, sentence, ...values);
}

const refusals = {
  no: () => ({ reason: 'no in Sallyport.app', sentence: 'the answer in Sallyport.app was no.', refuse: as('denied') }),
  no_to_another: () => ({
    reason: 'no to another in Sallyport.app',
    sentence: 'another request was denied in Sallyport.app, which ends all that wait there.',
    refuse: as('denied'),
  }),
  timeout: () => ({
    reason: 'nobody answered in Sallyport.app',
    sentence: 'nobody answered in Sallyport.app.',
    refuse: as('nobody_answered'),
  }),
  cancelled: () => ({
    reason: 'the asking shell left',
    sentence: 'the shell that asked has gone.',
    refuse: as('asker_gone'),
  }),
  one_waits: () => ({
    reason: 'one of this shell waits in Sallyport.app',
    sentence: 'one that this shell asked waits for an answer in Sallyport.app already. Answer that, then try again.',
    refuse: as('one_waits'),
  }),
  too_many_open: (hasPassphrase: boolean) => ({
    reason: 'too many wait in Sallyport.app',
    sentence: `too many wait for an answer in Sallyport.app already. Answer those, then try again; or ${otherwise(hasPassphrase)}.`,
    refuse: as('too_many_wait'),
  }),
  quiet: (hasPassphrase: boolean, secondsLeft: number) => ({
    reason: 'the last one was not approved in Sallyport.app',
    sentence: `the last one was not approved in Sallyport.app. It can be asked again in ${secondsLeft} s; or ${otherwise(hasPassphrase)}.`,
    refuse: as('quiet', { seconds: secondsLeft }),
  }),
};

/** What no other shell can hold up. */
function otherwise(hasPassphrase: boolean): string {
  const change = 'make the change in Sallyport.app itself';
  return hasPassphrase ? `confirm it with the owner passphrase, or ${change}` : change;
}

function refusalOf(verdict: Exclude<ConfirmationVerdict, { readonly kind: 'yes' }>, hasPassphrase: boolean): Refusal {
  return verdict.kind === 'quiet'
    ? refusals.quiet(hasPassphrase, verdict.secondsLeft)
    : refusals[verdict.kind](hasPassphrase);
}
