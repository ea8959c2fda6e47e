/**
 * A statement as SQLite prepared it, alone and with its values, and SQLite's own word on whether it reads alone. The driver doesn't tell
 * that, so it is told from the opcodes, as SQLite tells it itself (`sqlite3_stmt_readonly`). The first word answers only where the grammar
 * leaves no other answer.
 */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { DatabaseFailure, Parameter } from '../../engine.ts';
import { messages } from '../failure.ts';
import { isBlank, type Lead, leadOf } from './leading-word.ts';
import { type Bindings, bindingsOf } from './parameters.ts';

export type Opcode = readonly SQLOutputValue[];

export interface Prepared {
  readonly statement: StatementSync;
  readonly source: string;
  readonly lead: Lead;
  readonly bindings: Bindings;
  /** Whether it gives columns. */
  readonly reader: boolean;
  /** Asked of SQLite once, where it must be. */
  readonly isReadOnly: () => boolean;
  readonly opcodes: () => readonly Opcode[];
}

const onlyRead = new Set(['select', 'values']);
/** None of them begins, ends or attaches anything either. */
export const onlyWrite: ReadonlySet<string> = new Set(['delete', 'insert', 'replace', 'update']);
/** What makes a statement a writing one without a transaction that writes. */
const writingOpcodes: ReadonlySet<SQLOutputValue> = new Set(['Checkpoint', 'JournalMode', 'Vacuum']);

export function prepared(
  handle: DatabaseSync,
  source: string,
  values: readonly Parameter[],
): Prepared | DatabaseFailure {
  const statement = handle.prepare(source);
  // The driver prepares the first statement and passes over the rest.
  const first = statement.sourceSQL;
  if (!source.toWellFormed().startsWith(first) || !isBlank(source.slice(first.length)))
    return { kind: 'query_failed', message: messages.several, code: null };
  const bindings = bindingsOf(source, values);
  if ('kind' in bindings) return bindings;
  // Exact, whatever stands in the file.
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const lead = leadOf(source);
  let found: readonly Opcode[] | null = null;
  const opcodes = (): readonly Opcode[] => {
    found ??= opcodesOf(handle, source.slice(lead.start), bindings);
    return found;
  };
  return {
    ...{ statement, source, lead, bindings, opcodes },
    reader: statement.columns().length > 0,
    // EXPLAIN runs nothing.
    isReadOnly: () =>
      lead.explained || onlyRead.has(lead.word) || (!onlyWrite.has(lead.word) && !opcodes().some(isWriting)),
  };
}

function isWriting([, opcode, , p2]: Opcode): boolean {
  return (opcode === 'Transaction' && p2 !== 0n) || writingOpcodes.has(opcode ?? null);
}

/** @param sql that begins with its first word. */
export function opcodesOf(handle: DatabaseSync, sql: string, bindings: Bindings): readonly Opcode[] {
  return rowsOf(handle, `explain ${sql}`, ...bindings);
}

/** Rows as arrays, integers exact. */
export function rowsOf(handle: DatabaseSync, sql: string, ...given: Bindings): SQLOutputValue[][] {
  const statement = handle.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement.all(...given) as unknown as SQLOutputValue[][];
}
