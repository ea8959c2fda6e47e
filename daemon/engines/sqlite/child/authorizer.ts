/**
 * Listens to SQLite's authorizer while a statement is prepared, and denies what no statement may
 * do, classified or running. Set once on each handle: setting it again would make SQLite prepare
 * every statement anew.
 */

import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Act } from '../../../guard/sqlite/acts.ts';
import type { OutOfReach } from '../../../guard/sqlite/masks.ts';
import type { OutOfSight, Told } from '../../../guard/sqlite/sight.ts';
import type { SessionKind } from '../../engine.ts';
import { NotAuthorized, NotInSight } from '../failure.ts';
import { onlyTells, writesOnlyTheFile } from './pragmas.ts';

export interface Event {
  readonly act: Act;
  readonly schema: string | null;
  /** The trigger or view whose code does it. */
  readonly within: string | null;
}

/** `off`: only the handle itself restricts a statement. */
export type Mode = 'off' | SessionKind;

export interface PreparedWithWrites {
  readonly statement: StatementSync;
  /** What it writes, triggers and cascades included. */
  readonly writes: readonly Event[];
}

export interface Authorizer {
  /** Prepares the statement and runs nothing of it. */
  classify(sql: string): PreparedWithWrites;
  /** @returns what the statement reads, as JSON of table and column each; throws as `classify`. */
  readsOf(sql: string): ReadonlySet<string>;
  within<T>(mode: Mode, work: () => T): T;
  /** Triggers whose names begin so are ours: no client's statement is judged by them. */
  counting(prefix: string): void;
  /** Whatever `work` prepares or runs for a client is judged by `judge` as well. May be nested. */
  seeing<T>(judge: Judge, work: () => T): T;
}

/** @returns why it is out of sight or masked; null if it isn't. */
export type Judge = (told: Told) => OutOfSight | OutOfReach | null;

/** SQLite's numbers for everything that writes. */
const writing = new Map(
  Object.entries(constants).flatMap(([name, number]): [number, string][] =>
    /^SQLITE_(?:INSERT|UPDATE|DELETE|ALTER_TABLE|REINDEX|ANALYZE|(?:CREATE|DROP)_\w+)$/.test(name)
      ? [[Number(number), name.slice('SQLITE_'.length)]]
      : [],
  ),
);

const names = new Map(
  Object.entries(constants).flatMap(([name, number]): [number, string][] =>
    /^SQLITE_(?:READ|PRAGMA|INSERT|UPDATE|DELETE|ALTER_TABLE|ANALYZE|(?:CREATE|DROP)_\w+)$/.test(name)
      ? [[Number(number), name.slice('SQLITE_'.length)]]
      : [],
  ),
);

/**
 * This SQLite's functions that load code or take pointers to it. A list of its own, beside the
 * classifier's.
 */
const forbiddenFunctions = new Set(['fts3_tokenizer', 'load_extension']);

export function authorize(handle: DatabaseSync): Authorizer {
  let mode: Mode | 'classifying' = 'off';
  let writes: Event[] = [];
  let reads: Set<string> | null = null;
  let refused: NotAuthorized['why'] | OutOfSight | OutOfReach | null = null;
  let judge: Judge | null = null;
  let own: string | null = null;

  handle.setAuthorizer((action, first, second, schema, within) => {
    if (mode === 'off') return constants.SQLITE_OK;
    const what = refusalOf(mode, action, first, second);
    refused ??= what;
    if (what !== null) return constants.SQLITE_DENY;
    const told = judge === null || (own !== null && within?.startsWith(own) === true) ? undefined : names.get(action);
    const unseen = told === undefined ? null : (judge?.({ action: told, first, second, within }) ?? null);
    refused ??= unseen;
    if (unseen !== null) return constants.SQLITE_DENY;
    if (action === constants.SQLITE_READ) reads?.add(JSON.stringify([first, second]));
    const name = mode === 'classifying' ? writing.get(action) : undefined;
    // Only here the schema comes first.
    if (name === 'ALTER_TABLE') writes.push({ act: [name, second ?? '', schema], schema: first, within });
    else if (name !== undefined) writes.push({ act: [name, first ?? '', second], schema, within });
    return constants.SQLITE_OK;
  });

  const inMode = <T>(next: typeof mode, work: () => T): T => {
    refused = null;
    mode = next;
    try {
      return work();
    } catch (error) {
      if (refused === null) throw error;
      throw typeof refused === 'string' ? new NotAuthorized(refused) : new NotInSight(refused);
    } finally {
      mode = 'off';
    }
  };
  const classify = (sql: string): PreparedWithWrites => {
    writes = [];
    const statement = inMode('classifying', () => handle.prepare(sql));
    return { statement, writes };
  };

  return {
    classify(sql) {
      const prepared = classify(sql);
      // A module's first use prepares statements of its own; the second time it has them.
      return prepared.writes.length > 0 ? classify(sql) : prepared;
    },
    readsOf(sql) {
      const found = new Set<string>();
      // The statement is ours.
      const kept = judge;
      judge = null;
      reads = found;
      try {
        inMode('classifying', () => handle.prepare(sql));
      } finally {
        reads = null;
        judge = kept;
      }
      return found;
    },
    within: inMode,
    counting(prefix) {
      own = prefix;
    },
    seeing(next, work) {
      const outer = judge;
      judge = outer === null ? next : told => outer(told) ?? next(told);
      try {
        return work();
      } finally {
        judge = outer;
      }
    },
  };
}

function refusalOf(
  mode: 'classifying' | SessionKind,
  action: number,
  first: string | null,
  second: string | null,
): NotAuthorized['why'] | null {
  const isAlone = mode === 'alone';
  switch (action) {
    case constants.SQLITE_PRAGMA: {
      const isFree =
        onlyTells(first, second) || (mode !== 'classifying' && mode !== 'read' && writesOnlyTheFile(first, second));
      return isFree ? null : 'setting';
    }
    // VACUUM attaches a database without a name, in its own transaction.
    case constants.SQLITE_ATTACH:
      return isAlone ? (first === '' ? null : 'vacuumInto') : 'transaction';
    case constants.SQLITE_TRANSACTION:
      return isAlone ? null : 'transaction';
    // FTS4 uses a savepoint for optimize().
    case constants.SQLITE_SAVEPOINT:
      return mode !== 'classifying' && second === 'fts3' ? null : 'transaction';
    case constants.SQLITE_DETACH:
      return 'transaction';
    case constants.SQLITE_FUNCTION:
      return forbiddenFunctions.has((second ?? '').toLowerCase()) ? 'function' : null;
    default:
      return null;
  }
}
