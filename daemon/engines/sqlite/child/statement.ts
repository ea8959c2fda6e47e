/**
 * Runs one statement in the child, in its session: prepares it, classifies it, steps it, sends its
 * rows.
 */

import type { StatementSync } from 'node:sqlite';
import { type Act, classOfActs } from '../../../guard/sqlite/acts.ts';
import { folded } from '../../../guard/sqlite/tokenizer.ts';
import type { DatabaseFailure } from '../../engine.ts';
import { textReplaced } from '../../replaced-text.ts';
import { noCuts } from '../../row-text.ts';
import { failureOf, messages, TextTooLong } from '../failure.ts';
import { countChanges } from './counting.ts';
import { lookBefore, rowsAdded } from './defined.ts';
import type { Flow, Onward } from './flow.ts';
import { expectKeysReferredTo } from './keys-referred-to.ts';
import { isBlank } from './leading-word.ts';
import { withoutMasked } from './masks.ts';
import { type Bindings, bindingsOf } from './parameters.ts';
import { type Prepared, prepared } from './prepared.ts';
import type { RehearseRequest, Reply, RunRequest, StepRequest } from './protocol.ts';
import type { Handle, Sessions } from './session.ts';
import { inSight } from './sight.ts';
import { type Notes, rowOf, type SqliteValue } from './values.ts';
import { refusalOfVectorIndex } from './vector-indexes.ts';

/** A larger value leaves the child with a grown heap: it is not used again. */
const hugeBytes = 8 * 1024 * 1024;

/** Thrown if the daemon doesn't want the changes, so the transaction is rolled back. */
class NotWanted extends Error {}

type Ran = { readonly rowsAffected: number | null; readonly cutByWire: boolean } | DatabaseFailure;

/**
 * @returns the last reply; rows went through `flow` before. Throws nothing that SQLite or the
 *   driver threw.
 */
export function runStatement(sessions: Sessions, request: RunRequest, flow: Flow): Reply {
  const notes: Notes = { replacementCharacter: false, longestBytes: 0 };
  const ran = attempt(sessions, request, flow, notes);
  const retire = request.session === 'alone' || notes.longestBytes > hugeBytes;
  if ('kind' in ran) return { kind: 'failed', failure: ran, retire };
  return { kind: 'done', ...ran, warnings: notes.replacementCharacter ? [textReplaced] : [], retire };
}

/** One statement of a rehearsal, on the handle with its transaction. */
export function runStep(handle: Handle, request: StepRequest, begun: Begun, flow: Flow): Reply {
  const notes: Notes = { replacementCharacter: false, longestBytes: 0 };
  const ran = tryStep(handle, request, begun, flow, notes);
  if ('kind' in ran) return { kind: 'failed', failure: ran, retire: false };
  return { kind: 'done', ...ran, warnings: notes.replacementCharacter ? [textReplaced] : [], retire: false };
}

type Begun = Pick<RehearseRequest, 'file' | 'lockWaitMilliseconds'>;

function tryStep(
  handle: Handle,
  request: StepRequest,
  { file, lockWaitMilliseconds }: Begun,
  flow: Flow,
  notes: Notes,
): Ran {
  // OR ROLLBACK ended the transaction: any later change would stay.
  if (!handle.isTransaction) return { kind: 'query_failed', message: messages.ended, code: null };
  try {
    return step(handle, request, flow, notes);
  } catch (error) {
    return failureOf(error, file.realPath, { ...request, lockWaitMilliseconds });
  }
}

function attempt(sessions: Sessions, request: RunRequest, flow: Flow, notes: Notes): Ran {
  const refused = refusalOfText(request.sql);
  if (refused) return refused;
  try {
    const work = (handle: Handle) => step(handle, request, flow, notes);
    return sessions.within(request, work, () => flow.staying());
  } catch (error) {
    if (error instanceof NotWanted) return { kind: 'not_committed', remains: [] };
    return failureOf(error, request.file.realPath, request);
  }
}

/** Refuses before SQLite sees the text. */
function refusalOfText(sql: string): DatabaseFailure | null {
  if (sql.includes('\0')) return { kind: 'unsupported', message: messages.nul };
  return isBlank(sql) ? { kind: 'query_failed', message: messages.empty, code: null } : null;
}

function step(handle: Handle, request: RunRequest | StepRequest, flow: Flow, notes: Notes): Ran {
  const { sight, masks, sql } = request;
  const run = (): Ran => anyStep(handle, request, flow, notes);
  if (request.kind === 'step' && request.ours) return run();
  const isHidden = (table: string): boolean => sight !== undefined && handle.seen(sight).hidden.has(folded(table));
  const work = masks === undefined ? run : () => withoutMasked(handle, masks, sql, isHidden, run);
  return sight === undefined ? work() : inSight(handle, sight, sql, work);
}

function anyStep(handle: Handle, request: RunRequest | StepRequest, flow: Flow, notes: Notes): Ran {
  const isOurs = request.kind === 'step' && request.ours;
  const mode = isOurs ? 'off' : request.session;
  const statement = prepared(handle, request.sql, mode);
  if ('kind' in statement) return statement;
  const isRun = request.kind === 'run';
  if (isRun && request.isClassified) return tellActs(statement, flow);
  const reads = statement.readsAlone;
  if (request.session === 'read' && !reads) return { kind: 'read_only', message: messages.readOnly };
  if (isRun && request.isOnlyWrite && classOfActs(actsOf(statement)).class === 'destructive')
    return { kind: 'not_as_provided' };
  const refused = refusalOfVectorIndex(handle, statement);
  if (refused !== null) return refused;
  const bindings = bindingsOf(request.sql, request.parameters);
  if ('kind' in bindings) return bindings;
  const asks = isRun && request.asks;
  const changes = asks || (request.kind === 'step' && !isOurs) ? countChanges(handle, statement) : null;
  const lookAfter = changes === null ? null : lookBefore(handle, statement);
  const before = isRun || reads ? 0 : changesOn(handle).all;
  const onward = handle.within(mode, (): Onward => {
    if (statement.reader) return sendRows(statement.statement, bindings, request.limits.cellBytes, flow, notes);
    statement.statement.run(...bindings);
    return 'on';
  });
  if (!isOurs && !reads) expectKeysReferredTo(handle, statement);
  const ran = { rowsAffected: reads ? null : rowsAffectedOn(handle, before), cutByWire: onward === 'wire_full' };
  if (changes !== null) {
    const did = {
      changes: changes(),
      defined: lookAfter?.() ?? null,
      addedTo: lookAfter === null ? rowsAdded(handle, statement, ran.rowsAffected) : null,
    };
    if (!asks) flow.changed(did);
    else if (!flow.mayCommit(did)) throw new NotWanted();
  }
  return ran;
}

function actsOf({ writes }: Prepared): readonly Act[] {
  return writes.map(({ act }) => act);
}

/** One row: the class by SQLite's events, and the reason. */
function tellActs(statement: Prepared, flow: Flow): Ran {
  const { class: statementClass, reason } = classOfActs(actsOf(statement));
  flow.columns([]);
  flow.row({ json: JSON.stringify([statementClass, JSON.stringify(reason)]), cuts: noCuts });
  return { rowsAffected: null, cutByWire: false };
}

function sendRows(statement: StatementSync, bindings: Bindings, cellBytes: number, flow: Flow, notes: Notes): Onward {
  const rows = statement.iterate(...bindings) as unknown as Rows;
  try {
    // Columns are read after the first step: only then is the statement prepared against the schema
    // that it runs on.
    let next = nextOf(rows);
    let onward = flow.columns(statement.columns().map(({ name, type }) => ({ name, type: type ?? '' })));
    while (onward === 'on' && !next.done) {
      onward = flow.row(rowOf(next.value, cellBytes, notes));
      if (onward === 'on') next = nextOf(rows);
    }
    return onward;
  } finally {
    // Otherwise the handle would keep its lock.
    rows.return();
  }
}

interface Rows {
  next(): IteratorResult<SqliteValue[], void> | undefined;
  return(): unknown;
}

function nextOf(rows: Rows): IteratorResult<SqliteValue[], void> {
  const next = rows.next();
  if (next === undefined) throw new TextTooLong();
  return next;
}

/**
 * 0 for DDL, for which `changes()` means nothing.
 * @param before what the handle had changed before the statement.
 */
function rowsAffectedOn(handle: Handle, before: number): number {
  const { direct, all } = changesOn(handle);
  return all === before ? 0 : direct;
}

function changesOn(handle: Handle): { readonly direct: number; readonly all: number } {
  const { direct, all } = handle.prepare('select changes() as direct, total_changes() as "all"').get() ?? {};
  return { direct: Number(direct), all: Number(all) };
}
