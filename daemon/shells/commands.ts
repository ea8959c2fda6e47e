/** The closed table of what a proved shell may ask (spec §11). A method that is not in it does not exist. */

import { errorCodes } from '../../shared/codes.ts';
import type { ControlMethod } from '../../shared/control-commands.ts';
import { SecretStoreUnavailable } from '../access/secret-store.ts';
import { diskFault } from '../disk-fault.ts';
import { type Command, type CommandContext, type CommandOutcome, refused } from './command.ts';
import { followActivity, queryActivity, verifyActivity } from './commands/activity.ts';
import { attachToApprovals, decideApproval, pendingApprovals } from './commands/approvals.ts';
import { followChanges } from './commands/changes.ts';
import { listClients } from './commands/clients.ts';
import { decideConfirmation, pendingConfirmations } from './commands/confirmations.ts';
import { readConnectionUrl } from './commands/connection-url.ts';
import { listConnections, showConnection, testConnection } from './commands/connections.ts';
import { deleteConnection, listRemoved, restoreConnection } from './commands/connections-removed.ts';
import { fitRole } from './commands/connections-role.ts';
import { saveConnection } from './commands/connections-save.ts';
import { createDemo } from './commands/demo.ts';
import { clearHistory, queryHistory } from './commands/history.ts';
import { beginPairing, closePairing, decidePairing } from './commands/pairing.ts';
import { confirmPassphrase, resetPassphrase, setPassphrase, switchOffPassphrase } from './commands/passphrase.ts';
import { decideRequests, listRequests, openRequests } from './commands/requests.ts';
import { pause, resume, status, stop } from './commands/server.ts';
import { getSetting, listSettings, setSetting } from './commands/settings.ts';
import { listSnippets } from './commands/snippets.ts';
import { classifyStatement } from './commands/statements.ts';
import { deleteToken, editToken, listTokens, mintToken, revokeToken } from './commands/tokens.ts';
import { classified } from './confirmed-command.ts';
import { recordCommand, recordFault } from './record-command.ts';

const commands: { readonly [Method in ControlMethod]: Command<Method> } = {
  status,
  stop,
  pause,
  resume,
  'settings.list': listSettings,
  'settings.get': getSetting,
  'settings.set': setSetting,
  'connections.list': listConnections,
  'connections.show': showConnection,
  'connections.save': saveConnection,
  'connections.read-url': readConnectionUrl,
  'connections.delete': deleteConnection,
  'connections.removed': listRemoved,
  'connections.restore': restoreConnection,
  'connections.test': testConnection,
  'connections.role': fitRole,
  'tokens.list': listTokens,
  'tokens.mint': mintToken,
  'tokens.edit': editToken,
  'tokens.revoke': revokeToken,
  'tokens.delete': deleteToken,
  'approvals.pending': pendingApprovals,
  'approvals.attach': attachToApprovals,
  'approvals.decide': decideApproval,
  'requests.list': listRequests,
  'requests.open': openRequests,
  'requests.decide': decideRequests,
  'confirmations.pending': pendingConfirmations,
  'confirmations.decide': decideConfirmation,
  'pairing.begin': beginPairing,
  'pairing.decide': decidePairing,
  'pairing.close': closePairing,
  'passphrase.set': setPassphrase,
  'passphrase.off': switchOffPassphrase,
  'passphrase.reset': resetPassphrase,
  'passphrase.confirm': confirmPassphrase,
  'clients.list': listClients,
  'snippets.list': listSnippets,
  'changes.follow': followChanges,
  'statements.classify': classifyStatement,
  'demo.create': createDemo,
  'history.query': queryHistory,
  'history.clear': clearHistory,
  'activity.query': queryActivity,
  'activity.verify': verifyActivity,
  'activity.follow': followActivity,
};

/** @throws whatever no one foresaw; the caller reports it. */
export async function runCommand(
  method: string,
  parameters: unknown,
  context: CommandContext,
): Promise<CommandOutcome<unknown>> {
  if (!isMethod(method)) {
    return {
      kind: 'refused',
      error: {
        code: errorCodes.methodNotFound,
        message: 'This daemon does not know that command; update Sallyport, then restart the daemon.',
      },
    };
  }
  try {
    return await classified(method, commands[method], parameters, context);
  } catch (error) {
    const sentence = error instanceof SecretStoreUnavailable ? error.message : diskSentence(error, context);
    if (sentence === null) {
      await recordFault(method, context);
      throw error;
    }
    const refusal = refused(sentence);
    await recordCommand(method, parameters, refusal, context);
    return refusal;
  }
}

/** What can't be kept was not done: each command keeps first, or takes back. */
function diskSentence(error: unknown, { ports }: CommandContext): string | null {
  const fault = diskFault(error, ports.status().home);
  return fault === null ? null : `${fault}, then try again. Nothing was changed.`;
}

export const controlMethods = Object.keys(commands) as readonly ControlMethod[];

function isMethod(method: string): method is ControlMethod {
  return Object.hasOwn(commands, method);
}
