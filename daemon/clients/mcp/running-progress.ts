/**
 * Tells a client that asked for progress that its statement still runs (spec §9). Doesn't know what
 * runs.
 */

import type { ToolCall } from './tool.ts';

/** Soon enough for a watching person, and often enough for clients that give up on silence. */
const saySeconds = 1;

/**
 * @param soFar the message. Says nothing about work that ends within the first second, and nothing
 *   after its end.
 */
export async function whileRunning<Result>(
  { progress }: Pick<ToolCall, 'progress'>,
  work: () => Promise<Result>,
  soFar: (seconds: number) => string = seconds => `running for ${seconds} s`,
): Promise<Result> {
  if (progress === null) return work();
  let seconds = 0;
  const saying = setInterval(() => {
    seconds += saySeconds;
    progress(seconds, null, soFar(seconds));
  }, saySeconds * 1000);
  try {
    return await work();
  } finally {
    clearInterval(saying);
  }
}
