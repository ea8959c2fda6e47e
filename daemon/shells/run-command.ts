/** Runs a shell's request by the command's name, and words failures of disk and secret store. */

import { errorCodes } from '../../shared/codes.ts';
import { SecretStoreUnavailable } from '../access/secret-store.ts';
import { diskFault } from '../disk-fault.ts';
import { type AnyCommand, type CommandContext, type CommandOutcome, refused } from './command.ts';
import { commands } from './commands.ts';
import { confirmedCommand } from './confirmed-command.ts';
import { recordCommand, recordFault } from './record-command.ts';

const byName: ReadonlyMap<string, AnyCommand> = new Map(commands.map(each => [each.name, each]));

/** @throws unexpected errors; the caller reports them. */
export async function runCommand(
  method: string,
  parameters: unknown,
  context: CommandContext,
): Promise<CommandOutcome<unknown>> {
  const command = byName.get(method);
  if (command === undefined) {
    return {
      kind: 'refused',
      error: {
        code: errorCodes.methodNotFound,
        message: 'This daemon does not know that command; update Sallyport, then restart the daemon.',
      },
    };
  }
  try {
    return await confirmedCommand(command, parameters, context);
  } catch (error) {
    const sentence = error instanceof SecretStoreUnavailable ? error.message : diskSentence(error, context);
    if (sentence === null) {
      await recordFault(command, context);
      throw error;
    }
    const refusal = refused(sentence);
    await recordCommand(command, parameters, refusal, context);
    return refusal;
  }
}

/** What can't be stored was not done: each command stores first, or undoes. */
function diskSentence(error: unknown, { ports }: CommandContext): string | null {
  const fault = diskFault(error, ports.status().home);
  return fault === null ? null : `${fault}, then try again. Nothing was changed.`;
}
