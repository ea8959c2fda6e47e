/** Brings a daemon's HTTP answer to the client as lines, its text untouched. Decides nothing about retries. */

import type { IncomingMessage } from 'node:http';
import { EventStream } from './event-stream.ts';
import { errorLine, strangeAnswer } from './failures.ts';
import { firstMember, memberSpan, wholeObject } from './json-text.ts';
import { bridgeLimits } from './limits.ts';
import { isObject } from './message.ts';
import type { Output } from './output.ts';

export interface Relayed {
  /** Whether the request has its answer; false when a stream ended without it. */
  readonly answered: boolean;
  /** Whether the client was told anything at all. */
  readonly anything: boolean;
}

export interface Relaying {
  /** The request's id, for an answer that was given before the request was read and so doesn't know it. */
  readonly idText: string;
  readonly output: Output;
  /** What to make of an answer's text, for a client of an older era. */
  readonly translate: (answer: string) => string;
  /** Gives an answer or a notification the client's own numbers back. */
  readonly restore: (message: string) => string;
  /** Told each answer as the client gets it. */
  readonly onAnswer: (answer: string) => void;
}

/** @throws when the connection ends too early; whatever was complete has been written by then. */
export async function relayAnswer(response: IncomingMessage, relaying: Relaying): Promise<Relayed> {
  const [type] = (response.headers['content-type'] ?? '').split(';');
  if (response.statusCode === 200 && type?.trim().toLowerCase() === 'text/event-stream') {
    return relayEvents(response, relaying);
  }
  const { output } = relaying;
  if (Number(response.headers['content-length']) > bridgeLimits.largeAnswerBytes) {
    return output.inTurn(() => relayBody(response, relaying));
  }
  await output.drained();
  return relayBody(response, relaying);
}

async function relayBody(
  response: IncomingMessage,
  { idText, output, translate, restore, onAnswer }: Relaying,
): Promise<Relayed> {
  const body = await wholeBody(response);
  const status = response.statusCode ?? 0;
  const answer = status === 200 && body !== '' ? restore(translate(body)) : restore(errorAnswer(body, status, idText));
  onAnswer(answer);
  output.line(answer);
  return { answered: true, anything: true };
}

/** Not `for await`: this is the way of nearly every answer, and iterating would add 50 µs to each. */
function wholeBody(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', chunk => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    response.on('error', reject);
    // Every answer's stream closes: an Error for each, that nobody sees, would take 10 µs.
    const cutOff = () => {
      if (!response.complete) reject(new Error('the answer was cut off'));
    };
    response.on('close', cutOff);
    if (response.destroyed) cutOff();
  });
}

async function relayEvents(
  response: IncomingMessage,
  { output, translate, restore, onAnswer }: Relaying,
): Promise<Relayed> {
  const events = new EventStream();
  let answered = false;
  let anything = false;
  for await (const chunk of response) {
    for (const message of events.push(chunk)) {
      const isAnswer = firstMember(message, wholeObject(message), ['method', 'result', 'error']) !== 'method';
      const line = restore(isAnswer ? translate(message) : message);
      if (isAnswer) onAnswer(line);
      output.line(line);
      answered ||= isAnswer;
      anything = true;
    }
    await output.drained();
  }
  return { answered, anything };
}

/** A refusal at the door may not know the id, or be no JSON-RPC at all. */
function errorAnswer(body: string, status: number, idText: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return errorLine(idText, strangeAnswer(status));
  }
  if (!isObject(value) || !isObject(value.error) || typeof value.error.code !== 'number') {
    return errorLine(idText, strangeAnswer(status));
  }
  if (value.id !== undefined && value.id !== null) return body;
  const error = memberSpan(body, wholeObject(body), 'error');
  return `{"jsonrpc":"2.0","id":${idText},"error":${error === null ? '{}' : body.slice(error.start, error.end)}}`;
}
