/**
 * What the daemon and its SQLite child process say to each other: one JSON object a line, requests on the child's
 * stdin, replies on its stdout. Both ends are synchronous in the child, so a full pipe is the back-pressure. Measured
 * against Node's own IPC channel: half the start-up time and half the round trip.
 */

import type {
  Cell,
  Column,
  DatabaseFailure,
  Parameter,
  RehearsalStep,
  Session,
  StatementLimits,
} from '../../query/database.ts';

/** A database file as it was found when the statement came in; device and inode are decimal, they exceed 2^53. */
export interface FileIdentity {
  readonly realPath: string;
  readonly device: string;
  readonly inode: string;
}

export interface RunRequest {
  readonly kind: 'run';
  readonly file: FileIdentity;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly session: Session;
  readonly limits: StatementLimits;
}

/** Answers to a `rows` reply: two may be unanswered, then the child waits. */
type FlowRequest = { readonly kind: 'more' } | { readonly kind: 'stop' };

/** Opens a transaction that is rolled back at `end`. Each of the three is answered by a last reply of its own. */
export interface RehearseRequest {
  readonly kind: 'rehearse';
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

export type Request = RunnableRequest | FlowRequest;

export type Reply =
  /** From here on what was done may stay: sent before a commit, and before a statement that runs alone. */
  | { readonly kind: 'staying' }
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | {
      readonly kind: 'done';
      readonly rowsAffected: number | null;
      readonly cutByWire: boolean;
      readonly warnings: readonly string[];
      readonly retire: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure; readonly retire: boolean };

export const unansweredBatches = 2;

const replyKinds: readonly string[] = ['staying', 'columns', 'rows', 'done', 'failed'] satisfies Reply['kind'][];

/** @returns null for a line that is no reply: the child is broken and must go. */
export function parseReply(line: string): Reply | null {
  try {
    const reply = JSON.parse(line) as Reply | null;
    return reply !== null && typeof reply === 'object' && replyKinds.includes(reply.kind) ? reply : null;
  } catch {
    return null;
  }
}
