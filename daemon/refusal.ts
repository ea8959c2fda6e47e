/**
 * Every refusal of the daemon, as a value with its exact reason. Each door words them for its
 * readers, with one exhaustive switch: daemon/clients/mcp/refusal-words.ts for models,
 * daemon/activity.ts for the log, shell-terminal/refused-call.ts for the person at a terminal. The
 * HTTP door's own refusals are in daemon/clients/http/refuse.ts.
 */

import type { RequestKeeping } from './access/requests/access-requests.ts';
import type { Scope } from './access/tokens/token.ts';
import type { Withdrawal } from './access/withdrawal.ts';
import type { MaskedColumn } from './guard/masks.ts';

/** The first word of a tool error's text. */
const toolErrorWords = [
  'invalid_argument',
  'denied',
  'unsupported',
  'user_cancelled',
  'busy',
  'lock_timeout',
  'timeout',
  'query_failed',
  'not_connected',
  'outcome_unknown',
  'internal_failure',
] as const;
export type ToolErrorWord = (typeof toolErrorWords)[number];

export type Refusal =
  /** One sentence suits every reader; `forLog` if it quotes a database or what a client sent. */
  | {
      readonly kind: 'tool_error';
      readonly word: ToolErrorWord;
      readonly sentence: string;
      readonly forLog?: string;
      readonly request?: RequestKeeping;
    }
  | ReadOnly
  | NeedsYes
  | NoYes
  | Withdrawn
  /** It was refused before; this is its state now (spec §12). */
  | AskedAlready
  /** It would read these columns, which the connection masks. */
  | { readonly kind: 'masked'; readonly columns: readonly MaskedColumn[] }
  /** A write must be recorded before it runs, and can't be. `problem` is a sentence. */
  | { readonly kind: 'unrecordable'; readonly problem: string }
  /**
   * Connection unknown, hidden or not allowed: one text for all. `usable` are the names that this
   * token may use, nearest first.
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
   * The state that came with an answer is not the one that went out with the question, or was used
   * before.
   */
  | { readonly kind: 'invalid_request_state' }
  /** The client left or cancelled: no answer, or -33002 if the transport needs one. */
  | { readonly kind: 'cancelled' };

export interface AskedAlready {
  readonly kind: 'asked_already';
  /** `again`: its run was held back, since it would have taken more than its person saw. */
  readonly state: 'waiting' | 'again' | 'refused';
  /** Milliseconds since 1970: when it was first asked. */
  readonly since: number;
}

/** The call was stopped because the user withdrew its access (spec §6). */
interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly why: Withdrawal;
  /** Null if nothing that it did could stay; otherwise whether it may have. */
  readonly mayHaveRun: boolean | null;
}

/** The statement writes, but the connection's level or the token only reads. */
interface ReadOnly {
  readonly kind: 'read_only';
  readonly limitedBy: 'connection' | 'token';
  readonly isDestructive: boolean;
  /** A sentence: what the statement is. */
  readonly reason: string;
  /**
   * The reason already says what to do: the statement isn't understood and is probably misspelt, so
   * allowing writes would not help.
   */
  readonly reasonAdvises: boolean;
  readonly request?: RequestKeeping;
}

/** It needs the user's approval, and `execute_query` doesn't ask. */
interface NeedsYes {
  readonly kind: 'needs_yes';
  readonly because: 'statement' | 'rows';
  /** Sentences: what the statement is, or what became of it. */
  readonly told: readonly string[];
  readonly canBePreviewed: boolean;
  readonly request?: RequestKeeping;
}

/** The refusal where there was no approval, so nothing ran. */
interface NoYes {
  readonly kind: 'no_yes';
  readonly why: 'no' | 'timeout' | 'nobody' | 'too_long_for_client' | 'too_many_open' | 'quiet';
  readonly connection: string;
  /** How long nothing is asked about the connection; 0 except for `quiet`. */
  readonly secondsLeft: number;
  readonly request?: RequestKeeping;
}

/** @param quote follows the sentence at once, with what a database said. The log leaves it out. */
export function toolError(word: ToolErrorWord, sentence: string, quote: string | null = null): Refusal {
  if (quote === null) return { kind: 'tool_error', word, sentence };
  return { kind: 'tool_error', word, sentence: `${sentence}${quote}`, forLog: sentence };
}
