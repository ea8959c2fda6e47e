/**
 * Runs a command that may be a privilege increase (spec §11) once it was checked and, if necessary,
 * confirmed. It runs any other command at once.
 */

import type * as z from 'zod';
import type { FieldCounts } from '../../shared/control.ts';
import { isObject } from '../../shared/json.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import type { SshConfiguration } from '../access/connection.ts';
import type { AppsProof } from '../access/privilege-increases/confirmations.ts';
import { type Grants, isUnconfirmed } from '../access/privilege-increases/grants.ts';
import type { ConfirmedBy } from '../access/privilege-increases/origin-words.ts';
import {
  type AnyCommand,
  type CommandContext,
  type CommandOutcome,
  invalid,
  invalidField,
  isBrake,
  needsProof,
  refused,
} from './command.ts';
import { confirmInApp } from './confirm-in-app.ts';
import { type Confirmed, increaseGate } from './increase-gate.ts';
import { recordCommand } from './record-command.ts';
import { type ClassifiedIncrease, isAsClassified, momentOf, namedConnections } from './shown-increases.ts';
import { beforeOf, subjectOf } from './standing-grants.ts';

/**
 * Runs one such command at a time, since nothing may change between checking and doing. If
 * Sallyport.app has to be asked, the turn is given up meanwhile, and everything is checked again in
 * the next turn.
 */
export async function confirmedCommand(
  command: AnyCommand,
  parameters: unknown,
  context: CommandContext,
): Promise<CommandOutcome<unknown>> {
  const { name: method, privilegeIncrease: verdict } = command;
  // A command without a verdict counts as a privilege increase.
  const increaseOf = typeof verdict === 'function' ? verdict : () => ({ phrase: 'may give more access', facts: [] });
  if (verdict === 'never' || isPlainBrake(command, parameters, context, increaseOf)) {
    const ran = await run(command, parameters, context);
    const outcome = ran.kind === 'looking' ? await ran.outcome : ran;
    await recordCommand(command, parameters, outcome, context);
    return outcome;
  }
  const first = await inTurn(null);
  if (first.asksApp === null) return first.outcome;
  const inApp = await confirmInApp(first.asksApp.increase, context);
  if (inApp.kind === 'refused') return inApp.refusal;
  return (await inTurn({ ...first.asksApp, confirmedBy: inApp.confirmedBy })).outcome;

  /** @param byApp what Sallyport.app has approved for another shell; null before. */
  function inTurn(byApp: (ClassifiedIncrease & { readonly confirmedBy: AppsProof }) | null): Promise<Turn> {
    return context.increases(async () => {
      const { requester, ports, shown, signal } = context;
      // What was confirmed is done as of that moment: "two hours" count from then, and a moment
      // later the confirmed sentence would read otherwise.
      let at = byApp?.at ?? ports.now();
      const authorities = new Map<string, Promise<string | null>>();
      const ways = new Map<string, Promise<SshConfiguration>>();
      const then: CommandContext = {
        ...context,
        authorityDigest(caFile) {
          const read = authorities.get(caFile) ?? ports.authorityDigest(caFile);
          authorities.set(caFile, read);
          return read;
        },
        sshConfiguration(tunnel) {
          const text = tunnelText(tunnel);
          const read = ways.get(text) ?? ports.tunnels.sshConfiguration(tunnel);
          ways.set(text, read);
          return read;
        },
        get at() {
          return at;
        },
        get confirmedBy() {
          return confirmedBy;
        },
      };
      let confirmedBy: ConfirmedBy = null;
      let wasHeldBack = false;
      let given: Omit<Parameters<Grants['note']>[0], 'kind' | 'id'> | null = null;
      let asksApp: ClassifiedIncrease | null = null;
      const mayRun = async (checked: object): Promise<CommandOutcome<never> | null> => {
        const clicked = context.confirmIn === 'app' && context.isApp();
        const nothing = context.passphrase === null && context.touchId === null && !clicked;
        const typedUnder = nothing ? null : shown.find(requester, method, checked);
        if (typedUnder !== null) at = momentOf(typedUnder, at);
        const increase = await increaseOf(checked, then);
        if (increase === null) return null;
        // This holds even while the owner passphrase is off.
        if (!context.isProved) return { kind: 'refused', error: needsProof };
        const classified: ClassifiedIncrease = { increase, about: namedConnections(checked, ports.connections), at };
        const confirmed: Confirmed | null =
          byApp !== null
            ? // The shell that asked may have gone meanwhile.
              {
                by: 'app',
                isStillSo: !signal.aborted && isAsClassified(byApp, classified),
                confirmedBy: byApp.confirmedBy,
              }
            : typedUnder && {
                by: 'owner',
                isStillSo: shown.isSame(typedUnder, classified),
                challenge: typedUnder.challenge,
              };
        const gate = await increaseGate(increase, context, confirmed);
        if (gate.kind === 'passes') {
          // A brake waits for no turn, so one may have come while the passphrase was checked.
          const now = await increaseOf(checked, then);
          const still = { increase: now, about: namedConnections(checked, ports.connections) };
          if (!isAsClassified(classified, still)) return refused('changed_since', changedSinceConfirmed);
          const before = beforeOf(classified.about[0] ?? null, checked, ports);
          const { phrase } = increase;
          given = { confirmedBy: gate.confirmedBy, at: new Date(at).toISOString(), phrase, before };
          shown.forget(requester, method, checked);
          confirmedBy = gate.confirmedBy;
          return null;
        }
        wasHeldBack = true;
        if (gate.kind === 'asks_app') {
          asksApp = classified;
          return askingApp;
        }
        return withChallenge(gate.refusal, shown.remember(requester, method, checked, classified), context);
      };
      const recorded = async (outcome: CommandOutcome<unknown>): Promise<CommandOutcome<unknown>> => {
        const unconfirmed = given !== null && isUnconfirmed(given);
        if (given !== null && outcome.kind === 'done') {
          const subject = subjectOf(command, outcome.result, (parameters ?? {}) as object, ports);
          if (subject !== null) await ports.grants.note({ ...given, ...subject });
        }
        // The gate records what it held back.
        if (!wasHeldBack) await recordCommand(command, parameters, outcome, then, unconfirmed);
        return unconfirmed && outcome.kind === 'done' ? { ...outcome, unconfirmed: true } : outcome;
      };
      const ran = await run(command, parameters, then, mayRun);
      if (ran.kind === 'looking') return { outcome: ran.outcome.then(recorded), asksApp };
      return { outcome: await recorded(ran), asksApp };
    });
  }
}

export const changedSinceConfirmed = 'Something has changed since this was confirmed, so nothing was done; try again.';

/** Adds what Touch ID is to sign, for Sallyport.app alone, which has it signed. */
function withChallenge(
  refusal: CommandOutcome<never>,
  challenge: string,
  { isApp, ports: { owner } }: Pick<CommandContext, 'isApp' | 'ports'>,
): CommandOutcome<never> {
  if (refusal.kind === 'done' || owner.touchIdKey() === null || !isApp()) return refusal;
  const { data } = refusal.error;
  if (!isObject(data) || data.confirm !== 'app') return refusal;
  return { ...refusal, error: { ...refusal.error, data: { ...data, touchId: challenge } } };
}

/**
 * Checks the parameters, then runs the command.
 * @param mayRun called once the parameters fit their shape; the answer is its refusal, if it gives
 *   one.
 */
async function run(
  command: AnyCommand,
  parameters: unknown,
  context: CommandContext,
  mayRun?: (checked: object) => Promise<CommandOutcome<never> | null>,
): Promise<Awaited<ReturnType<AnyCommand['run']>>> {
  const checked = command.shape.safeParse(parameters ?? {});
  if (!checked.success) return firstFault(checked.error);
  const asked = checked.data as object;
  if (!context.isProved && !isBrake(command, asked)) return { kind: 'refused', error: needsProof };
  const refusal = (await command.refuses?.(asked, context)) ?? (await mayRun?.(asked)) ?? null;
  return refusal ?? command.run(asked, context);
}

/**
 * True for a brake that is no privilege increase. It takes access away whatever happens meanwhile,
 * or judges itself again when it is done. So it need not wait for the turn of an increase, which
 * may wait for a keychain or a server.
 */
function isPlainBrake(
  command: AnyCommand,
  parameters: unknown,
  context: CommandContext,
  increaseOf: (asked: object, context: CommandContext) => unknown,
): boolean {
  const checked = command.shape.safeParse(parameters ?? {});
  if (!checked.success) return false;
  const asked = checked.data as object;
  return isBrake(command, asked) && increaseOf(asked, context) === null;
}

/**
 * Tells the first fault alone, as a person corrects one thing at a time. It never quotes the value,
 * which may be a password.
 */
function firstFault(error: z.ZodError): CommandOutcome<never> {
  const [issue] = error.issues;
  if (issue === undefined) return invalid('invalid_parameters', 'The parameters are not of the expected form.');
  if (issue.code === 'unrecognized_keys')
    return invalid('invalid_parameters', `There is no field ${issue.keys.join(', ')}.`);
  const { path, message: why } = issue;
  if (path.length === 0) return invalid('invalid_parameters', `${why}.`);
  const counts = issue.code === 'custom' ? (issue.params as FieldCounts | undefined) : undefined;
  return invalidField({ field: path.join('.'), why, ...(counts && { counts }) });
}

/** What a turn came to. @property asksApp set if Sallyport.app has to be asked before another. */
interface Turn {
  readonly outcome: CommandOutcome<unknown> | Promise<CommandOutcome<unknown>>;
  readonly asksApp: ClassifiedIncrease | null;
}

/** Ends the turn in which Sallyport.app has to be asked; no shell gets it. */
const askingApp = refused('needs_confirmation', 'Sallyport.app is asked.');
