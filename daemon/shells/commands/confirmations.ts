/**
 * The `confirmations.*` commands (spec §11): other shells' requests, shown and answered by
 * Sallyport.app alone.
 */

import type { ControlNotification } from '../../../shared/control.ts';
import type { AppsProof, ConfirmationEvent } from '../../access/privilege-increases/confirmations.ts';
import { isSignedByTouch } from '../../access/privilege-increases/touch-id.ts';
import { type CommandContext, type CommandOutcome, command, done, refused } from '../command.ts';
import { wanted, wrongPassphrase } from '../increase-gate.ts';
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
    const proof = answer === 'yes' ? await proofOf(id, context) : null;
    if (typeof proof === 'object' && proof !== null) return proof;
    if (context.confirmations.decide(context.requester, id, proof === null ? 'no' : { yes: proof }))
      return done({ id, answer });
    return refused(
      'gone',
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
  ports.activity.record({ category: 'access', action: 'increase', outcome: 'denied', requestId, client, reason });
  return refused('app_alone', 'Only Sallyport.app can confirm, on macOS, where the secrets are in the keychain.');
}

/**
 * Once a passphrase is set, a yes counts for nothing without it, or without Touch ID's signature of
 * this confirmation's own id: a program that poses as the app can click as well.
 * @returns what proves the owner, or the refusal.
 */
async function proofOf(id: string, context: CommandContext): Promise<AppsProof | CommandOutcome<never>> {
  const { ports, requestId, touchId, passphrase } = context;
  const { owner, activity } = ports;
  const asked = context.confirmations.pending().find(pending => pending.id === id);
  if (owner.state() !== 'set' || asked === undefined) return 'app';
  const key = owner.touchIdKey();
  if (key !== null && isSignedByTouch(key, id, touchId)) return 'touchId';
  const { sentence } = asked;
  const wrong = passphrase === null ? null : await wrongPassphrase(owner, passphrase, sentence);
  if (passphrase !== null && wrong === null) return 'passphrase';
  const client = await requesterWords(context);
  const reason = wrong?.reason ?? 'a yes in Sallyport.app without the owner passphrase or Touch ID';
  activity.record({ category: 'access', action: 'increase', outcome: 'denied', requestId, client, reason });
  if (wrong !== null) return wrong.refusal;
  return wanted(
    key === null ? { confirm: 'passphrase', sentence } : { confirm: 'app', passphrase: true, sentence, touchId: id },
  );
}

/** The notification for the app. */
export function confirmationNotification(event: ConfirmationEvent): ControlNotification {
  if (event.kind === 'asked') return { jsonrpc: '2.0', method: 'confirmation.asked', params: event.confirmation };
  const { id, because } = event;
  return { jsonrpc: '2.0', method: 'confirmation.withdrawn', params: { id, because } };
}
