/** The time that a tool's call gives itself, waits included. Waits for nothing. */

import { isObject } from './json.ts';

/** Spec §6, `timeout_seconds`. */
export const callSeconds = { least: 0.1, most: 300 } as const;

/**
 * @param params of the request, as parsed.
 * @returns undefined if the call says none, or one that its tool will refuse.
 */
export function callMillisecondsOf(params: unknown): number | undefined {
  const asked = isObject(params) && isObject(params.arguments) ? params.arguments.timeout_seconds : undefined;
  const isTime = typeof asked === 'number' && asked >= callSeconds.least && asked <= callSeconds.most;
  return isTime ? asked * 1_000 : undefined;
}
