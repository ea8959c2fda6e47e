/** Converts a row of the `history` table from and to the port's types. */

import { createHash } from 'node:crypto';
import type { HistoryEntry, HistoryRecord } from '../../statement/history.ts';
import { rowBytes } from './history-limits.ts';
import { holdsSecret } from './statement-secrets.ts';

export type StoredHistoryRow = Readonly<ReturnType<typeof historyRow>> & { readonly id: number };

/**
 * A password that begins in the kept part may be recognised only by what follows; this much more is
 * searched.
 */
const lookAheadUnits = 4_096;
const longestName = 256;

export function historyRow(time: number, record: HistoryRecord, statementBytes: number) {
  const isCut = Buffer.byteLength(record.statement) > statementBytes;
  const isSecret = holdsSecret(record.statement.slice(0, statementBytes + lookAheadUnits));
  const statement = isSecret ? null : isCut ? cutTo(record.statement, statementBytes) : record.statement;
  return {
    time: Math.trunc(time),
    connection_id: record.connection.id,
    connection_name: record.connection.name.slice(0, longestName),
    principal: record.principal,
    token_name: record.tokenName.slice(0, longestName),
    client: record.client?.slice(0, longestName) ?? null,
    class: record.class,
    outcome: record.outcome,
    rows: record.rows,
    duration_milliseconds: record.durationMilliseconds,
    // The text is in the table once, and takes about as much again in the index.
    kept_bytes: rowBytes + 2 * Buffer.byteLength(statement ?? ''),
    is_cut: isCut ? 1 : 0,
    statement_hash: createHash('sha256').update(record.statement).digest(),
    statement,
    attempt: record.attempt ?? null,
  };
}

/** Cuts at a character's boundary. */
function cutTo(text: string, bytes: number): string {
  let end = bytes;
  const buffer = Buffer.from(text);
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.toString('utf8', 0, end);
}

export function entryOf(row: StoredHistoryRow): HistoryEntry {
  return {
    id: row.id,
    time: new Date(row.time).toISOString(),
    connection: { id: row.connection_id, name: row.connection_name },
    principal: row.principal,
    tokenName: row.token_name,
    client: row.client,
    class: row.class,
    outcome: row.outcome,
    rows: row.rows,
    durationMilliseconds: row.duration_milliseconds,
    statementHash: row.statement_hash.toString('hex'),
    statement: row.statement,
    isCut: row.is_cut === 1,
  };
}
