/**
 * Remembers how to undo each step that was done, and undoes them in reverse, whatever one of them
 * says.
 */

export interface Undo {
  later(step: () => unknown): void;
  all(): Promise<void>;
}

export function undoInReverse(): Undo {
  const steps: (() => unknown)[] = [];
  return {
    later: step => void steps.push(step),
    async all() {
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        try {
          await step();
        } catch (error) {
          // The steps behind this one hold the socket and the lock: they must be undone all the
          // same.
          process.stderr.write(
            `sallyportd stopped uncleanly: ${error instanceof Error ? error.message : String(error)}\n`,
          );
        }
      }
    },
  };
}
