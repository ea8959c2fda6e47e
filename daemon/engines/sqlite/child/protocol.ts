/**
 * What the daemon and its SQLite child process say to each other: one JSON object a line, requests
 * on the child's stdin, replies on its stdout. A row is a line too: its text as it will stand in
 * the answer. Both ends are synchronous in the child, so a full pipe is the back-pressure. Measured
 * against Node's own IPC channel: half the start-up time and half the round trip.
 */

import type {
  Changes,
  Column,
  DatabaseFailure,
  Parameter,
  RehearsalStep,
  Session,
  StatementLimits,
} from '../../engine.ts';
import type { CutCell } from '../../row-text.ts';

/** A database file as it was found and judged; the numbers are decimal, they exceed 2^53. */
export interface FileIdentity {
  /** What must still lead to it where a statement begins. */
  readonly path: string;
  readonly realPath: string;
  readonly device: string;
  readonly inode: string;
  /** Nanoseconds. The number of a file that was removed may become that of another. */
  readonly born: string;
}

export interface RunRequest {
  readonly kind: 'run';
  readonly file: FileIdentity;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly session: Session;
  readonly limits: StatementLimits;
  /** Whether the daemon is asked before the commit. */
  readonly asks: boolean;
  /** It isn't run: the one row says what SQLite says of it. */
  readonly isJudged: boolean;
  /** Nobody said yes to more than a write, so it isn't run where it is more to SQLite. */
  readonly isOnlyWrite: boolean;
}

/** Answers to a `batch` reply: two may be unanswered, then the child waits. */
type FlowRequest = { readonly kind: 'more' } | { readonly kind: 'stop' };
/** Answers to a `changed` reply of a statement that asks. */
type CommitRequest = { readonly kind: 'commit' } | { readonly kind: 'take_back' };

/**
 * Opens a transaction that is rolled back at `end`. Each of the three is answered by a last reply
 * of its own.
 */
export interface RehearseRequest {
  readonly kind: 'rehearse';
  readonly givesWay: boolean;
  readonly session: 'rollback';
  readonly file: FileIdentity;
}

export interface StepRequest extends RehearsalStep {
  readonly kind: 'step';
  readonly session: 'rollback';
}

interface EndRequest {
  readonly kind: 'end';
  readonly session: 'rollback';
}

/** What is answered by rows and a last reply. */
export type RunnableRequest = RunRequest | RehearseRequest | StepRequest | EndRequest;

export type Request = RunnableRequest | FlowRequest | CommitRequest;

export type Reply =
  /** The path leads to another file by now, and nothing ran. */
  | { readonly kind: 'elsewhere' }
  /**
   * From here on what was done may stay: sent before a commit, and before a statement that runs
   * alone.
   */
  | { readonly kind: 'staying' }
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  /** Of the row that follows. */
  | { readonly kind: 'cut'; readonly cuts: readonly CutCell[] }
  | { readonly kind: 'row'; readonly json: string }
  /** Ends some rows that others follow. */
  | { readonly kind: 'batch' }
  /** What the statement did to rows. Where it asks, it waits for `commit` or `take_back`. */
  | { readonly kind: 'changed'; readonly changes: Changes }
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
 * Whether brackets hold strings, numbers and words alone. A row stands in the answer as it comes: a
 * child that a hostile file has taken over could else end the rows, and write the rest of the
 * answer itself.
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

/** @returns where the next character stands; past the line where the string has no end. */
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
