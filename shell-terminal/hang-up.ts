/** Ends this process the way a closed terminal ends it. */

/**
 * A normal exit would count as failure, since nothing can be written to a terminal that is gone.
 */
export function endAsHungUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
