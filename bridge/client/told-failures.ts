/**
 * Which of the daemon's answers are also said on stderr (spec §15): refusals in Sallyport's own
 * words, for the person who reads their client's log. Changes no answer.
 */

import { isObject } from '../../shared/json.ts';
import { oneLine } from '../shown.ts';

/** Refusals are short: whatever is longer is not looked through. */
const longestCharacters = 8_192;

/** The sentence, on one line; null for an answer that is none of these. */
export function toldFailure(answer: string): string | null {
  if (answer.length > longestCharacters || !/"(?:error|isError)"/.test(answer)) return null;
  const message: unknown = JSON.parse(answer);
  const sentence = isObject(message) ? (refusalIn(message.error) ?? denialIn(message.result)) : null;
  return sentence === null ? null : oneLine(sentence);
}

/**
 * A JSON-RPC error of Sallyport's own range (spec §15); what a client got wrong itself is for its
 * own log.
 */
function refusalIn(error: unknown): string | null {
  if (!isObject(error) || typeof error.code !== 'number' || typeof error.message !== 'string') return null;
  return error.code <= -33_000 && error.code > -34_000 ? error.message : null;
}

/**
 * What the user's own settings forbid is a tool error, so that the model reads it too ("read only
 * for external clients").
 */
function denialIn(result: unknown): string | null {
  if (!isObject(result) || result.isError !== true || !Array.isArray(result.content)) return null;
  const [first]: unknown[] = result.content;
  const text = isObject(first) && typeof first.text === 'string' ? first.text : '';
  return text.startsWith('denied: ') ? text.slice('denied: '.length) : null;
}
