/** How one command is made: its parameters' shape is checked before it runs, a refusal is a value with a sentence. */

import type * as z from 'zod';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlError } from '../../shared/control.ts';
import type { ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import type { ConfirmedBy, ProcessOrigin } from '../access/privilege-increases/origin.ts';
import type { WideningConfirmations } from '../access/privilege-increases/widening-confirmations.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { ListChanges, NotifyAndHear } from './list-changes.ts';
import type { CommandPorts } from './ports.ts';
import type { ShownWidenings } from './shown-widenings.ts';

/** What a command knows of who asks. */
export interface CommandContext {
  readonly ports: CommandPorts;
  /** Through which every change to a connection goes. */
  readonly changes: OneAtATime;
  /** Through which everything goes that may widen access. */
  readonly widenings: OneAtATime;
  /** Names this request in the log and in the activity log. */
  readonly requestId: string;
  /** As of when it is judged and done, milliseconds since 1970; earlier than `ports.now()` where a yes took its time. */
  readonly at: number;
  /** What was typed to confirm this request, where anything was. */
  readonly passphrase: string | null;
  /** Where else the asking shell wants it confirmed, or from the app itself: where it was. */
  readonly confirmIn: 'app' | null;
  /** The asking shell's connection, by identity. */
  readonly asker: object;
  /** As it calls itself. */
  readonly shell: () => string;
  /** Which process the asking shell is; null where that isn't known. Looked up once for a connection. */
  readonly origin: () => Promise<ProcessOrigin | null>;
  /** How this request was confirmed, once the command runs. */
  readonly confirmedBy: ConfirmedBy;
  /** Whether the asking shell is Sallyport.app, and the only one that is. */
  readonly isApp: () => boolean;
  /** `several`: more than one shell would be Sallyport.app, so none is. */
  readonly appPresence: () => 'here' | 'away' | 'several';
  /** What waits for a yes in Sallyport.app. */
  readonly confirmations: WideningConfirmations;
  /** What each shell was told that it would widen. */
  readonly shown: ShownWidenings;
  readonly listChanges: ListChanges;
  /** The shells connected now, for `status`. */
  readonly shells: () => readonly string[];
  /** Whether the asking shell can ask a person from here on. */
  readonly attach: (answers: boolean) => void;
  /** Tells the asking shell of a topic for as long as it is connected; a later `begin` takes the place of the topic's former. */
  readonly follow: (topic: 'activity' | 'changes', begin: (notify: NotifyAndHear) => () => void) => void;
  /** Aborted when the asking shell is gone. */
  readonly signal: AbortSignal;
}

export type CommandOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result; readonly unconfirmed?: true }
  | { readonly kind: 'refused'; readonly error: ControlError };

export type Command<Method extends ControlMethod> = (
  parameters: unknown,
  context: CommandContext,
  /** Asked once the parameters are known to be of their shape; a refusal is the answer then. */
  mayRun?: (parameters: ControlCommands[Method]['params']) => Promise<CommandOutcome<never> | null>,
) => Promise<CommandOutcome<ControlCommands[Method]['result']>>;

export function command<Method extends ControlMethod>(
  shape: z.ZodType<ControlCommands[Method]['params']>,
  run: (
    parameters: ControlCommands[Method]['params'],
    context: CommandContext,
  ) => CommandOutcome<ControlCommands[Method]['result']> | Promise<CommandOutcome<ControlCommands[Method]['result']>>,
): Command<Method> {
  return async (parameters, context, mayRun) => {
    const checked = shape.safeParse(parameters ?? {});
    if (!checked.success) return invalid(firstFault(checked.error));
    const refusal = (await mayRun?.(checked.data)) ?? null;
    return refusal ?? run(checked.data, context);
  };
}

export function done<Result>(result: Result): CommandOutcome<Result> {
  return { kind: 'done', result };
}

/** Well asked, and no: `-33007`. */
export function refused(message: string): CommandOutcome<never> {
  return { kind: 'refused', error: { code: errorCodes.forbidden, message } };
}

/** Asked wrongly: `-32602`. */
export function invalid(message: string): CommandOutcome<never> {
  return { kind: 'refused', error: { code: errorCodes.invalidParams, message } };
}

/** The first fault only: a person mends one thing at a time. Never quotes the value, which may be a password. */
function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'The parameters are not of the expected form.';
  if (issue.code === 'unrecognized_keys') return `There is no field ${issue.keys.join(', ')}.`;
  const field = issue.path.join('.');
  return field === '' ? `${issue.message}.` : `${field}: ${issue.message}.`;
}
