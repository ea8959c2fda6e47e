/**
 * How one command is declared (spec §11): its name, what it takes and answers, whether it gives
 * more access, what stands in the log, and what it does. A refusal is a value with a sentence.
 */

import type * as z from 'zod';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlError } from '../../shared/control.ts';
import type { IncreaseConfirmations } from '../access/privilege-increases/confirmations.ts';
import type { ConfirmedBy, ProcessOrigin } from '../access/privilege-increases/origin.ts';
import type { PrivilegeIncrease } from '../access/privilege-increases/words.ts';
import type { ActivityAction, ActivityOutcome, ActivitySubject } from '../activity.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { ListChanges, NotifyAndHear } from './list-changes.ts';
import type { Message } from './messages/message.ts';
import type { CommandPorts } from './ports.ts';
import type { ShownIncreases } from './shown-increases.ts';

/** What a command knows of who asks. */
export interface CommandContext {
  readonly ports: CommandPorts;
  /** Through which every change to a connection goes. */
  readonly changes: OneAtATime;
  /** Everything that may be a privilege increase goes through this, one at a time. */
  readonly increases: OneAtATime;
  /** Names this request in the log and in the activity log. */
  readonly requestId: string;
  /**
   * As of when it is judged and done, milliseconds since 1970; earlier than `ports.now()` where a
   * yes took its time.
   */
  readonly at: number;
  /** What was typed to confirm this request, where anything was. */
  readonly passphrase: string | null;
  /** Where else the asking shell wants it confirmed, or from the app itself: where it was. */
  readonly confirmIn: 'app' | null;
  /** The asking shell's connection, by identity. */
  readonly asker: object;
  /** As it calls itself. */
  readonly shell: () => string;
  /**
   * Which process the asking shell is; null where that isn't known. Looked up once for a
   * connection.
   */
  readonly origin: () => Promise<ProcessOrigin | null>;
  /** How this request was confirmed, once the command runs. */
  readonly confirmedBy: ConfirmedBy;
  /** Whether the asking shell is Sallyport.app, and the only one that is. */
  readonly isApp: () => boolean;
  /** `several`: more than one shell would be Sallyport.app, so none is. */
  readonly appPresence: () => 'here' | 'away' | 'several';
  /** What waits for a yes in Sallyport.app. */
  readonly confirmations: IncreaseConfirmations;
  /** The privilege increase that each shell was told of. */
  readonly shown: ShownIncreases;
  readonly listChanges: ListChanges;
  /** The shells connected now, for `status`. */
  readonly shells: () => readonly string[];
  /** Whether the asking shell can ask a person from here on. */
  readonly attach: (answers: boolean) => void;
  /**
   * Tells the asking shell of a topic for as long as it is connected; a later `begin` takes the
   * place of the topic's former.
   */
  readonly follow: (topic: 'activity' | 'changes', begin: (notify: NotifyAndHear) => () => void) => void;
  /** Aborted when the asking shell is gone. */
  readonly signal: AbortSignal;
}

export type CommandOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result; readonly unconfirmed?: true }
  | { readonly kind: 'refused'; readonly error: ControlError };

/**
 * All that was judged is done, and it only looks from here on: what waits for its turn need not
 * wait for it.
 */
interface Looking<Result> {
  readonly kind: 'looking';
  readonly outcome: Promise<CommandOutcome<Result>>;
}

type MaybeSoon<Value> = Value | Promise<Value>;

/** Methods, not members with functions: so that all commands have one type, {@link AnyCommand}. */
interface Methods<Asked, Result> {
  privilegeIncrease(asked: Asked, context: CommandContext): PrivilegeIncrease | null;
  action(asked: Asked): AdminAction;
  done(result: Result, asked: Asked, ports: CommandPorts): Done;
}

type AdminAction = Extract<ActivityAction, { category: 'admin' }>['action'];
type Done = ActivitySubject & { readonly reason?: string; readonly outcome?: ActivityOutcome };

interface Declaration<Shape extends z.ZodType, Result extends z.ZodType> {
  /** Of its parameters. Where they are of another, nothing of the command runs. */
  readonly shape: Shape;
  readonly result: Result;
  /**
   * What it gives clients more; null where it doesn't, or where the command itself will refuse it.
   * Nobody is asked about less.
   */
  readonly privilegeIncrease: 'never' | Methods<Message<Shape>, Message<Result>>['privilegeIncrease'];
  /**
   * The row of it, done or refused: no parameter is copied whole, as passwords stand among them.
   * `refusals`: it changes nothing that a row would tell of, but a no stands there, for somebody
   * asked for what they may not have. `itself`: it records what it did and refused.
   */
  readonly records:
    | 'refusals'
    | 'itself'
    | {
        readonly action: AdminAction | Methods<Message<Shape>, Message<Result>>['action'];
        readonly done?: Methods<Message<Shape>, Message<Result>>['done'];
      };
  /** What is refused before anybody is asked to confirm it. */
  refuses?(asked: Message<Shape>, context: CommandContext): MaybeSoon<CommandOutcome<never> | null>;
  run(
    asked: Message<Shape>,
    context: CommandContext,
  ): MaybeSoon<CommandOutcome<Message<Result>> | Looking<Message<Result>>>;
}

export type Command<
  Name extends string,
  Shape extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> = Declaration<Shape, Result> & { readonly name: Name };

export type AnyCommand = Command<string>;

/**
 * @example
 * export const tokensDelete = command('tokens.delete', {
 *   ...{ shape: tokenById, result: endedToken, privilegeIncrease: 'never' },
 *   records: { action: 'token.delete', done: ({ id }) => ({ principal: id }) },
 *   run: async ({ id }, { ports }) => ended(id, await ports.tokens.delete(id)),
 * });
 */
export function command<Name extends string, Shape extends z.ZodType, Result extends z.ZodType>(
  name: Name,
  declared: Declaration<Shape, Result>,
): Command<Name, Shape, Result> {
  return { name, ...declared };
}

/** Of a command that changes nothing: it gives nobody more, and only its refusal is a row. */
export const looks = { privilegeIncrease: 'never', records: 'refusals' } as const;

export function done<Result>(result: Result): CommandOutcome<Result> {
  return { kind: 'done', result };
}

export function looking<Result>(outcome: Promise<CommandOutcome<Result>>): Looking<Result> {
  return { kind: 'looking', outcome };
}

/** Well asked, and no: `-33007`. */
export function refused(message: string): CommandOutcome<never> {
  return { kind: 'refused', error: { code: errorCodes.forbidden, message } };
}

/** Asked wrongly: `-32602`. */
export function invalid(message: string): CommandOutcome<never> {
  return { kind: 'refused', error: { code: errorCodes.invalidParams, message } };
}
