/**
 * Everything that the activity log records (spec §14), in the rules' terms, and the port for
 * recording, querying and verifying it; daemon/storage/activity implements that. No row has a
 * secret or a statement's text; it has the text's hash. Names from elsewhere are kept unchanged and
 * are escaped where they are shown (shared/shown-text.ts).
 */

import type {
  ActivityFindingView,
  ActivityPageView,
  ActivityRowView,
  ActivityVerificationView,
} from '../shared/control-commands.ts';
import { activityCategories, type activityOutcomes } from '../shared/words.ts';
import type { Standing } from './access/standing/standing.ts';
import { scopeLabels } from './access/tokens/token.ts';
import type { Refusal, ToolErrorWord } from './refusal.ts';

export { activityCategories };
export type ActivityCategory = (typeof activityCategories)[number];
export type ActivityOutcome = (typeof activityOutcomes)[number];

/**
 * Actions about the log itself, recorded only by its adapter. All but `pruned` and `adopted` are
 * faults to look into.
 */
const ownActions = [
  'activity.pruned',
  'activity.adopted',
  'activity.lost',
  'activity.truncated',
  'activity.older_copy',
  'activity.older_secrets',
  'activity.last_row_changed',
  'activity.foreign_rows',
  'activity.key_missing',
  'activity.head_missing',
] as const;
export type OwnAction = (typeof ownActions)[number];

/**
 * All actions there are. In the last three categories `action` names the tool or resource.
 */
export type ActivityAction =
  | { readonly category: 'auth'; readonly action: 'authenticate' | 'exchange' | 'shell' }
  | {
      readonly category: 'access';
      readonly action: 'pairing.begin' | 'pairing.decide' | 'approval.ask' | 'approval.decide' | 'request' | 'increase';
    }
  | {
      readonly category: 'admin';
      readonly action:
        | 'daemon.start'
        | 'daemon.stop'
        | 'port.taken'
        | 'pause'
        | 'resume'
        | `token.${'mint' | 'edit' | 'revoke' | 'delete'}`
        | `box.${'add' | 'revoke'}`
        | `connection.${'add' | 'change' | 'delete' | 'test' | 'trust' | 'role' | 'restore'}`
        | `passphrase.${'set' | 'clear' | 'off' | 'reset' | 'confirm' | 'touchId'}`
        | 'setting.change'
        | 'demo.create'
        | 'history.clear'
        | 'request.open'
        | 'request.answer'
        | 'access.state'
        | OwnAction;
    }
  | { readonly category: 'query' | 'tool' | 'resource'; readonly action: string };

/** Who did something, and to what. Absent members count as null. */
export interface ActivitySubject {
  /** Principal.id. */
  readonly principal?: string | null;
  readonly tokenName?: string | null;
  /** The client's own name for itself. */
  readonly client?: string | null;
  readonly connection?: { readonly id: string; readonly name: string } | null;
  /** SHA-256 of the statement's UTF-8 bytes, 64 hexadecimal digits. */
  readonly statementHash?: string | null;
  /** The daemon's log has the same id. */
  readonly requestId?: string | null;
}

export interface ActivityResult {
  readonly outcome: ActivityOutcome;
  readonly rows?: number | null;
  readonly durationMilliseconds?: number | null;
  /**
   * The exact reason of a refusal, in our own words (`reasonOf`), since a database's message may
   * quote the statement. For a read that ran behind one wall, which wall that was.
   */
  readonly reason?: string | null;
  /** What the connection or token allows from then on, for the next start to compare. */
  readonly standing?: Standing | null;
  /** How many events the row stands for; 1 when absent. */
  readonly count?: number;
}

export type ActivityEntry = ActivityAction & ActivitySubject & ActivityResult;
export type ActivityIntent = ActivityAction & ActivitySubject;

/** A write that is about to be sent. Its row is committed and anchored. */
export interface Attempt {
  readonly number: number;
  readonly intent: ActivityIntent;
}

export interface ActivityQuestion {
  /** Wall clock, milliseconds since 1970, inclusive. */
  readonly since?: number | null;
  readonly category?: ActivityCategory | null;
  /** A token's name, or a principal's id (for minted tokens that is the token's id). */
  readonly token?: string | null;
  /** 1 to 1,000. */
  readonly limit: number;
  /** A row's number: only rows before it, or only rows after it. At most one of both is given. */
  readonly before?: number | null;
  readonly after?: number | null;
}

/** A recorded row without absent members; the shells put it into words. */
export type ActivityRow = Omit<ActivityRowView, 'what' | 'why'>;
export type ActivityPage = Omit<ActivityPageView, 'problem' | 'rows'> & { readonly rows: readonly ActivityRow[] };

/** Something wrong that `verify` found. */
export interface ActivityFinding extends ActivityFindingView {
  readonly kind:
    | 'edited'
    | 'removed'
    | 'truncated'
    | 'older_copy'
    | 'foreign_rows'
    | 'key_missing'
    | 'head_missing'
    | 'head_changed'
    | 'unavailable'
    | 'lost';
}
export interface ActivityVerification extends ActivityVerificationView {
  readonly findings: readonly ActivityFinding[];
}

export interface ActivityLog {
  /** Returns at once. The row is written within half a second, or at `flush`. */
  record(entry: ActivityEntry): void;
  /**
   * Records many events of one kind, such as failures during a lockout, as one row with a count. It
   * is written once the wall clock passes `untilMilliseconds`, or when the daemon stops. The row
   * has the first entry with the key.
   */
  tally(key: string, untilMilliseconds: number, entry: ActivityEntry): void;
  /** Call it before a write is sent. @throws ActivityUnavailable: the write must not run then. */
  attempt(intent: ActivityIntent): Promise<Attempt>;
  /**
   * Call it before a write's answer. It never rejects: what happened has happened, and `problem`
   * says if it could not be recorded.
   */
  outcome(attempt: Attempt, result: ActivityResult): Promise<void>;
  /** Writes all rows that wait. Never rejects; `problem` says whether it worked. */
  flush(): Promise<void>;
  /** A sentence to warn with while the log can't be written; null when all is well. */
  problem(): string | null;
  query(question: ActivityQuestion): Promise<ActivityPage>;
  /** The listener gets rows once they are committed, oldest first. @returns how to stop. */
  follow(listener: (rows: readonly ActivityRow[]) => void): () => void;
  verify(): Promise<ActivityVerification>;
}

export class ActivityUnavailable extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'ActivityUnavailable';
  }
}

/**
 * `denied` if a rule or a person refused, `error` if the call failed or was invalid, `unknown` if
 * nobody knows whether it took effect.
 */
export function outcomeOf(refusal: Refusal): Extract<ActivityOutcome, 'denied' | 'error' | 'unknown'> {
  switch (refusal.kind) {
    case 'tool_error':
      if (refusal.word === 'outcome_unknown') return 'unknown';
      return deniedWords.has(refusal.word) ? 'denied' : 'error';
    case 'no_yes':
      return refusal.why === 'timeout' ? 'error' : 'denied';
    case 'withdrawn':
      return refusal.mayHaveRun === true ? 'unknown' : 'denied';
    case 'read_only':
    case 'needs_yes':
    case 'asked_already':
    case 'masked':
    case 'unrecordable':
    case 'connection_unavailable':
    case 'tool_out_of_scope':
    case 'invalid_request_state':
      return 'denied';
    case 'unknown_tool':
    case 'unknown_argument':
    case 'malformed_cursor':
    case 'cancelled':
      return 'error';
  }
}

const deniedWords: ReadonlySet<string> = new Set(['denied', 'unsupported', 'user_cancelled'] satisfies ToolErrorWord[]);

/** Errors whose sentence quotes the database. */
const quotesDatabase: ReadonlySet<string> = new Set([
  'query_failed',
  'not_connected',
  'outcome_unknown',
  'busy',
  'lock_timeout',
] satisfies ToolErrorWord[]);

/**
 * A refusal for the log: exact, without a database's words or anything in which a client may have
 * put a secret.
 */
export function reasonOf(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'tool_error': {
      // A database's message quotes the statement, and so may the code after it.
      if (quotesDatabase.has(refusal.word)) return refusal.word;
      return `${refusal.word}: ${refusal.forLog ?? refusal.sentence}`;
    }
    case 'read_only': {
      const { limitedBy, reason } = refusal;
      const why =
        limitedBy === 'connection' ? 'This connection is read only for external clients.' : 'This token may only read.';
      return `denied: ${why} ${reason}`;
    }
    case 'needs_yes':
      return `denied: ${refusal.told.join(' ')} It runs only after a yes.`;
    case 'no_yes':
      return noYesReasons[refusal.why];
    case 'withdrawn':
      return `denied: ${withdrawnReasons[refusal.why.kind]} while it ran`;
    case 'asked_already':
      return `denied: asked before, ${refusal.state}`;
    case 'unrecordable':
      return `denied: ${refusal.problem}`;
    case 'masked':
      return `denied: it reads ${refusal.columns.map(({ table, column }) => `${table}.${column}`).join(', ')}, masked here`;
    case 'connection_unavailable':
      return `connection_unavailable: ${nameOnly(refusal.asked)}`;
    case 'tool_out_of_scope':
      return `tool_out_of_scope: ${refusal.tool} needs ${scopeLabels[refusal.needs]}`;
    case 'unknown_tool':
      return `unknown_tool: ${wordOnly(refusal.tool)}`;
    case 'unknown_argument':
      return `unknown_argument: ${wordOnly(refusal.argument)}`;
    case 'malformed_cursor':
    case 'invalid_request_state':
    case 'cancelled':
      return refusal.kind;
  }
}

const withdrawnReasons: Readonly<Record<Extract<Refusal, { kind: 'withdrawn' }>['why']['kind'], string>> = {
  tool: 'the tool was taken from the token',
  connection: 'the connection was taken away',
  yes_first: "the connection's policy was changed to ask first",
  writing: 'writing was no longer allowed',
};

const noYesReasons: Readonly<Record<Extract<Refusal, { kind: 'no_yes' }>['why'], string>> = {
  no: 'user_cancelled: the answer was no',
  timeout: 'timeout: no answer came in time',
  nobody: 'denied: nobody could be asked',
  too_long_for_client:
    'denied: the statement is too long to be asked about in its client, and nobody else could be asked',
  too_many_open: 'denied: too many questions of this client were open, or this one was too long',
  quiet: 'denied: the last answer about this connection was no, less than a minute before',
};

/** A name for the log. A model may pass a whole connection string in its place, with a password. */
function nameOnly(text: string): string {
  return text.length > 64 || /:\/\/|[=@]|sp_/.test(text) ? noName : text;
}

/** The same for names of tools and arguments: they have no blanks, and a statement does. */
function wordOnly(text: string): string {
  return /^\w+$/.test(text) ? nameOnly(text) : noName;
}

const noName = 'a text that is no name';
