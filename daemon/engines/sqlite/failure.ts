/**
 * Turns the driver's errors into the port's failures. Both processes use it; it opens and runs
 * nothing.
 */

import { errorCode } from '../../disk-fault.ts';
import type { OutOfReach } from '../../guard/sqlite/masks.ts';
import type { OutOfSight } from '../../guard/sqlite/sight.ts';
import { secondsOf } from '../call-clock.ts';
import type { DatabaseFailure, SessionKind } from '../engine.ts';
import { leadingWord } from './child/leading-word.ts';

export const messages = {
  nul: 'The statement contains a NUL character; SQLite would stop reading there. Remove it.',
  empty: 'The statement is empty: it holds nothing but spaces and comments.',
  several: 'The text holds more than one statement; send one at a time.',
  transaction:
    'Transactions and attached databases are not available here: each statement runs in a session of its own.',
  ended: 'An earlier statement of this session rolled it back, so nothing more runs in it.',
  vacuumInto: 'VACUUM INTO writes another file and is not available here.',
  readOnly: 'This session is read only, and the statement is not a plain read.',
  pragma: 'This PRAGMA may change the session or the file, and this session is read only.',
  setting: 'This PRAGMA changes the session or settings of the file, or is not known, and is not available here.',
  catalog:
    "Some tables here are out of sight, so SQLite's own tables and PRAGMAs that name tables aren't read: use list_tables and describe_table.",
  behind:
    'The statement reaches what is out of sight here, by a trigger, a cascade or a check, so nothing ran; ask the user to do it.',
  unseen: 'The statement failed over something that is out of sight here; ask the user to do it.',
  virtual:
    'Some tables here are out of sight, and a virtual table may read any other, so none is made; ask the user to make it.',
  natural: 'NATURAL JOIN may compare a column that this connection masks: write ON with the columns you mean.',
  holdsValues: "Some columns here are masked, and SQLite's own tables of pages and samples hold their values.",
  function: 'The statement calls a function that loads code or takes pointers to it, which is not available here.',
} as const;

/** SQLite result codes for a file that can't be used at all. */
const unusable: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'is not an SQLite database, or it is encrypted',
  SQLITE_CANTOPEN: 'could not be opened; check that it and its folder may be read',
  SQLITE_CANTOPEN_ISDIR: 'is a folder',
  SQLITE_PERM: 'may not be read',
  SQLITE_READONLY_ROLLBACK:
    'was left in the middle of a write by another program; open it once with a program that may write',
  SQLITE_READONLY_RECOVERY:
    'was left in the middle of a write by another program; open it once with a program that may write',
  SQLITE_READONLY_CANTINIT:
    'is in WAL mode and its -shm file could not be made; make its folder writable or end WAL mode',
  SQLITE_READONLY_CANTLOCK: 'is in WAL mode and its -shm file could not be locked',
};

/**
 * SQLite's extended result code by name (`SQLITE_BUSY`), or the file system's; null for any other
 * error.
 */
export function codeOf(error: unknown): string | null {
  const code = errorCode(error);
  return code === '' || code.startsWith('ERR_') ? null : code;
}

/** Thrown if SQLite was about to do what no statement may do in its session. */
export class NotAuthorized extends Error {
  readonly why: 'setting' | 'transaction' | 'vacuumInto' | 'function';
  constructor(why: NotAuthorized['why']) {
    super(messages[why]);
    this.why = why;
  }
}

/** Thrown if SQLite was about to reach what is out of sight or masked. */
export class NotInSight extends Error {
  readonly found: OutOfSight | OutOfReach;
  constructor(found: OutOfSight | OutOfReach) {
    super(found.kind);
    this.found = found;
  }
}

/** What is out of sight is told as SQLite tells of what isn't there. */
export function notInSight(found: OutOfSight | OutOfReach, sql: string): DatabaseFailure {
  if (found.kind === 'masked') return found;
  if (found.kind === 'holdsMasked' || found.kind === 'defines')
    return { kind: 'unsupported', message: reachingMasked[found.kind](found.name) };
  if (found.kind !== 'missing') return { kind: 'unsupported', message: messages[found.kind] };
  const { what, name } = found;
  const at = sql.toLowerCase().indexOf(name.toLowerCase());
  const written = at < 0 ? name : sql.slice(at, at + name.length);
  return { kind: 'query_failed', message: `no such ${what}: ${written}`, code: 'SQLITE_ERROR' };
}

const reachingMasked = {
  holdsMasked: (name: string) =>
    `${name} shows columns that this connection masks, by other names: use the tables without them, or ask the user to show it.`,
  defines: (name: string) =>
    `Columns of ${name} are masked here, and this definition may read one later: name columns that aren't masked, or ask the user to make it.`,
};

/** Node can't hold a longer text; its driver then gives no row and throws nothing. */
export class TextTooLong extends Error {
  readonly code = 'SQLITE_TOOBIG';
  constructor() {
    super('A text of this row has more than 536,870,888 characters; select a part of it, with substr().');
  }
}

interface Attempted {
  readonly session: SessionKind;
  /** The statement being prepared or run, if any. */
  readonly sql?: string;
  /** How long SQLite waited for another program's lock. */
  readonly lockWaitMilliseconds: number;
}

export function failureOf(
  error: unknown,
  realPath: string,
  { session, sql = '', lockWaitMilliseconds }: Attempted,
): DatabaseFailure {
  if (error instanceof NotInSight) return notInSight(error.found, sql);
  if (error instanceof NotAuthorized) {
    if (session !== 'read' || error.why === 'function') return { kind: 'unsupported', message: error.message };
    return { kind: 'read_only', message: error.why === 'setting' ? messages.pragma : messages.readOnly };
  }
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const why = code === null ? undefined : unusable[code];
  if (why !== undefined) return { kind: 'not_connected', message: `The file ${realPath} ${why}.` };
  if (code?.startsWith('SQLITE_READONLY')) {
    const advice = session === 'read' ? '' : `: the file ${realPath} or its folder may not be written`;
    return { kind: 'read_only', message: `${message}${advice}.` };
  }
  if (code?.startsWith('SQLITE_BUSY')) {
    const short = session === 'rollback' ? { isShort: true as const } : {};
    return { kind: 'locked', seconds: secondsOf(lockWaitMilliseconds), holder: 'another program', ...short };
  }
  if (/^near "(?:limit|order)": syntax error$/i.test(message) && changingRows.has(leadingWord(sql))) {
    const without = 'this SQLite takes no ORDER BY and no LIMIT in DELETE and UPDATE; name the rows by a subquery.';
    return { kind: 'query_failed', message: `${message}: ${without}`, code };
  }
  if (message.startsWith('foreign key mismatch')) {
    const without = 'what is referred to is no key; make a unique index on these columns first.';
    return { kind: 'query_failed', message: `${message}: ${without}`, code };
  }
  return { kind: 'query_failed', message, code };
}

const changingRows = new Set(['delete', 'update', 'with']);
