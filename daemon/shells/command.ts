/**
 * How a command is declared (spec §11): its name, parameters and result, whether it is a privilege
 * increase, its row in the log, and what it does. A refusal is a code with its values, and a
 * sentence.
 */

import type * as z from 'zod';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlError, FieldRefused } from '../../shared/control.ts';
import type { RefusalCode, RefusalValues } from '../../shared/refusals.ts';
import type { TextOr } from '../../shared/texts.ts';
import type { PrivilegeIncrease } from '../access/privilege-increases/increase-words.ts';
import type { ConfirmedBy, ProcessOrigin } from '../access/privilege-increases/origin-words.ts';
import type { ActivityAction, ActivityResult, ActivitySubject } from '../activity.ts';
import { english, type Reason } from '../guard/reason.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { DeskList } from './desk/desk-list.ts';
import type { ListNotifier, NotifyAndHear } from './list-notifier.ts';
import type { Message } from './messages/message.ts';
import type { CommandPorts } from './ports.ts';
import type { ShownIncreases } from './shown-increases.ts';
import type { TestedDrafts } from './tested-drafts.ts';

/** What a command gets besides its parameters: the daemon, and what is known of its requester. */
export interface CommandContext {
  readonly ports: CommandPorts;
  /** Every change to a connection goes through this, one at a time. */
  readonly changes: OneAtATime;
  /** Everything that may be a privilege increase goes through this, one at a time. */
  readonly increases: OneAtATime;
  /** Names this request in the log and in the activity log. */
  readonly requestId: string;
  /**
   * The moment as of which the command is checked and done, in milliseconds since 1970. It is
   * earlier than `ports.now()` if an approval took time.
   */
  readonly at: number;
  /** The passphrase typed to confirm this request; null if none was. */
  readonly passphrase: string | null;
  /**
   * `app` if the asking shell wants Sallyport.app to ask the person; for a request of the app's
   * own, if the person has confirmed it there.
   */
  readonly confirmIn: 'app' | null;
  /** The signature that Touch ID made in the app; null if there is none. */
  readonly touchId: string | null;
  /** False for a peer that has proved nothing: it may only ask for brakes. */
  readonly isProved: boolean;
  /** The asking shell's connection, compared by identity. */
  readonly requester: object;
  /** The asking shell's name for itself. */
  readonly shell: () => string;
  /** The asking shell's process; null if unknown. Looked up once per connection. */
  readonly origin: () => Promise<ProcessOrigin | null>;
  /** How this request was confirmed, once the command runs. */
  readonly confirmedBy: ConfirmedBy;
  /**
   * The digest of a CA file, null if it can't be read. Each file is read once for this request, so
   * that what is saved is what was confirmed.
   */
  readonly authorityDigest: CommandPorts['authorityDigest'];
  /** What ~/.ssh/config says of a tunnel, read once for this request too. */
  readonly sshConfiguration: CommandPorts['tunnels']['sshConfiguration'];
  /** Whether the asking shell is the one and only Sallyport.app. */
  readonly isApp: () => boolean;
  /** `several`: more than one shell claims to be Sallyport.app, so none is. */
  readonly appPresence: () => 'here' | 'away' | 'several';
  /** All that waits for the person. */
  readonly desk: DeskList;
  /** The privilege increase that each shell was told of. */
  readonly shown: ShownIncreases;
  /** What each shell tested before it was saved. */
  readonly testedDrafts: TestedDrafts;
  readonly listChanges: ListNotifier;
  /** The connected shells, for `status`. */
  readonly shells: () => readonly string[];
  /** Sets whether the asking shell can ask a person. */
  readonly attach: (answers: boolean) => void;
  /**
   * Tells the asking shell about a topic as long as it is connected; a later `begin` replaces an
   * earlier one.
   */
  readonly follow: (topic: 'activity' | 'changes', begin: (notify: NotifyAndHear) => () => void) => void;
  /** Aborted when the asking shell is gone. */
  readonly signal: AbortSignal;
}

export type CommandOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result; readonly unconfirmed?: true }
  | { readonly kind: 'refused'; readonly error: ControlError };

/**
 * The part that was judged is done. From here on the command only looks, so the next one in turn
 * need not wait for it.
 */
interface Looking<Result> {
  readonly kind: 'looking';
  readonly outcome: Promise<CommandOutcome<Result>>;
}

type MaybeSoon<Value> = Value | Promise<Value>;

/** Methods instead of function members, so all commands share one type, {@link AnyCommand}. */
interface Methods<Asked, Result> {
  privilegeIncrease(asked: Asked, context: CommandContext): MaybeSoon<PrivilegeIncrease | null>;
  action(asked: Asked): AdminAction;
  brake(asked: Asked): boolean;
  done(result: Result, asked: Asked, ports: CommandPorts): Done;
}

type AdminAction = Extract<ActivityAction, { category: 'admin' }>['action'];
type Done = ActivitySubject & Pick<Partial<ActivityResult>, 'reason' | 'standing' | 'outcome'>;

interface Declaration<Shape extends z.ZodType, Result extends z.ZodType> {
  /** The shape of its parameters. With any other parameters the command doesn't run. */
  readonly shape: Shape;
  readonly result: Result;
  /**
   * The privilege increase in a request of it; null if there is none, or if the command itself will
   * refuse it. Giving less never needs confirmation.
   */
  readonly privilegeIncrease: 'never' | Methods<Message<Shape>, Message<Result>>['privilegeIncrease'];
  /**
   * Set if a peer that has proved nothing may ask for it: such a command only takes access away or
   * tells the state, and shows no secret. A function says for which parameters. What is a privilege
   * increase is never a brake.
   */
  readonly brake?: true | Methods<Message<Shape>, Message<Result>>['brake'];
  /**
   * Its row in the log, done or refused. Parameters are never copied whole, as some hold passwords.
   * `refusals`: only a refusal has a row. `itself`: the command records what it does.
   */
  readonly records:
    | 'refusals'
    | 'itself'
    | {
        readonly action: AdminAction | Methods<Message<Shape>, Message<Result>>['action'];
        readonly done?: Methods<Message<Shape>, Message<Result>>['done'];
      };
  /** Refuses a request before anybody is asked to confirm it. */
  refuses?(asked: Message<Shape>, context: CommandContext): MaybeSoon<CommandOutcome<never> | null>;
  run(
    asked: Message<Shape>,
    context: CommandContext,
  ): MaybeSoon<CommandOutcome<Message<Result>> | Looking<Message<Result>>>;
  /** Gives other members in place of those above, chosen by the unchecked parameters. */
  variant?(parameters: unknown, context: CommandContext): CommandVariant<Shape, Result>;
}

export type CommandVariant<Shape extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> = Pick<
  Declaration<Shape, Result>,
  'privilegeIncrease' | 'records' | 'refuses' | 'run'
>;

export type Command<
  Name extends string,
  Shape extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> = Declaration<Shape, Result> & { readonly name: Name };

export type AnyCommand = Command<string>;

/**
 * Declares a command.
 * @example
 * export const tokensDelete = command('tokens.delete', {
 *   shape: tokenById,
 *   result: endedToken,
 *   privilegeIncrease: 'never',
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

/** For a command that changes nothing: no privilege increase, and only its refusal has a row. */
export const looks = { privilegeIncrease: 'never', records: 'refusals' } as const;

export function done<Result>(result: Result): CommandOutcome<Result> {
  return { kind: 'done', result };
}

export function looking<Result>(outcome: Promise<CommandOutcome<Result>>): Looking<Result> {
  return { kind: 'looking', outcome };
}

/**
 * An error as a shell gets it.
 * @param number the JSON-RPC error's code.
 * @param sentence its parts are sent, too, if values are among its words.
 * @param data what else a program may read of it.
 */
export function controlError<Code extends RefusalCode>(
  number: number,
  code: Code,
  sentence: Reason,
  [values]: RefusalValues<Code>,
  data: object = {},
): ControlError {
  const parts = typeof sentence === 'string' ? {} : { parts: sentence };
  return {
    code: number,
    message: english(sentence),
    data: { code, ...(values != null && { values }), ...parts, ...data },
  };
}

function refusing(number: number) {
  return <Code extends RefusalCode, const Sentence extends Reason>(
    code: Code,
    sentence: TextOr<Sentence>,
    ...values: RefusalValues<Code>
  ): CommandOutcome<never> => ({ kind: 'refused', error: controlError(number, code, sentence, values) });
}

/** A valid request that is refused: `-33007`. */
export const refused = refusing(errorCodes.forbidden);

/** An invalid request: `-32602`. */
export const invalid = refusing(errorCodes.invalidParams);

/** The one refusal of all that needs a proof: a peer without one learns nothing more. */
export const needsProof = controlError(
  errorCodes.unauthenticated,
  'unproved',
  'Only a shell that has proved itself may ask that.',
  [],
);

/** An invalid parameter. @param message for a shell that shows no fields. */
export function invalidField(data: FieldRefused, message = `${data.field}: ${data.why}.`): CommandOutcome<never> {
  const values = { field: data.field };
  return { kind: 'refused', error: controlError(errorCodes.invalidParams, 'invalid_field', message, [values], data) };
}

/** Whether a command may be asked for without a proof. @param asked parameters of its shape. */
export function isBrake({ brake }: Pick<AnyCommand, 'brake'>, asked: object): boolean {
  return typeof brake === 'function' ? brake(asked) : brake === true;
}
