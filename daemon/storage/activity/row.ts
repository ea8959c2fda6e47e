/**
 * Converts a row of the `activity` table from and to the port's types. Of the chain it knows only
 * the columns.
 */

import type { ActivityIntent, ActivityResult, ActivityRow } from '../../activity.ts';
import { longestName, longestReason } from './log-limits.ts';

/** A row's content, before it has a place in the chain. */
export type Facts = Readonly<ReturnType<typeof factsOf>>;

export interface StoredRow extends Facts {
  readonly number: number;
  /** The MAC of the row before; set only if that row is not in the table. */
  readonly previous: Buffer | null;
  readonly mac: Buffer;
}

/** @param time milliseconds since 1970. */
export function factsOf(
  time: number,
  kind: ActivityRow['kind'],
  attempt: number | null,
  intent: ActivityIntent,
  result: ActivityResult | null,
) {
  return {
    time: Math.trunc(time),
    kind,
    attempt,
    category: intent.category,
    action: kept(intent.action, longestName) ?? '',
    outcome: result?.outcome ?? null,
    principal: kept(intent.principal, longestName),
    token_name: kept(intent.tokenName, longestName),
    client: kept(intent.client, longestName),
    connection_id: kept(intent.connection?.id, longestName),
    connection_name: kept(intent.connection?.name, longestName),
    // Hexadecimal text, not 32 bytes: those would keep an 8 KiB block of Node alive until the row
    // is written.
    statement_hash: checkedHash(intent.statementHash),
    rows: wholeNumber(result?.rows),
    duration_milliseconds: duration(result?.durationMilliseconds),
    reason: kept(result?.reason, longestReason),
    // The next start compares it, so it is values and not words.
    standing: result?.standing ? JSON.stringify(result.standing) : null,
    request_id: kept(intent.requestId, longestName),
    count: wholeNumber(result?.count) ?? 1,
  };
}

/**
 * Makes the text well-formed: the table holds UTF-8, which has no lone surrogates, so the MAC would
 * not fit what is read back.
 */
function kept(text: string | null | undefined, longest: number): string | null {
  if (text === null || text === undefined) return null;
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return short.toWellFormed();
}

function checkedHash(hash: string | null | undefined): string | null {
  if (hash === null || hash === undefined) return null;
  // Anything but a hash could be the statement itself.
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError('a statement hash is 64 hexadecimal digits');
  return hash;
}

function wholeNumber(value: number | null | undefined): number | null {
  return Number.isSafeInteger(value) ? (value ?? null) : null;
}

function duration(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null;
}

export function rowOf(number: number, stored: Facts, fate: ActivityRow['fate']): ActivityRow {
  return {
    number,
    time: instantOf(stored.time),
    kind: stored.kind,
    category: stored.category,
    action: stored.action,
    outcome: stored.outcome,
    fate,
    attempt: stored.attempt,
    principal: stored.principal,
    tokenName: stored.token_name,
    client: stored.client,
    connection:
      stored.connection_id === null
        ? null
        : { id: stored.connection_id, name: stored.connection_name ?? stored.connection_id },
    statementHash: stored.statement_hash,
    rows: stored.rows,
    durationMilliseconds: stored.duration_milliseconds,
    reason: stored.reason,
    requestId: stored.request_id,
    count: stored.count,
  };
}

/** An edited time may be no valid instant; showing it must not fail. */
export function instantOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unreadable' : date.toISOString();
}
