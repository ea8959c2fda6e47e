/** What a benchmark started ends with it, also at Ctrl-C. */

/** Steps that end what was started; run in reverse order. */
export type Undo = (() => unknown)[];

export async function withUndo(work: (undo: Undo) => Promise<void>): Promise<void> {
  const undo: Undo = [];
  const endAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void endAll().finally(() => process.exit(1)));
  try {
    await work(undo);
  } finally {
    await endAll();
  }
}
