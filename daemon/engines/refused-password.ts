/**
 * A server refused a password that was kept for some minutes: whether there is a newer one, with
 * which to sign in once more.
 */

import type { DatabasePorts } from './engine.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * @returns null where there is none; the same again would only bring an account nearer to being
 * locked.
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
