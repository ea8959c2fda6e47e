/** Keeps a bridge as small after a thousand calls as after the first. Touches V8's settings, nothing of ours. */

/**
 * V8's optimizing compiler takes 6 MB once it runs for the first time (its own code is read in), and a relay that waits for others
 * gains nothing by it: measured alike per call and for messages of 5 MB. To be called behind the first response: what comes out of
 * Node's code cache before it would have to be compiled instead, and so would all of Node with the setting on the command line.
 */
export async function staySmall(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
}
