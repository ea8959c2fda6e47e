/** Reads a line from the client. Never changes or answers it. */

import { isObject, parsedJson } from '../../shared/json.ts';
import { batch, type Failure, inexactNumber, notARequest, notJson } from '../failures.ts';
import { elementSpans, memberSpan, type Span, wholeObject } from './json-text.ts';

/** How many ids of a batch are read; each of them gets an error. */
const maxBatchIds = 10_000;

export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

export type JsonObject = { readonly [name: string]: unknown };

export interface Message {
  readonly text: string;
  readonly method: string;
  /** `params`, parsed; null if it is missing or no object. */
  readonly params: JsonObject | null;
  /**
   * The protocol version in its own `_meta`, from 2026-07-28 on. Null for a message of an older
   * era.
   */
  readonly claimedVersion: string | null;
}

export interface Request extends Message {
  /** The id, as JSON text. */
  readonly idText: string;
}

type Line =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly notification: Message }
  /** A blank line, or an answer. The bridge asks nothing, so nobody waits for answers. */
  | { readonly kind: 'nothing' }
  /** One error for each id, or one without an id if there is none. */
  | { readonly kind: 'refused'; readonly idTexts: readonly string[]; readonly failure: Failure };

export function readLine(line: string): Line {
  // A byte order mark counts as space here, unlike in JSON: Windows programs begin their stream
  // with one.
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  const value = parsedJson(text);
  if (value === undefined) return refused([], notJson);
  if (Array.isArray(value)) return refused(idTextsOf(text, value), batch);
  if (!isObject(value)) return refused([], notARequest);
  const idText = idTextOf(text, wholeObject(text), value.id);
  if (typeof value.method !== 'string' || value.jsonrpc !== '2.0') {
    return isAnswer(value) ? { kind: 'nothing' } : refused(idText === null ? [] : [idText], notARequest);
  }
  const params = isObject(value.params) ? value.params : null;
  const message: Message = { text, method: value.method, params, claimedVersion: claimedVersion(params) };
  if (idText !== null) {
    const progressToken = isObject(params?._meta) ? params._meta.progressToken : undefined;
    if (isInexact(value.id) || isInexact(progressToken)) return refused([idText], inexactNumber);
    return { kind: 'request', request: { ...message, idText } };
  }
  return value.id === undefined ? { kind: 'notification', notification: message } : refused([], notARequest);
}

function refused(idTexts: readonly string[], failure: Failure): Line {
  return { kind: 'refused', idTexts, failure };
}

function isAnswer(value: JsonObject): boolean {
  return value.method === undefined && ('result' in value || 'error' in value);
}

/** The ids of a batch: its sender waits for an answer to each. */
function idTextsOf(text: string, batched: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  let place = 0;
  for (const span of elementSpans(text)) {
    const value = batched[place++];
    const idText = isObject(value) && !isAnswer(value) ? idTextOf(text, span, value.id) : null;
    if (idText !== null) found.add(idText);
    if (found.size === maxBatchIds) break;
  }
  return [...found];
}

/** The id in a `notifications/cancelled`, spelled as in `idText`; null if it has none. */
export function cancelledIdText({ params }: Message): string | null {
  const id = params?.requestId;
  return typeof id === 'string' || Number.isSafeInteger(id) ? JSON.stringify(id) : null;
}

/**
 * The daemon reads JSON numbers as doubles, so its answer or progress would carry another number
 * than the client's.
 */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function idTextOf(text: string, object: Span, id: unknown): string | null {
  if (typeof id === 'string' || Number.isSafeInteger(id)) return JSON.stringify(id);
  const span = typeof id === 'number' ? memberSpan(text, object, 'id') : null;
  return span && text.slice(span.start, span.end);
}

/** A version of the wrong type counts too; the daemon says what is wrong with it. */
function claimedVersion(params: JsonObject | null): string | null {
  const meta = params?._meta;
  if (!isObject(meta) || !(metaKeys.protocolVersion in meta)) return null;
  const version = meta[metaKeys.protocolVersion];
  return typeof version === 'string' ? version : '';
}
