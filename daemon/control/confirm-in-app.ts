/** Has the person at Sallyport.app say yes to what another shell asks (SPEC §11 Widening). Waits; holds up nobody else. */

import type { ConfirmationVerdict } from '../access/widening-confirmations.ts';
import { type CommandContext, type CommandOutcome, refused } from './command.ts';
import { wideningSentence } from './widening-gate.ts';

/** @param widens completes "This …". @returns null after a yes. */
export async function refusalInApp(
  widens: string,
  {
    ports,
    confirmations,
    asker,
    shell,
    signal,
    requestId,
  }: Pick<CommandContext, 'ports' | 'confirmations' | 'asker' | 'shell' | 'signal' | 'requestId'>,
): Promise<CommandOutcome<never> | null> {
  const verdict = await confirmations.ask(asker, { sentence: `This ${widens}.`, shell: shell() }, signal);
  // Whoever asked and left gets nothing, though the yes was on its way.
  const refusal = signal.aborted ? refusals.cancelled() : refusalOf(verdict);
  if (refusal === null) return null;
  const { reason, sentence } = refusal;
  ports.activity.record({ category: 'access', action: 'widening', outcome: 'denied', requestId, reason });
  return refused(`${wideningSentence(widens)}; ${sentence}`);
}

interface Refusal {
  readonly reason: string;
  readonly sentence: string;
}

const refusals = {
  no: () => ({ reason: 'the user said no in Sallyport.app', sentence: 'the answer in Sallyport.app was no.' }),
  timeout: () => ({ reason: 'nobody answered in Sallyport.app', sentence: 'nobody answered in Sallyport.app.' }),
  cancelled: () => ({ reason: 'the asking shell left', sentence: 'the shell that asked has gone.' }),
  too_many_open: () => ({
    reason: 'too many wait in Sallyport.app',
    sentence: 'too many wait for an answer in Sallyport.app already. Answer those, then try again.',
  }),
  quiet: (seconds: number) => ({
    reason: 'a no in Sallyport.app stands',
    sentence: `the answer in Sallyport.app was no a moment ago. It is asked again in ${seconds} s at the earliest.`,
  }),
} satisfies Record<string, (seconds: number) => Refusal>;

function refusalOf(verdict: ConfirmationVerdict): Refusal | null {
  if (verdict.kind === 'yes') return null;
  return verdict.kind === 'quiet' ? refusals.quiet(verdict.secondsLeft) : refusals[verdict.kind]();
}
