/**
 * Keeps Node's debugger closed in the process that imports this first (spec §2). On SIGUSR1 Node
 * would open it for everybody, and the debugger can do all that this process can. It stays open if
 * Node's own command line asks for it (CONTRIBUTING.md, Debug), but NODE_OPTIONS doesn't count,
 * since others may set a process's variables. Imports nothing: every start pays for it.
 */

/**
 * When it looks again: on a busy machine, Node's own thread may notice a signal that came before
 * the listener only later.
 */
const lateMilliseconds = [100, 1_000];

/** The function that `inspector.close` calls; `node:inspector` takes a millisecond to load. */
const { _debugEnd: close } = process as NodeJS.Process & { readonly _debugEnd?: () => void };

// Replaces Node's own listener.
process.on('SIGUSR1', () => {});
if (close !== undefined && !process.execArgv.some(option => /^--inspect(-brk|-wait)?(=|$)/.test(option))) {
  close();
  // Such a signal opens the debugger twice: while code runs, and while the loop waits. This runs
  // after the second.
  setImmediate(close).unref();
  for (const milliseconds of lateMilliseconds) setTimeout(close, milliseconds).unref();
}
