/**
 * One statement, prepared by SQLite, with its events: whether it only reads, and otherwise what it
 * writes.
 */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { DatabaseFailure, SessionKind } from '../../engine.ts';
import { messages, NotAuthorized } from '../failure.ts';
import type { Event, Mode, PreparedWithWrites } from './authorizer.ts';
import { isBlank, isExplained } from './leading-word.ts';
import type { Bindings } from './parameters.ts';
import type { Handle } from './session.ts';

export interface Prepared {
  readonly statement: StatementSync;
  readonly source: string;
  /** True if it gives columns. */
  readonly reader: boolean;
  readonly readsAlone: boolean;
  readonly writes: readonly Event[];
}

export function prepared(handle: Handle, source: string, mode: Mode): Prepared | DatabaseFailure {
  const { statement, writes } =
    mode === 'off' ? { statement: handle.prepare(source), writes: [] } : prepareClassified(handle, source, mode);
  // The driver prepares the first statement and ignores the rest.
  const first = statement.sourceSQL;
  if (!source.toWellFormed().startsWith(first) || !isBlank(source.slice(first.length)))
    return { kind: 'query_failed', message: messages.several, code: null };
  // Exact integers, whatever the file holds.
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // An ALTER TABLE that adds a rule shows the columns of SQLite's own check of the rows.
  const reader = statement.columns().length > 0 && !writes.some(({ act: [action] }) => action === 'ALTER_TABLE');
  // EXPLAIN runs nothing, yet SQLite reports the events of the explained statement.
  const isPlan = isExplained(source);
  return {
    statement,
    source,
    reader,
    writes: isPlan ? [] : writes,
    // VACUUM and REINDEX may report no event, but they give no columns; a read does.
    readsAlone: isPlan || (reader && writes.length === 0),
  };
}

function prepareClassified(handle: Handle, source: string, session: SessionKind): PreparedWithWrites {
  try {
    return handle.classify(source);
  } catch (error) {
    const mayAct = error instanceof NotAuthorized && error.why === 'setting' && session !== 'read';
    if (!mayAct) throw error;
    // A PRAGMA acts while it is prepared, so in a writing session it is prepared when it runs.
    return { statement: handle.within(session, () => handle.prepare(source)), writes: [] };
  }
}

/** Rows as arrays, integers exact. */
export function rowsOf(handle: DatabaseSync, sql: string, ...given: Bindings): SQLOutputValue[][] {
  const statement = handle.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement.all(...given) as unknown as SQLOutputValue[][];
}
