/**
 * Decides which of the daemon's answers also go to stderr (spec §15): refusals in Sallyport's own
 * words, for people who read their client's log. Changes no answer.
 */

import { isObject } from '../../shared/json.ts';
import { oneLine } from '../one-line.ts';

/** Refusals are short, so longer answers aren't searched. */
const longestCharacters = 8_192;

/** The sentence, on one line; null if the answer is no such refusal. */
export function stderrMessage(answer: string): string | null {
  if (answer.length > longestCharacters || !/"(?:error|isError)"/.test(answer)) return null;
  const message: unknown = JSON.parse(answer);
  const sentence = isObject(message) ? (refusalIn(message.error) ?? denialIn(message.result)) : null;
  return sentence === null ? null : oneLine(sentence);
}

/**
 * A JSON-RPC error of Sallyport's own range (spec §15). The client logs its own mistakes itself.
 */
function refusalIn(error: unknown): string | null {
  if (!isObject(error) || typeof error.code !== 'number' || typeof error.message !== 'string') return null;
  return error.code <= -33_000 && error.code > -34_000 ? error.message : null;
}

/**
 * If the user's settings forbid a call, the daemon answers with a tool error, so that the model
 * reads it too ("read only for external clients").
 */
function denialIn(result: unknown): string | null {
  if (!isObject(result) || result.isError !== true || !Array.isArray(result.content)) return null;
  const [first]: unknown[] = result.content;
  const text = isObject(first) && typeof first.text === 'string' ? first.text : '';
  return text.startsWith('denied: ') ? text.slice('denied: '.length) : null;
}
