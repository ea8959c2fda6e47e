/** A command's failure (spec §16): its exit code, a code with values, and one sentence. */

import type { FieldRefused } from '../shared/control.ts';
import type { RefusalCode, RefusalData } from '../shared/refusals.ts';

export const exitCodes = { done: 0, failed: 1, misuse: 2, differs: 3, noDaemon: 69 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What no daemon has refused. */
type OwnCode =
  | 'failed'
  | 'misuse'
  | 'no_daemon'
  /** `policy apply --check` */
  | 'policy_differs'
  /** Something runs there, but gives no answer, or isn't believed. */
  | 'unanswered'
  | 'untrusted'
  | 'connection_lost'
  | 'not_started'
  | 'server_off'
  /** Some of several. */
  | 'partly_done'
  /** A statement that its person allowed or ran, at their terminal. */
  | 'not_run'
  /** A pairing's answer, to the client. */
  | 'not_delivered'
  | 'several_tokens'
  | 'unknown_client'
  /** Of another product's configuration. */
  | 'unknown_server'
  | 'several_servers'
  | 'not_reached'
  | 'program_missing'
  | 'unexpected';

const codeOf: Readonly<Record<ExitCode, OwnCode>> = {
  0: 'failed',
  1: 'failed',
  2: 'misuse',
  3: 'policy_differs',
  69: 'no_daemon',
};

interface Told {
  /** The command's usage, if it was called wrongly. */
  readonly usage?: string | null;
  /** As `--json` prints it. A refused call has a code of the tools (spec §9). */
  readonly code?: OwnCode | RefusalCode | (string & {}) | undefined;
  readonly values?: RefusalData['values'] | undefined;
  /** The parameter of the request that the daemon refused; null if none alone. */
  readonly refused?: FieldRefused | null;
}

/** Thrown anywhere in a command, caught once in main. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly told: Told;
  constructor(exitCode: ExitCode, sentence: string, told: Told = {}) {
    super(sentence);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.told = told;
  }

  /** For a script that asked for JSON. */
  asJson(): object {
    const { code = codeOf[this.exitCode], values } = this.told;
    return { error: { code, ...(values && { values }), message: this.message } };
  }
}

export function failed(sentence: string, code?: Told['code'], values?: Told['values']): CliError {
  return new CliError(exitCodes.failed, sentence, { code, values });
}

export function misuse(sentence: string, usage: string | null = null): CliError {
  return new CliError(exitCodes.misuse, sentence, { usage });
}

/** Who typed sudo; null if nobody but root did. */
export function typedSudo(): string | null {
  const typedBy = process.getuid?.() === 0 ? process.env.SUDO_USER : undefined;
  return typedBy === undefined || typedBy === 'root' ? null : typedBy;
}

/** Root may have no daemon while the person who typed sudo has one. */
function startIt(): string {
  const typedBy = typedSudo();
  return typedBy === null
    ? '; `sallyport start` starts it'
    : ` for root; run this without sudo to reach the one of ${typedBy}`;
}

export function noDaemon(whatToDo = startIt()): CliError {
  return new CliError(exitCodes.noDaemon, `Sallyport is not running${whatToDo}.`);
}

export function isNoDaemon(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.noDaemon;
}

/**
 * A broken machine or program. The place in our code helps developers; nobody wants the whole
 * trace.
 */
export function unforeseen(error: unknown): CliError {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = /[/\\]([\w-]+\.[jt]s:\d+):\d+\)?$/m.exec(stack)?.[1] ?? 'nowhere';
  return failed(
    `An unexpected error happened (${message.split('\n')[0]}; ${place}). Try again, and report it if it happens again.`,
    'unexpected',
  );
}
