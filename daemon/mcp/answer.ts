/** Puts a tool's outcome on the wire (spec §4): a result, a tool error the model reads, or a JSON-RPC error. Decides nothing. */

import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
} from '@modelcontextprotocol/server';
import { errorCodes } from '../../shared/codes.ts';
import { scopeLabels, scopeWords } from '../access/tokens/token.ts';
import { jsonOfContent } from '../query/row-text.ts';
import { beginning } from '../query/shorten.ts';
import type { Refusal, ToolErrorWord } from '../refusal.ts';
import { questionKey } from './question-text.ts';
import type { Era, InputRequired, ToolOutcome } from './tool.ts';

export const malformedCursorSentence = 'This cursor is not one that Sallyport gave; ask again without it.';

/**
 * The 2025 revisions want what is wrong with the arguments told to the model, 2026-07-28 an argument that a tool doesn't have told
 * to the client (their schemas, Tools: error handling).
 *
 * @throws ProtocolError for what the client, not the model, must hear.
 */
export function answer(outcome: ToolOutcome, era: Era): CallToolResult | InputRequiredResult {
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
  if (refusal.kind === 'tool_error') return toolErrorResult(refusal.word, refusal.sentence);
  if (refusal.kind === 'unknown_argument' && era === 'legacy') {
    return toolErrorResult('invalid_argument', unknownArgumentSentence(refusal));
  }
  throw protocolError(refusal);
}

/** A database's own words are shortened before; on SQLite a name that a sentence of ours quotes may be as long as a book. */
const longestSentence = 8_000;

export function boundedSentence(sentence: string): string {
  return beginning(sentence, longestSentence);
}

function toolErrorResult(word: ToolErrorWord, sentence: string): CallToolResult {
  return { content: [{ type: 'text', text: `${word}: ${boundedSentence(sentence)}` }], isError: true };
}

function askingBack({ form: { message, requestedSchema }, state }: InputRequired): InputRequiredResult {
  const question = inputRequired.elicit({
    message,
    requestedSchema: { ...requestedSchema, required: [...requestedSchema.required] },
  });
  return inputRequired({ inputRequests: { [questionKey]: question }, requestState: state });
}

export function protocolError(refusal: Exclude<Refusal, { kind: 'tool_error' }>): ProtocolError {
  switch (refusal.kind) {
    case 'connection_unavailable':
      return new ProtocolError(errorCodes.forbidden, unavailableSentence(refusal.asked, refusal.usable));
    case 'tool_out_of_scope':
      return new ProtocolError(
        errorCodes.forbidden,
        `${refusal.tool} needs a token with ${scopeLabels[refusal.needs]} permission. The user can give you one: \`sallyport connect http --mint --scope ${scopeWords[refusal.needs]}\`.`,
      );
    case 'unknown_tool':
      return new ProtocolError(
        errorCodes.invalidParams,
        `There is no tool ${shownText(refusal.tool)}; tools/list names them.`,
      );
    case 'unknown_argument':
      return new ProtocolError(errorCodes.invalidParams, unknownArgumentSentence(refusal), { reason: refusal.kind });
    case 'malformed_cursor':
      return new ProtocolError(errorCodes.invalidParams, malformedCursorSentence);
    case 'invalid_request_state':
      return new ProtocolError(
        errorCodes.invalidParams,
        'This requestState belongs to no open question about this very call: it was changed, used before or too late. Call again without it.',
        { reason: refusal.kind },
      );
    case 'cancelled':
      return new ProtocolError(errorCodes.cancelled, 'The request was cancelled.');
  }
}

/** The nearest names come first. */
const mostUsable = 20;

function unavailableSentence(asked: string, usable: readonly string[]): string {
  const first = `No connection ${shownText(asked)} is available to this client.`;
  if (usable.length === 0) return `${first} It may use none yet: the user allows connections in Sallyport.`;
  const rest = usable.length - mostUsable;
  const more = rest > 0 ? ` and ${rest} more, which list_connections names` : '';
  return `${first} It may use: ${usable.slice(0, mostUsable).map(shownText).join(', ')}${more}.`;
}

function unknownArgumentSentence({ tool, argument, accepted }: Extract<Refusal, { kind: 'unknown_argument' }>): string {
  const takes = accepted.length === 0 ? 'no arguments' : accepted.join(', ');
  return `${tool} has no argument ${shownText(argument)}; it takes ${takes}.`;
}

/**
 * What others wrote, on one line and no longer than a name is. A model may put its token, or a URL with a password, where a name
 * belongs; an error is shown and logged in places where those have no business.
 */
function shownText(text: string): string {
  const plain = text.replace(/sp_[\w-]{43}/g, 'sp_…').replace(/[^\s"'<>]+/g, withoutPassword);
  return JSON.stringify(beginning(plain, 64));
}

/** To the last @. Not by one pattern: tried at each `://` of megabytes of them, it would hold everybody up for hours. */
function withoutPassword(word: string): string {
  const start = word.indexOf('://');
  const end = word.lastIndexOf('@');
  return start === -1 || end < start ? word : `${word.slice(0, start)}://…${word.slice(end)}`;
}
