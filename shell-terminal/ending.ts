/** How a command of the terminal ends when it doesn't end well (SPEC §16): its exit code and one sentence. */

export const exitCodes = { done: 0, failed: 1, misuse: 2, noDaemon: 69 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Thrown anywhere within a command, caught once in main. */
export class Ending extends Error {
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, sentence: string) {
    super(sentence);
    this.name = 'Ending';
    this.exitCode = exitCode;
  }
}

export function failed(sentence: string): Ending {
  return new Ending(exitCodes.failed, sentence);
}

export function misuse(sentence: string): Ending {
  return new Ending(exitCodes.misuse, sentence);
}

export function noDaemon(whatToDo = '; `sallyport start` starts it'): Ending {
  return new Ending(exitCodes.noDaemon, `Sallyport is not running${whatToDo}.`);
}
