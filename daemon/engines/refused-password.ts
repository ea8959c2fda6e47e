/** Fetches a newer password to sign in once more after a server refused a cached one. */

import type { DatabasePorts } from './engine.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * @returns null if there is none; trying the same password again would only bring an account nearer
 *   to being locked.
 */
export async function anotherPassword(
  ports: DatabasePorts,
  refused: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (refused === null || ports.anotherPassword === undefined) return null;
  const other = await unlessAborted(ports.anotherPassword(refused), signal);
  return other === refused ? null : other;
}
