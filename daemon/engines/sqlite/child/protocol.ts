/**
 * The messages between the daemon and its SQLite child process: one JSON object a line, requests on
 * stdin, replies on stdout. A row is a line too: its text for the answer. The child works
 * synchronously, so a full pipe is the back-pressure. Compared with Node's IPC channel it takes
 * half the start-up time and half the round trip.
 */

import type { Masks } from '../../../guard/masks.ts';
import type { Sight } from '../../../guard/sight.ts';
import type { Defined } from '../../../guard/sqlite/defined/facts.ts';
import type {
  Column,
  DatabaseFailure,
  Parameter,
  RehearsalStep,
  RowCounts,
  SessionKind,
  StatementLimits,
} from '../../engine.ts';
import type { CutCell } from '../../row-text.ts';

/**
 * A database file as it was found and checked; the numbers are decimal strings, as they exceed
 * 2^53.
 */
export interface FileIdentity {
  /** Must still lead to the file when a statement begins. */
  readonly path: string;
  readonly realPath: string;
  readonly device: string;
  readonly inode: string;
  /** Nanoseconds. The inode of a removed file may be given to another. */
  readonly born: string;
}

export interface RunRequest {
  readonly kind: 'run';
  readonly file: FileIdentity;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly session: SessionKind;
  readonly limits: StatementLimits;
  /** Whether the daemon is asked before the commit. */
  readonly asks: boolean;
  /** The statement isn't run: its one row is SQLite's classification. */
  readonly isClassified: boolean;
  /** Nobody approved more than a write: it isn't run if SQLite finds more. */
  readonly isOnlyWrite: boolean;
  /** How long it waits for another program's lock. */
  readonly lockWaitMilliseconds: number;
  /** Absent for a question of ours, and if nothing is out of sight. */
  readonly sight?: Sight;
  /** Absent for a question of ours, and if nothing is masked. */
  readonly masks?: Masks;
}

/** Answers to a `batch` reply. With two of them missing the child waits. */
type FlowRequest = { readonly kind: 'more' } | { readonly kind: 'stop' };
/** Answers to a `changed` reply of a statement that asks. */
type CommitRequest = { readonly kind: 'commit' } | { readonly kind: 'take_back' };

/**
 * Opens a transaction that lasts until `end`, which says whether it is kept. Each of the three
 * requests ends with a last reply of its own.
 */
export interface RehearseRequest {
  readonly kind: 'rehearse';
  readonly lockWaitMilliseconds: number;
  readonly session: 'rollback';
  readonly file: FileIdentity;
}

export interface StepRequest extends RehearsalStep {
  readonly kind: 'step';
  readonly session: 'rollback';
  /** As of a `run`. */
  readonly sight?: Sight;
  readonly masks?: Masks;
}

interface EndRequest {
  readonly kind: 'end';
  /** `write` commits. */
  readonly session: 'rollback' | 'write';
}

/** Requests that are answered by rows and a last reply. */
export type RunnableRequest = RunRequest | RehearseRequest | StepRequest | EndRequest;

export type Request = RunnableRequest | FlowRequest | CommitRequest;

/** What a statement did. */
export interface Did {
  readonly changes: RowCounts;
  /** Null for what defines nothing. */
  readonly defined: Defined | null;
  readonly addedTo: AddedTo | null;
}

/** The table that an INSERT added rows to, as the file has it. */
export interface AddedTo {
  readonly table: string;
  readonly sql: string | null;
  /** The file's `schema_version`. */
  readonly version: number;
  readonly rows: number;
}

export type Reply =
  /** The path leads to another file now; nothing ran. */
  | { readonly kind: 'elsewhere' }
  /**
   * From here on changes may stay: sent before a commit, and before a statement that runs alone.
   */
  | { readonly kind: 'staying' }
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  /** About the row that follows. */
  | { readonly kind: 'cut'; readonly cuts: readonly CutCell[] }
  | { readonly kind: 'row'; readonly json: string }
  /** Ends a batch; more rows follow. */
  | { readonly kind: 'batch' }
  /** If the statement asks, the child waits for `commit` or `take_back`. */
  | ({ readonly kind: 'changed' } & Did)
  | {
      readonly kind: 'done';
      readonly rowsAffected: number | null;
      readonly cutByWire: boolean;
      readonly warnings: readonly string[];
      readonly retire: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure; readonly retire: boolean };

export const unansweredBatches = 2;

const replyKinds: readonly string[] = [
  'elsewhere',
  'staying',
  'columns',
  'cut',
  'batch',
  'changed',
  'done',
  'failed',
] satisfies Reply['kind'][];

/** @returns null for a line that is no reply: the child is broken and must go. */
export function parseReply(line: string): Reply | null {
  if (line.startsWith('[')) return isFlatArray(line) ? { kind: 'row', json: line } : null;
  try {
    const reply = JSON.parse(line) as Reply | null;
    return reply !== null && typeof reply === 'object' && replyKinds.includes(reply.kind) ? reply : null;
  } catch {
    return null;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const scalar = /[-+.\w]+/y;

/**
 * True if the brackets hold only strings, numbers and words. A row goes into the answer unchanged:
 * a child taken over by a hostile file could otherwise end the row and write the rest of the
 * answer.
 */
export function isFlatArray(line: string): boolean {
  const last = line.length - 1;
  if (line === '[]') return true;
  for (let at = 1; at < last; at += 1) {
    at = line.charCodeAt(at) === quote ? endOfString(line, at) : endOfScalar(line, at);
    if (at === last) return line.endsWith(']');
    if (line.charAt(at) !== ',') return false;
  }
  return false;
}

/** @returns the index of the next character; beyond the line if the string has no end. */
function endOfString(line: string, start: number): number {
  for (let end = line.indexOf('"', start + 1); end !== -1; end = line.indexOf('"', end + 1)) {
    let escapes = end;
    while (line.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end + 1;
  }
  return line.length;
}

/** As {@link endOfString}. */
function endOfScalar(line: string, start: number): number {
  scalar.lastIndex = start;
  return scalar.test(line) ? scalar.lastIndex : line.length;
}
