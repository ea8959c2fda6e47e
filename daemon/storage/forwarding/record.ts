/**
 * A row of the activity log as it is forwarded (spec §14): JSON on one line, without members that
 * have no value. `number` is its place in the chain and `mac` its hash there, so that whoever keeps
 * the lines can show a gap, and compare them with the log. It has no statement, row or parameter.
 */

import type { ActivityRow } from '../../activity.ts';

export interface Record {
  readonly row: ActivityRow;
  /** HMAC-SHA-256 of the row and of the one before, in base64. */
  readonly mac: string;
}

/** The line of a record as JSON, without a line feed. */
export function recordLine({ row, mac }: Record): string {
  const { number, time, fate: _, connection, ...rest } = row;
  const named = connection === null ? {} : { connection: connection.name, connectionId: connection.id };
  const members = Object.entries({ ...rest, ...named }).filter(([, value]) => value !== null);
  return JSON.stringify({ time, number, mac, ...Object.fromEntries(members) });
}
