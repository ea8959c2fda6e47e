/** Words what an approval of a client's first use of a connection allows, and for how long. */

import type { Connection } from '../../../access/connection.ts';
import type { VisibleAccess } from '../../../access/resolve-connection.ts';

const minute = 60_000;
const hour = 60 * minute;

/** @param hours that an approval lasts; 0 for this call alone. */
export function meansOf(
  { level }: Pick<VisibleAccess, 'level'>,
  { externalClients, walls }: Pick<Connection, 'externalClients' | 'walls'>,
  hours: number,
  nowMilliseconds: number,
): string {
  const means = allowed(level, externalClients.writeUntil, hours, nowMilliseconds);
  return walls === 'one' ? `${means} What it reads is held by one wall where the server is none.` : means;
}

/** @param writeUntil when write access to the connection ends, ISO 8601. */
function allowed(
  level: VisibleAccess['level'],
  writeUntil: string | null,
  hours: number,
  nowMilliseconds: number,
): string {
  const lasting = hours === 0 ? 'this call' : hours === 1 ? 'an hour' : `${hours} hours`;
  if (level === 'readOnly') return `Read only, for ${lasting}.`;
  const writing = writeUntil === null ? Number.POSITIVE_INFINITY : Date.parse(writeUntil) - nowMilliseconds;
  if (writing >= hours * hour) return `Read and write, for ${lasting}.`;
  return `Read for ${lasting}, and write for the first ${shown(writing)} of it.`;
}

/** Rounded down: write access must not end sooner than told. */
function shown(milliseconds: number): string {
  if (milliseconds >= 2 * hour) return `${Math.floor(milliseconds / hour)} hours`;
  const minutes = Math.max(1, Math.floor(milliseconds / minute));
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
