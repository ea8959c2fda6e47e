/**
 * Writes a daemon's HTTP answer to the client as lines, unchanged. Decides nothing about retries.
 */

import { isObject, parsedJson } from '../../shared/json.ts';
import type { Response } from '../daemon/response.ts';
import { errorLine, strangeAnswer } from '../failures.ts';
import { EventStream } from './event-stream.ts';
import { firstMember, memberSpan, wholeObject } from './json-text.ts';
import type { Output } from './output.ts';

/**
 * Longer answers are gathered one after the other: thirty at once would take hundreds of megabytes.
 */
const largeAnswerBytes = 256 * 1024;

interface Relaying {
  /** The request's id. An answer given before the request was read doesn't know it. */
  readonly idText: string;
  readonly output: Pick<Output, 'line' | 'drained' | 'inTurn'>;
  /** Translates an answer for a client of an older era. */
  readonly translate: (answer: string) => string;
  /** Called with each answer as the client gets it. */
  readonly onAnswer: (answer: string) => void;
}

/**
 * @returns true if the request has its answer; false if a stream ended without it.
 * @throws if the connection ends too early; complete messages have been written by then.
 */
export async function relayAnswer(response: Response, relaying: Relaying): Promise<boolean> {
  const { status, mediaType, length } = response;
  if (status === 200 && mediaType === 'text/event-stream') return relayEvents(response, relaying);
  const { output } = relaying;
  if (length > largeAnswerBytes) {
    return output.inTurn(() => relayBody(response, relaying));
  }
  await output.drained();
  return relayBody(response, relaying);
}

async function relayBody(response: Response, { idText, output, translate, onAnswer }: Relaying): Promise<true> {
  const body = await wholeBody(response);
  const { status } = response;
  const answer = status === 200 && body !== '' ? translate(body) : errorAnswer(body, status, idText);
  onAnswer(answer);
  output.line(answer);
  return true;
}

/** @throws if the connection ended too early. */
export async function wholeBody(response: Response): Promise<string> {
  const pieces: Buffer[] = [];
  for (let piece = await response.next(); piece !== null; piece = await response.next()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function relayEvents(response: Response, { output, translate, onAnswer }: Relaying): Promise<boolean> {
  const events = new EventStream();
  let answered = false;
  try {
    for (let piece = await response.next(); piece !== null; piece = await response.next()) {
      for (const message of events.push(piece)) {
        const isAnswer = firstMember(message, wholeObject(message), ['method', 'result', 'error']) !== 'method';
        const line = isAnswer ? translate(message) : message;
        if (isAnswer) onAnswer(line);
        output.line(line);
        answered ||= isAnswer;
      }
      await output.drained();
    }
  } catch (error) {
    // The stream broke off after its answer. An error now would be a second answer.
    if (!answered) throw error;
  }
  return answered;
}

/** A refusal before the request was read may lack the id, or not be JSON-RPC. */
function errorAnswer(body: string, status: number, idText: string): string {
  const value = parsedJson(body);
  if (!isObject(value) || !isObject(value.error) || typeof value.error.code !== 'number') {
    return errorLine(idText, strangeAnswer(status));
  }
  if (value.id !== undefined && value.id !== null) return body;
  const error = memberSpan(body, wholeObject(body), 'error');
  return `{"jsonrpc":"2.0","id":${idText},"error":${error === null ? '{}' : body.slice(error.start, error.end)}}`;
}
