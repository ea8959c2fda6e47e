/**
 * Every way the daemon says no, as values with the exact reason. Each door words them for who reads
 * there, with one exhaustive switch: daemon/clients/mcp/refusal-words.ts for models,
 * daemon/activity.ts for the log; shell-terminal/refused-call.ts for the person at a terminal. What
 * the HTTP door itself refuses is in daemon/clients/http/refuse.ts.
 */

import type { Scope } from './access/tokens/token.ts';
import type { Withdrawal } from './access/withdrawal.ts';

/** The word that the text of a tool error starts with. */
const toolErrorWords = [
  'invalid_argument',
  'denied',
  'unsupported',
  'user_cancelled',
  'timeout',
  'query_failed',
  'not_connected',
  'outcome_unknown',
  'internal_failure',
] as const;
export type ToolErrorWord = (typeof toolErrorWords)[number];

export type Refusal =
  /** One sentence does for whoever reads it. */
  | { readonly kind: 'tool_error'; readonly word: ToolErrorWord; readonly sentence: string; readonly waits?: Waits }
  | ReadOnly
  | NeedsYes
  | NoYes
  | Withdrawn
  /** It was refused before, and this is what became of it (spec §12). */
  | { readonly kind: 'asked_already'; readonly state: 'granted' | 'still waiting' | 'refused' }
  /** A write must be recorded before it runs, and can't be. `problem` is a sentence. */
  | { readonly kind: 'unrecordable'; readonly problem: string }
  /**
   * Connection unknown, hidden or not allowed: one text for all. `usable` are the names this token
   * may use, nearest first.
   */
  | { readonly kind: 'connection_unavailable'; readonly asked: string; readonly usable: readonly string[] }
  | { readonly kind: 'tool_out_of_scope'; readonly tool: string; readonly needs: Scope; readonly has: Scope }
  | { readonly kind: 'unknown_tool'; readonly tool: string }
  | {
      readonly kind: 'unknown_argument';
      readonly tool: string;
      readonly argument: string;
      readonly accepted: readonly string[];
    }
  | { readonly kind: 'malformed_cursor' }
  /**
   * What came back with a question's answer is not what was sent out with the question, or was used
   * before.
   */
  | { readonly kind: 'invalid_request_state' }
  /** The client left or cancelled: nothing, or -33002 where the transport wants an answer. */
  | { readonly kind: 'cancelled' };

/** The call was stopped, because the user withdrew the access that it used (spec §6). */
interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly why: Withdrawal;
  /** Null where nothing that it did could stay; else whether it may have. */
  readonly mayHaveRun: boolean | null;
}

/** The statement writes, and the connection's level or else the token only reads. */
interface ReadOnly {
  readonly kind: 'read_only';
  readonly limitedBy: 'connection' | 'token';
  readonly isDestructive: boolean;
  /** A sentence: what the statement is. */
  readonly reason: string;
  /**
   * It says what to do by itself, as of what isn't understood and is mostly misspelt: writing would
   * be allowed for nothing.
   */
  readonly reasonAdvises: boolean;
  readonly waits?: Waits;
}

/** It runs only after the user's yes, and `execute_query` asks for none. */
interface NeedsYes {
  readonly kind: 'needs_yes';
  readonly because: 'statement' | 'rows';
  /** Sentences: what the statement is, or what became of it. */
  readonly told: readonly string[];
  readonly canBePreviewed: boolean;
  readonly waits?: Waits;
}

/** The user is told of it, and may allow it. Absent where they are not. */
type Waits = true;

/** There was no yes, so nothing ran. */
interface NoYes {
  readonly kind: 'no_yes';
  readonly why: 'no' | 'timeout' | 'nobody' | 'too_long_for_client' | 'too_many_open' | 'quiet';
  readonly connection: string;
  /** For how long nothing is asked about the connection; 0 but for `quiet`. */
  readonly secondsLeft: number;
}

export function toolError(word: ToolErrorWord, sentence: string): Refusal {
  return { kind: 'tool_error', word, sentence };
}
