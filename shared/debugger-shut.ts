/**
 * Keeps Node's debugger shut in the process that imports this before anything else (spec §2): on
 * SIGUSR1 Node would open it for whoever connects, and what is said there runs with all that this
 * process has. Where it was asked for on Node's own command line it stays (CONTRIBUTING.md, Debug);
 * a wish in NODE_OPTIONS is none, as others may give a process variables. Imports nothing: every
 * start pays.
 */

/**
 * Of a signal that came before the listener Node's own thread may hear later than we do, on a
 * machine that has much to do.
 */
const lateMilliseconds = [100, 1_000];

/** What `node:inspector`, which takes a millisecond to load, calls `close`. */
const { _debugEnd: close } = process as NodeJS.Process & { readonly _debugEnd?: () => void };

// In place of Node's own.
process.on('SIGUSR1', () => {});
if (close !== undefined && !process.execArgv.some(option => /^--inspect(-brk|-wait)?(=|$)/.test(option))) {
  close();
  // Such a signal opens it twice: while code runs, and where the loop waits, after which this runs.
  setImmediate(close).unref();
  for (const milliseconds of lateMilliseconds) setTimeout(close, milliseconds).unref();
}
