/** How V8 keeps house in a bridge, which lives as long as its client and does little. Touches nothing else. */

import { setFlagsFromString } from 'node:v8';

/**
 * A young generation that never grows: a call leaves a few kilobytes of garbage, for which V8 would set up 32 MB in time. And no
 * optimizing compilers, which take 6 MB once they run (their own code is read in) and spare a call 0.1 ms. To be called
 * when the first answers are out: of Node's own code, what is loaded under other flags than it was built with is compiled anew.
 */
export function stayLean(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--no-opt', '--no-maglev']) setFlagsFromString(flag);
}
