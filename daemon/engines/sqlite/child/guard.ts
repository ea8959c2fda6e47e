/**
 * SQLite's own word on a prepared statement, against the session it is to run in. The wall of the read session stands
 * here and in the handle, which is read only and `query_only`; the classifier of `daemon/statement` is not consulted.
 */

import type { DatabaseFailure, Session } from '../../engine.ts';
import { messages } from '../failure.ts';
import { isBlank, leadOf } from './leading-word.ts';
import { pragmaOnlyTells } from './pragmas.ts';
import { type Opcode, onlyWrite, type Prepared } from './prepared.ts';

/** Every word an SQLite statement can start with. PRAGMA alone acts while it is prepared, and is judged before that. */
const statementWords = new Set(
  (
    'alter analyze attach begin commit create delete detach drop end explain insert pragma reindex release replace ' +
    'rollback savepoint select update vacuum values with'
  ).split(' '),
);

/** Before SQLite sees the text. */
export function refusalOfText(sql: string, session: Session): DatabaseFailure | null {
  if (sql.includes('\0')) return { kind: 'unsupported', message: messages.nul };
  if (isBlank(sql)) return { kind: 'query_failed', message: messages.empty, code: null };
  const lead = leadOf(sql);
  if (session === 'read' && lead.word === 'pragma' && !pragmaOnlyTells(lead.pragma)) {
    return { kind: 'read_only', message: messages.pragma };
  }
  return null;
}

export function refusalOfStatement(
  { lead, reader, isReadOnly, opcodes }: Prepared,
  session: Session,
): DatabaseFailure | null {
  if (lead.word === 'pragma') return null;
  if (session === 'read') {
    // BEGIN, SAVEPOINT, ATTACH and their like are read only to SQLite, yet give no columns: a read does.
    return reader && isReadOnly() ? null : { kind: 'read_only', message: messages.readOnly };
  }
  return reader || onlyWrite.has(lead.word) ? null : refusalOfOpcodes(opcodes());
}

function refusalOfOpcodes(opcodes: readonly Opcode[]): DatabaseFailure | null {
  for (const [, opcode, , p2, , p4] of opcodes) {
    if (opcode === 'AutoCommit' || opcode === 'Savepoint' || /^sqlite_(at|de)tach\(/.test(String(p4))) {
      return { kind: 'unsupported', message: messages.transaction };
    }
    if (opcode === 'Vacuum' && p2 !== 0n) return { kind: 'unsupported', message: messages.vacuumInto };
  }
  return null;
}

/** Whether the read session is as it was found. Where we can't name the statement, SQLite may have read it otherwise. */
export function leavesSessionClean(sql: string): boolean {
  return statementWords.has(leadOf(sql).word);
}
