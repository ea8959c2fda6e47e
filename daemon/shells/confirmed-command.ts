/**
 * Runs a command that may be a privilege increase (spec §11) once it was judged, and confirmed
 * where it has to be; any other at once.
 */

import type * as z from 'zod';
import type { ConfirmedBy } from '../access/privilege-increases/origin.ts';
import { type AnyCommand, type CommandContext, type CommandOutcome, invalid, refused } from './command.ts';
import { refusalInApp } from './confirm-in-app.ts';
import { type Confirmed, increaseGate } from './increase-gate.ts';
import { recordCommand } from './record-command.ts';
import { isAsClassified, type Judged, momentOf, namedConnections } from './shown-increases.ts';

/**
 * One such command at a time: between what was judged and what is done nothing else may change.
 * Where Sallyport.app is to be asked the turn is given up for as long, and all is judged anew in
 * the next.
 */
export async function confirmedCommand(
  command: AnyCommand,
  parameters: unknown,
  context: CommandContext,
): Promise<CommandOutcome<unknown>> {
  const { name: method, privilegeIncrease: verdict } = command;
  // What has no verdict is held back.
  const increaseOf = typeof verdict === 'function' ? verdict : () => ({ phrase: 'may give more access', facts: [] });
  if (verdict === 'never') {
    const ran = await run(command, parameters, context);
    const outcome = ran.kind === 'looking' ? await ran.outcome : ran;
    await recordCommand(command, parameters, outcome, context);
    return outcome;
  }
  const first = await inTurn(null);
  if (first.asksApp === null) return first.outcome;
  const refusal = await refusalInApp(first.asksApp.increase, context);
  if (refusal !== null) return refusal;
  return (await inTurn(first.asksApp)).outcome;

  /** @param byApp what Sallyport.app has said yes to for another shell; null before. */
  function inTurn(byApp: Judged | null): Promise<Turn> {
    return context.increases(async () => {
      const { asker, ports, shown, signal } = context;
      // As of the moment that was confirmed: two hours are two hours from then, and another
      // sentence a moment later.
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
      const mayRun = async (checked: object): Promise<CommandOutcome<never> | null> => {
        const typedUnder = context.passphrase === null ? null : shown.find(asker, method, checked);
        if (typedUnder !== null) at = momentOf(typedUnder, at);
        const increase = increaseOf(checked, then);
        if (increase === null) return null;
        const classified: Judged = { increase, about: namedConnections(checked, ports.connections), at };
        const confirmed: Confirmed | null =
          byApp !== null
            ? // Who asked may have gone.
              { by: 'app', isStillSo: !signal.aborted && isAsClassified(byApp, classified) }
            : typedUnder && { by: 'passphrase', isStillSo: shown.isSame(typedUnder, classified) };
        const gate = await increaseGate(increase, context, confirmed);
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
      const told = async (outcome: CommandOutcome<unknown>): Promise<CommandOutcome<unknown>> => {
        // What the gate held back, the gate has recorded.
        if (!wasHeldBack) await recordCommand(command, parameters, outcome, context, unconfirmed);
        return unconfirmed && outcome.kind === 'done' ? { ...outcome, unconfirmed: true } : outcome;
      };
      const ran = await run(command, parameters, then, mayRun);
      if (ran.kind === 'looking') return { outcome: ran.outcome.then(told), asksApp };
      return { outcome: await told(ran), asksApp };
    });
  }
}

/**
 * @param mayRun asked once the parameters are known to be of their shape; a refusal is the answer
 * then.
 */
async function run(
  command: AnyCommand,
  parameters: unknown,
  context: CommandContext,
  mayRun?: (checked: object) => Promise<CommandOutcome<never> | null>,
): Promise<Awaited<ReturnType<AnyCommand['run']>>> {
  const checked = command.shape.safeParse(parameters ?? {});
  if (!checked.success) return invalid(firstFault(checked.error));
  const asked = checked.data as object;
  const refusal = (await command.refuses?.(asked, context)) ?? (await mayRun?.(asked)) ?? null;
  return refusal ?? command.run(asked, context);
}

/**
 * The first fault only: a person mends one thing at a time. Never quotes the value, which may be a
 * password.
 */
function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'The parameters are not of the expected form.';
  if (issue.code === 'unrecognized_keys') return `There is no field ${issue.keys.join(', ')}.`;
  const field = issue.path.join('.');
  return field === '' ? `${issue.message}.` : `${field}: ${issue.message}.`;
}

interface Turn {
  readonly outcome: CommandOutcome<unknown> | Promise<CommandOutcome<unknown>>;
  readonly asksApp: Judged | null;
}

/** Placeholder; never sent. */
const waits = refused('Sallyport.app is asked.');
