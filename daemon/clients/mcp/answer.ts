/**
 * Puts a tool's outcome on the wire (spec §4): a result, a tool error that the model reads, or a
 * JSON-RPC error. Decides nothing.
 */

import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
} from '@modelcontextprotocol/server';
import type { Scope } from '../../access/tokens/token.ts';
import { jsonOfContent } from '../../engines/row-text.ts';
import { beginning } from '../../engines/shorten.ts';
import { questionKey } from './question-text.ts';
import { unknownArgumentSentence, wordsOf } from './refusal-words.ts';
import type { Era, InputRequired, ToolOutcome } from './tool.ts';

/**
 * In the 2025 revisions wrong arguments are reported to the model; in 2026-07-28 an unknown
 * argument is reported to the client (their schemas, Tools: error handling).
 *
 * @param scope of the token whose client reads it.
 * @throws ProtocolError for what the client, not the model, must read.
 */
export function answer(outcome: ToolOutcome, era: Era, scope: Scope): CallToolResult | InputRequiredResult {
  if (outcome.kind === 'success') {
    const { structuredContent, text, meta } = outcome;
    return {
      content: [{ type: 'text', text: text ?? jsonOfContent(structuredContent) }],
      structuredContent,
      ...(meta !== null && { _meta: meta }),
    };
  }
  if (outcome.kind === 'input_required') return askingBack(outcome);
  const { refusal } = outcome;
  if (refusal.kind === 'unknown_argument' && era === 'legacy') {
    return toolErrorResult('invalid_argument', unknownArgumentSentence(refusal), null);
  }
  const worded = wordsOf(refusal, scope);
  if (worded instanceof ProtocolError) throw worded;
  return toolErrorResult(worded.word, worded.sentence, worded.facts);
}

/**
 * A database's own words were shortened before; on SQLite a quoted name may be as long as a book.
 */
const longestSentence = 8_000;

export function boundedSentence(sentence: string): string {
  return beginning(sentence, longestSentence);
}

/** @param facts for programs, in `_meta`: a kind, and what the sentence says too. */
export function toolErrorResult(
  word: string,
  sentence: string,
  facts: Readonly<Record<string, unknown>> | null,
): CallToolResult {
  return {
    content: [{ type: 'text', text: sentence === '' ? word : `${word}: ${boundedSentence(sentence)}` }],
    isError: true,
    ...(facts !== null && { _meta: { 'app.sallyport/refusal': boundedFacts(facts) } }),
  };
}

function boundedFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const bounded = (value: unknown): unknown => (typeof value === 'string' ? boundedSentence(value) : value);
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, bounded(value)]));
}

function askingBack({ form: { message, requestedSchema }, state }: InputRequired): InputRequiredResult {
  const question = inputRequired.elicit({
    message,
    requestedSchema: { ...requestedSchema, required: [...requestedSchema.required] },
  });
  return inputRequired({ inputRequests: { [questionKey]: question }, requestState: state });
}
