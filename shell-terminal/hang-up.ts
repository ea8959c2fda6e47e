/** Ends this process as a terminal that was closed ends it. */

/** An exit of ours would be a failure's: nothing can be written to a terminal that is gone. */
export function endAsHungUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
