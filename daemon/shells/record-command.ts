/**
 * Writes a command's row in the activity log (spec §14), as its declaration says. Privilege
 * increases record themselves.
 */

import { setTimeout as after } from 'node:timers/promises';
import { errorCodes } from '../../shared/codes.ts';
import { howConfirmed } from '../access/privilege-increases/origin-words.ts';
import { type AnyCommand, type CommandContext, type CommandOutcome, isBrake } from './command.ts';
import { requesterWords } from './requester-words.ts';

type RecordContext = Pick<CommandContext, 'ports' | 'requestId' | 'origin' | 'shell' | 'isApp' | 'confirmedBy'>;

/** A brake is answered by then; most rows are kept after some ten milliseconds. */
const brakeMilliseconds = 1_000;

/**
 * @param parameters read only if the outcome says that they fit the command's shape.
 * @param unconfirmed it gave more access while the owner passphrase is off.
 */
export async function recordCommand(
  command: Pick<AnyCommand, 'name' | 'records' | 'brake'>,
  parameters: unknown,
  outcome: CommandOutcome<unknown>,
  context: RecordContext,
  unconfirmed = false,
): Promise<void> {
  const { name, records } = command;
  // An invalid request would have changed nothing.
  if (records === 'itself' || (outcome.kind === 'refused' && outcome.error.code === errorCodes.invalidParams)) return;
  if (records === 'refusals') {
    if (outcome.kind === 'refused') await recordRequest(context, 'denied', `${name}: ${outcome.error.message}`);
    return;
  }
  const asked = parameters ?? {};
  const action = typeof records.action === 'function' ? records.action(asked) : records.action;
  const { ports, requestId } = context;
  const requester = await requesterWords(context);
  const entry = {
    category: 'admin',
    action,
    requestId,
    client: `${requester}${unconfirmed ? `, ${howConfirmed(null)}` : ''}`,
  } as const;
  ports.activity.record(
    outcome.kind === 'done'
      ? { ...entry, outcome: 'success', ...records.done?.(outcome.result, asked, ports) }
      : { ...entry, outcome: 'denied', reason: outcome.error.message },
  );
  // Otherwise a kill within the next half second would leave a change in the store that the log
  // doesn't know, and a store that lost an answered change would look intact.
  if (outcome.kind !== 'done') return;
  const flushed = ports.activity.flush();
  // A brake doesn't wait for a keychain that is locked or hangs.
  const isQuick = context.confirmedBy === null && isBrake(command, asked);
  await (isQuick ? Promise.race([flushed, after(brakeMilliseconds, null, { ref: false })]) : flushed);
}

/** An unexpected error: the log says more under the same id. */
export function recordFault({ name }: Pick<AnyCommand, 'name'>, context: RecordContext): Promise<void> {
  return recordRequest(context, 'error', `internal_failure: ${name}`);
}

async function recordRequest(context: RecordContext, outcome: 'denied' | 'error', reason: string): Promise<void> {
  const { ports, requestId } = context;
  const client = await requesterWords(context);
  ports.activity.record({ category: 'access', action: 'request', outcome, requestId, client, reason });
}
