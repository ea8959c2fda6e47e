/**
 * SQLite's own word on a prepared statement, against the session it is to run in. The wall of the read session stands
 * here and in the read-only handle; the classifier of `daemon/query` is not consulted.
 */

import type { DatabaseFailure, Session } from '../../query/database.ts';
import { messages } from './failure.ts';
import { leadOf } from './leading-word.ts';
import type { Bindings } from './parameters.ts';
import { pragmaOnlyTells } from './pragmas.ts';
import type { Handle } from './session.ts';

interface Opcode {
  readonly opcode: string;
  readonly p2: number;
  readonly p4: string | null;
}

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
  const lead = leadOf(sql);
  if (session === 'read' && lead.word === 'pragma' && !pragmaOnlyTells(lead.pragma)) {
    return { kind: 'read_only', message: messages.pragma };
  }
  return null;
}

export function refusalOfStatement(
  handle: Handle,
  statement: { readonly readonly: boolean; readonly reader: boolean; readonly source: string },
  bindings: Bindings,
  session: Session,
): DatabaseFailure | null {
  const lead = leadOf(statement.source);
  if (lead.word === 'pragma') return null;
  if (session === 'read') {
    // BEGIN, SAVEPOINT, ATTACH and their like call themselves read only, yet give no columns: a read does. EXPLAIN runs
    // nothing, and has the `readonly` of what it explains.
    return (statement.readonly || lead.explained) && statement.reader
      ? null
      : { kind: 'read_only', message: messages.readOnly };
  }
  if (statement.reader || !(statement.readonly || lead.word === 'vacuum')) return null;
  return refusalOfOpcodes(handle.prepare<unknown[], Opcode>(`explain ${statement.source}`).all(...bindings));
}

function refusalOfOpcodes(opcodes: readonly Opcode[]): DatabaseFailure | null {
  for (const { opcode, p2, p4 } of opcodes) {
    if (opcode === 'AutoCommit' || opcode === 'Savepoint' || /^sqlite_(at|de)tach\(/.test(p4 ?? '')) {
      return { kind: 'unsupported', message: messages.transaction };
    }
    if (opcode === 'Vacuum' && p2 !== 0) return { kind: 'unsupported', message: messages.vacuumInto };
  }
  return null;
}

/** Whether the read session is as it was found. Where we can't name the statement, SQLite may have read it otherwise. */
export function leavesSessionClean(sql: string): boolean {
  return statementWords.has(leadOf(sql).word);
}
