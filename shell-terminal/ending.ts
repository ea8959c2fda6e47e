/**
 * How a command of the terminal ends when it doesn't end well (spec §16): its exit code and one
 * sentence.
 */

export const exitCodes = { done: 0, failed: 1, misuse: 2, noDaemon: 69 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Thrown anywhere within a command, caught once in main. */
export class Ending extends Error {
  readonly exitCode: ExitCode;
  /** How the command is called, where it was called wrongly. */
  readonly usage: string | null;
  constructor(exitCode: ExitCode, sentence: string, usage: string | null = null) {
    super(sentence);
    this.name = 'Ending';
    this.exitCode = exitCode;
    this.usage = usage;
  }
}

export function failed(sentence: string): Ending {
  return new Ending(exitCodes.failed, sentence);
}

export function misuse(sentence: string, usage: string | null = null): Ending {
  return new Ending(exitCodes.misuse, sentence, usage);
}

/** Root's own may be none while that of whoever typed sudo runs. */
function startIt(): string {
  const typedBy = process.getuid?.() === 0 ? process.env.SUDO_USER : undefined;
  return typedBy === undefined || typedBy === 'root'
    ? '; `sallyport start` starts it'
    : ` for root; run this without sudo to reach the one of ${typedBy}`;
}

export function noDaemon(whatToDo = startIt()): Ending {
  return new Ending(exitCodes.noDaemon, `Sallyport is not running${whatToDo}.`);
}

export function isNoDaemon(error: unknown): boolean {
  return error instanceof Ending && error.exitCode === exitCodes.noDaemon;
}

/**
 * A broken machine or a broken program. The place in our code is for whoever mends it; a whole
 * trace is for nobody's eyes.
 */
export function unforeseen(error: unknown): Ending {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = /[/\\]([\w-]+\.[jt]s:\d+):\d+\)?$/m.exec(stack)?.[1] ?? 'nowhere';
  return failed(
    `It met an error that it did not foresee (${message.split('\n')[0]}; ${place}). Try again, and report it if it happens again.`,
  );
}
