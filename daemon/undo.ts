/** Remembers how to undo each completed step, and undoes them in reverse, even if one fails. */

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
          // Earlier steps hold the socket and the lock: they must be undone in any case.
          process.stderr.write(
            `sallyportd stopped uncleanly: ${error instanceof Error ? error.message : String(error)}\n`,
          );
        }
      }
    },
  };
}
