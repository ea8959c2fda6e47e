/** The closed table of what a proved shell may ask (SPEC §11). A method that is not in it does not exist. */

import { isDeepStrictEqual } from 'node:util';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import type { Connection } from '../access/connection.ts';
import { SecretStoreUnavailable } from '../access/secret-store.ts';
import type { Widening } from '../access/widening-words.ts';
import { type Command, type CommandContext, type CommandOutcome, refused } from './command.ts';
import { followActivity, queryActivity, verifyActivity } from './commands/activity.ts';
import { attachToApprovals, decideApproval, pendingApprovals } from './commands/approvals.ts';
import { followChanges } from './commands/changes.ts';
import { listClients } from './commands/clients.ts';
import { decideConfirmation, pendingConfirmations } from './commands/confirmations.ts';
import { deleteConnection } from './commands/connections-delete.ts';
import { listConnections, showConnection } from './commands/connections-list.ts';
import { saveConnection } from './commands/connections-save.ts';
import { testConnection } from './commands/connections-test.ts';
import { createDemo } from './commands/demo.ts';
import { clearHistory } from './commands/history.ts';
import { beginPairing, closePairing, decidePairing } from './commands/pairing.ts';
import { clearPassphrase, setPassphrase } from './commands/passphrase.ts';
import { pause, resume } from './commands/pause.ts';
import { getSetting, listSettings, setSetting } from './commands/settings.ts';
import { listSnippets } from './commands/snippets.ts';
import { classifyStatement } from './commands/statements.ts';
import { status, stop } from './commands/status.ts';
import { deleteToken, listTokens, mintToken, revokeToken } from './commands/tokens.ts';
import { refusalInApp } from './confirm-in-app.ts';
import { recordCommand, recordFault } from './record-command.ts';
import { wideningGate } from './widening-gate.ts';
import { type WideningVerdict, wideningVerdicts } from './widening-verdicts.ts';

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
  'connections.delete': deleteConnection,
  'connections.test': testConnection,
  'tokens.list': listTokens,
  'tokens.mint': mintToken,
  'tokens.revoke': revokeToken,
  'tokens.delete': deleteToken,
  'approvals.pending': pendingApprovals,
  'approvals.attach': attachToApprovals,
  'approvals.decide': decideApproval,
  'confirmations.pending': pendingConfirmations,
  'confirmations.decide': decideConfirmation,
  'pairing.begin': beginPairing,
  'pairing.decide': decidePairing,
  'pairing.close': closePairing,
  'passphrase.set': setPassphrase,
  'passphrase.clear': clearPassphrase,
  'clients.list': listClients,
  'snippets.list': listSnippets,
  'changes.follow': followChanges,
  'statements.classify': classifyStatement,
  'demo.create': createDemo,
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
    return await judged(method, parameters, context);
  } catch (error) {
    if (!(error instanceof SecretStoreUnavailable)) {
      recordFault(method, context);
      throw error;
    }
    const refusal = refused(error.message);
    recordCommand(method, parameters, refusal, context);
    return refusal;
  }
}

/**
 * One such command at a time: between what was judged and what is done nothing else may change. Where Sallyport.app is to be asked
 * the turn is given up for as long, and all is judged anew in the next.
 */
async function judged<Method extends ControlMethod>(
  method: Method,
  parameters: unknown,
  context: CommandContext,
): ReturnType<Command<Method>> {
  const run: Command<Method> = commands[method];
  const verdict: WideningVerdict<Method> | undefined = wideningVerdicts[method];
  const judge = typeof verdict === 'function' ? verdict : () => ({ phrase: 'may widen access', facts: [] });
  if (verdict === 'never') {
    const outcome = await run(parameters, context);
    recordCommand(method, parameters, outcome, context);
    return outcome;
  }
  const first = await inTurn(null);
  if (first.asksApp === null) return first.outcome;
  const refusal = await refusalInApp(first.asksApp.widens, context);
  if (refusal !== null) return refusal;
  return (await inTurn(first.asksApp)).outcome;

  function inTurn(confirmed: ForTheApp | null): Promise<Turn<Method>> {
    return context.widenings.run(async () => {
      // As of the moment that was confirmed: two hours are two hours from then, and another sentence a moment later.
      const at = confirmed?.at ?? context.ports.now();
      const then: CommandContext = { ...context, at };
      let wasHeldBack = false;
      let asksApp: ForTheApp | null = null;
      const mayRun = async (checked: ControlCommands[Method]['params']): Promise<CommandOutcome<never> | null> => {
        const widens = judge(checked, then);
        if (widens === null) return null;
        const about = namedConnections(checked, context);
        // Under a name that was confirmed may stand something else by now, and who asked may have gone.
        const isSame = about.length === confirmed?.about.length && about.every((it, i) => it === confirmed.about[i]);
        const isSo = confirmed !== null && isSame && !context.signal.aborted;
        const stillSo = isSo && isDeepStrictEqual(confirmed.widens, widens) ? 'still so' : 'changed since';
        const gate = await wideningGate(widens.phrase, context, confirmed === null ? null : stillSo);
        if (gate.kind === 'passes') return null;
        wasHeldBack = true;
        if (gate.kind === 'refused') return gate.refusal;
        asksApp = { widens, about, at };
        return waits;
      };
      const outcome = await run(parameters, then, mayRun);
      // What the gate held back, the gate has recorded.
      if (!wasHeldBack) recordCommand(method, parameters, outcome, context);
      return { outcome, asksApp };
    });
  }
}

interface Turn<Method extends ControlMethod> {
  readonly outcome: CommandOutcome<ControlCommands[Method]['result']>;
  readonly asksApp: ForTheApp | null;
}

interface ForTheApp {
  readonly widens: Widening;
  /** The connections that the parameters name, as they were: another object after each change to one. */
  readonly about: readonly (Connection | null)[];
  /** When it was judged; milliseconds since 1970. */
  readonly at: number;
}

/** Never told to anybody. */
const waits = refused('Sallyport.app is asked.');

function namedConnections(parameters: object, { ports }: CommandContext): (Connection | null)[] {
  const one = 'connection' in parameters ? [parameters.connection] : [];
  const several = 'connections' in parameters && Array.isArray(parameters.connections) ? parameters.connections : one;
  return several.map(named => (typeof named === 'string' ? ports.connections.find(named) : null));
}

export const controlMethods = Object.keys(commands) as readonly ControlMethod[];

function isMethod(method: string): method is ControlMethod {
  return Object.hasOwn(commands, method);
}
