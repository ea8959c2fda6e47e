/**
 * The `confirmations.*` commands (spec §11): what other shells ask, shown by Sallyport.app alone
 * and answered by it alone.
 */

import type { ControlNotification } from '../../../shared/control.ts';
import type { ConfirmationEvent } from '../../access/privilege-increases/confirmations.ts';
import { askerWords } from '../asker-words.ts';
import { type CommandContext, type CommandOutcome, command, done, refused } from '../command.ts';
import { confirmationDecision, confirmationList } from '../messages/confirmations.ts';
import { answerById, nothing } from './shapes.ts';

export const confirmationsPending = command('confirmations.pending', {
  shape: nothing,
  result: confirmationList,
  privilegeIncrease: 'never',
  records: 'itself',
  run: async (_, context) =>
    (await refusalOfOthers(context)) ?? done({ confirmations: context.confirmations.pending() }),
});

export const confirmationsDecide = command('confirmations.decide', {
  shape: answerById,
  result: confirmationDecision,
  // Taken from Sallyport.app alone, which is asked outside of any turn.
  privilegeIncrease: 'never',
  records: 'itself',
  run: async ({ id, answer }, context) => {
    const refusal = await refusalOfOthers(context);
    if (refusal !== null) return refusal;
    if (context.confirmations.decide(context.asker, id, answer)) return done({ id, answer });
    return refused(
      'This is not to be confirmed any more: it was answered, its time is up, or who asked has gone. Nothing was changed.',
    );
  },
});

/**
 * An answer that doesn't come from the app is an attempt at a privilege increase, and stands in the
 * log as one.
 */
async function refusalOfOthers(context: CommandContext): Promise<CommandOutcome<never> | null> {
  const { isApp, ports, requestId } = context;
  if (isApp()) return null;
  const client = await askerWords(context);
  const reason = 'a shell that is not Sallyport.app would confirm';
  ports.activity.record({ category: 'access', action: 'widening', outcome: 'denied', requestId, client, reason });
  return refused('Only Sallyport.app can confirm, on macOS, where the secrets are in the keychain.');
}

/** As it is pushed to the app. */
export function confirmationNotification(event: ConfirmationEvent): ControlNotification {
  if (event.kind === 'asked') return { jsonrpc: '2.0', method: 'confirmation.asked', params: event.confirmation };
  const { id, because } = event;
  return { jsonrpc: '2.0', method: 'confirmation.withdrawn', params: { id, because } };
}
