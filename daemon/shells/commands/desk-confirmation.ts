/**
 * The answer to another shell's privilege increase (spec §11): Sallyport.app's alone. It has no
 * turn of its own, as the asking command has given its turn up meanwhile.
 */

import type { AppsProof } from '../../access/privilege-increases/confirmations.ts';
import { isSignedByTouch } from '../../access/privilege-increases/touch-id.ts';
import { say } from '../../guard/reason.ts';
import { type CommandContext, type CommandOutcome, refused } from '../command.ts';
import { wanted, wrongPassphrase } from '../increase-gate.ts';
import { requesterWords } from '../requester-words.ts';
import { type DeskVariant, decided, noLongerWaiting } from './desk-shapes.ts';

export const answerOfIncrease: DeskVariant = {
  privilegeIncrease: 'never',
  records: 'itself',
  refuses: (_, context) => refusalOfOthers(context),
  async run(asked, context) {
    const [id = ''] = asked.ids;
    const proof = asked.answer === 'yes' ? await proofOf(id, context) : null;
    if (typeof proof === 'object' && proof !== null) return proof;
    return context.desk.confirmations.decide(context.requester, id, proof === null ? 'no' : { yes: proof })
      ? decided(asked)
      : refused('gone', noLongerWaiting);
  },
};

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
 * this confirmation's own challenge: a program that poses as the app can click as well.
 * @returns what proves the owner, or the refusal.
 */
async function proofOf(id: string, context: CommandContext): Promise<AppsProof | CommandOutcome<never>> {
  const { ports, desk, requestId, touchId, passphrase } = context;
  const { owner, activity } = ports;
  const asked = desk.confirmations.pending().find(pending => pending.id === id);
  if (owner.state() !== 'set' || asked === undefined) return 'app';
  const key = owner.touchIdKey();
  const challenge = desk.challengeOf(asked);
  if (key !== null && isSignedByTouch(key, challenge, touchId)) return 'touchId';
  const what = say('%@', asked.facts.sentence);
  const wrong = passphrase === null ? null : await wrongPassphrase(owner, passphrase, what);
  if (passphrase !== null && wrong === null) return 'passphrase';
  const client = await requesterWords(context);
  const reason = wrong?.reason ?? 'a yes in Sallyport.app without the owner passphrase or Touch ID';
  activity.record({ category: 'access', action: 'increase', outcome: 'denied', requestId, client, reason });
  if (wrong !== null) return wrong.refusal;
  return wanted(
    what,
    key === null ? { confirm: 'passphrase' } : { confirm: 'app', passphrase: true, touchId: challenge },
  );
}
