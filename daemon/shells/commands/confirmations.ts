/**
 * The `confirmations.*` commands (spec §11): other shells' requests, shown and answered by
 * Sallyport.app alone.
 */

import { errorCodes } from '../../../shared/codes.ts';
import type { ControlNotification } from '../../../shared/control.ts';
import type { ConfirmationEvent } from '../../access/privilege-increases/confirmations.ts';
import { isSignedByTouch } from '../../access/privilege-increases/touch-id.ts';
import { type CommandContext, type CommandOutcome, command, done, refused } from '../command.ts';
import { confirmationDecision, confirmationList } from '../messages/confirmations.ts';
import { requesterWords } from '../requester-words.ts';
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
  // Accepted only from Sallyport.app, which is asked outside of any turn.
  privilegeIncrease: 'never',
  records: 'itself',
  run: async ({ id, answer }, context) => {
    const refusal = await refusalOfOthers(context);
    if (refusal !== null) return refusal;
    const untouched = answer === 'yes' ? await refusalWithoutTouch(id, context) : null;
    if (untouched !== null) return untouched;
    if (context.confirmations.decide(context.requester, id, answer)) return done({ id, answer });
    return refused(
      'This can no longer be confirmed: it was answered, its time is up, or the program that asked has gone. Nothing was changed.',
    );
  },
});

/** An answer from another shell is an attempt at a privilege increase, and is recorded as one. */
async function refusalOfOthers(context: CommandContext): Promise<CommandOutcome<never> | null> {
  const { isApp, ports, requestId } = context;
  if (isApp()) return null;
  const client = await requesterWords(context);
  const reason = 'a shell that is not Sallyport.app would confirm';
  ports.activity.record({ category: 'access', action: 'widening', outcome: 'denied', requestId, client, reason });
  return refused('Only Sallyport.app can confirm, on macOS, where the secrets are in the keychain.');
}

/**
 * Once Touch ID confirms, an approval without it counts for nothing. The signature covers this
 * confirmation's own id.
 */
async function refusalWithoutTouch(id: string, context: CommandContext): Promise<CommandOutcome<never> | null> {
  const { ports, requestId, touchId } = context;
  const key = ports.owner.touchIdKey();
  const asked = context.confirmations.pending().find(pending => pending.id === id);
  if (key === null || asked === undefined || isSignedByTouch(key, id, touchId)) return null;
  const reason = 'a yes in Sallyport.app without Touch ID';
  const client = await requesterWords(context);
  ports.activity.record({ category: 'access', action: 'widening', outcome: 'denied', requestId, client, reason });
  const message = 'It needs Touch ID; or type the owner passphrase where this was asked.';
  const data = { confirm: 'app', sentence: asked.sentence, touchId: id };
  return { kind: 'refused', error: { code: errorCodes.forbidden, message, data } };
}

/** The notification for the app. */
export function confirmationNotification(event: ConfirmationEvent): ControlNotification {
  if (event.kind === 'asked') return { jsonrpc: '2.0', method: 'confirmation.asked', params: event.confirmation };
  const { id, because } = event;
  return { jsonrpc: '2.0', method: 'confirmation.withdrawn', params: { id, because } };
}
