/** Runs a command that may widen access (spec §11) once it was judged, and confirmed where it has to be; any other at once. */

import type { ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import type { ConfirmedBy } from '../access/privilege-increases/origin.ts';
import { type Command, type CommandContext, type CommandOutcome, refused } from './command.ts';
import { refusalInApp } from './confirm-in-app.ts';
import { recordCommand } from './record-command.ts';
import { isAsClassified, type Judged, momentOf, namedConnections } from './shown-widenings.ts';
import { type Confirmed, wideningGate } from './widening-gate.ts';
import { type WideningVerdict, wideningVerdicts } from './widening-verdicts.ts';

/**
 * One such command at a time: between what was judged and what is done nothing else may change. Where Sallyport.app is to be asked
 * the turn is given up for as long, and all is judged anew in the next.
 */
export async function classified<Method extends ControlMethod>(
  method: Method,
  run: Command<Method>,
  parameters: unknown,
  context: CommandContext,
): ReturnType<Command<Method>> {
  const verdict: WideningVerdict<Method> | undefined = wideningVerdicts[method];
  const judge = typeof verdict === 'function' ? verdict : () => ({ phrase: 'may widen access', facts: [] });
  if (verdict === 'never') {
    const outcome = await run(parameters, context);
    await recordCommand(method, parameters, outcome, context);
    return outcome;
  }
  const first = await inTurn(null);
  if (first.asksApp === null) return first.outcome;
  const refusal = await refusalInApp(first.asksApp.widens, context);
  if (refusal !== null) return refusal;
  return (await inTurn(first.asksApp)).outcome;

  /** @param byApp what Sallyport.app has said yes to for another shell; null before. */
  function inTurn(byApp: Judged | null): Promise<Turn<Method>> {
    return context.widenings(async () => {
      const { asker, ports, shown, signal } = context;
      // As of the moment that was confirmed: two hours are two hours from then, and another sentence a moment later.
      let at = byApp?.at ?? ports.now();
      const then: CommandContext = {
        ...context,
        get at() {
          return at;
        },
        get confirmedBy() {
          return confirmedBy;
        },
      };
      let confirmedBy: ConfirmedBy = null;
      let wasHeldBack = false;
      let unconfirmed = false;
      let asksApp: Judged | null = null;
      const mayRun = async (checked: ControlCommands[Method]['params']): Promise<CommandOutcome<never> | null> => {
        const typedUnder = context.passphrase === null ? null : shown.find(asker, method, checked);
        if (typedUnder !== null) at = momentOf(typedUnder, at);
        const widens = judge(checked, then);
        if (widens === null) return null;
        const classified: Judged = { widens, about: namedConnections(checked, ports.connections), at };
        const confirmed: Confirmed | null =
          byApp !== null
            ? // Who asked may have gone.
              { by: 'app', isStillSo: !signal.aborted && isAsClassified(byApp, classified) }
            : typedUnder && { by: 'passphrase', isStillSo: shown.isSame(typedUnder, classified) };
        const gate = await wideningGate(widens, context, confirmed);
        if (gate.kind === 'passes') {
          unconfirmed = gate.confirmedBy === null;
          shown.forget(asker, method, checked);
          confirmedBy = gate.confirmedBy;
          return null;
        }
        wasHeldBack = true;
        if (gate.kind === 'asks_app') {
          asksApp = classified;
          return waits;
        }
        shown.remember(asker, method, checked, classified);
        return gate.refusal;
      };
      const outcome = await run(parameters, then, mayRun);
      // What the gate held back, the gate has recorded.
      if (!wasHeldBack) await recordCommand(method, parameters, outcome, context, unconfirmed);
      const told = unconfirmed && outcome.kind === 'done' ? { ...outcome, unconfirmed: true as const } : outcome;
      return { outcome: told, asksApp };
    });
  }
}

interface Turn<Method extends ControlMethod> {
  readonly outcome: CommandOutcome<ControlCommands[Method]['result']>;
  readonly asksApp: Judged | null;
}

/** Placeholder; never sent. */
const waits = refused('Sallyport.app is asked.');
