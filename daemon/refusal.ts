/**
 * Every way the daemon says no, as values with the exact reason. Each door maps them to its wire with one exhaustive
 * switch (daemon/mcp/answer.ts, daemon/http/refuse.ts); the wire is coarser than the log.
 */

import type { Scope } from './access/tokens/token.ts';

/** Refusals that a model sees as a tool error: the word its text starts with, and a sentence that says what to do next. */
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
  | { readonly kind: 'tool_error'; readonly word: ToolErrorWord; readonly sentence: string }
  /** Connection unknown, hidden or not allowed: one text for all. `usable` are the names this token may use, nearest first. */
  | { readonly kind: 'connection_unavailable'; readonly asked: string; readonly usable: readonly string[] }
  | { readonly kind: 'tool_out_of_scope'; readonly tool: string; readonly needs: Scope }
  | { readonly kind: 'unknown_tool'; readonly tool: string }
  | {
      readonly kind: 'unknown_argument';
      readonly tool: string;
      readonly argument: string;
      readonly accepted: readonly string[];
    }
  | { readonly kind: 'malformed_cursor' }
  /** What came back with a question's answer is not what was sent out with the question, or was used before. */
  | { readonly kind: 'invalid_request_state' }
  /** The client left or cancelled: nothing, or -33002 where the transport wants an answer. */
  | { readonly kind: 'cancelled' };

export function toolError(word: ToolErrorWord, sentence: string): Refusal {
  return { kind: 'tool_error', word, sentence };
}
