/** Runs a shell's request by the command's name, and words failures of disk and secret store. */

import { errorCodes } from '../../shared/codes.ts';
import { NotKept } from '../access/not-kept.ts';
import { SecretStoreUnavailable } from '../access/secret-store.ts';
import { diskFault } from '../disk-fault.ts';
import { type AnyCommand, type CommandContext, type CommandOutcome, controlError, refused } from './command.ts';
import { commands } from './commands.ts';
import { confirmedCommand } from './confirmed-command.ts';
import { PartlyApplied, tellApplied } from './policy/partly-applied.ts';
import type { CommandPorts } from './ports.ts';
import { recordCommand, recordFault } from './record-command.ts';

const byName: ReadonlyMap<string, AnyCommand> = new Map(commands.map(each => [each.name, each]));

/** Whether a peer that has proved nothing may ask for it at all; its parameters decide the rest. */
export function isBrakeName(method: string): boolean {
  return byName.get(method)?.brake !== undefined;
}

/** @throws unexpected errors; the caller reports them. */
export async function runCommand(
  method: string,
  parameters: unknown,
  context: CommandContext,
): Promise<CommandOutcome<unknown>> {
  const named = byName.get(method);
  if (named === undefined) {
    return {
      kind: 'refused',
      error: controlError(
        errorCodes.methodNotFound,
        'unknown_command',
        'This daemon does not know that command; update Sallyport, then restart the daemon.',
        [],
      ),
    };
  }
  const command = { ...named, ...named.variant?.(parameters, context) };
  try {
    return await confirmedCommand(command, parameters, context);
  } catch (error) {
    const partly = error instanceof PartlyApplied ? error : null;
    const known = await refusalOf(partly === null ? error : partly.cause, context, partly === null);
    if (known === null) {
      await recordFault(command, context);
      throw error;
    }
    const refusal = partly === null ? known : tellApplied(known, partly.count);
    await recordCommand(command, parameters, refusal, context);
    return refusal;
  }
}

/**
 * What gives access and can't be stored was not done: such a command stores first, or undoes. What
 * takes access away counts all the same, and pauses, since the next start would give it back.
 *
 * @param isWhole false if other changes of the same request were done before.
 */
async function refusalOf(
  error: unknown,
  { ports, requestId }: CommandContext,
  isWhole: boolean,
): Promise<CommandOutcome<never> | null> {
  if (error instanceof SecretStoreUnavailable) return refused('secret_store', error.message);
  const { home } = ports.status();
  if (!(error instanceof NotKept)) {
    const fault = diskFault(error, home);
    const told = `${fault}, then try again.${isWhole ? ' Nothing was changed.' : ''}`;
    return fault === null ? null : refused('storage_failed', told);
  }
  const { taken, cause } = error;
  const paused = await pausedFor(taken, ports);
  const known = cause instanceof SecretStoreUnavailable ? cause.message : diskFault(cause, home);
  // A cause that nobody foresaw, too: the person must hear what was paused.
  if (known === null) ports.report(cause, requestId);
  const why = known?.replace(/\.$/, '') ?? `The daemon's log says why under request ${requestId}; look there`;
  return refused('not_kept', `${paused.what} ${why}, then ${paused.remedy}.`);
}

async function pausedFor(taken: NotKept['taken'], ports: CommandPorts) {
  if (taken === 'paused') {
    return { what: 'Paused in this run alone, since that could not be stored.', remedy: 'do it again' };
  }
  const what = await ports.pause('not_kept').then(
    () => `Paused, not ${taken}, since that could not be stored.`,
    () => `Paused in this run alone, and not ${taken}, since neither could be stored.`,
  );
  return { what, remedy: 'do it again and run `sallyport resume`' };
}
