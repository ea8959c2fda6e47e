/** Reads what a line from the client is: never changes it, never answers it. */

import { isObject, parsedJson } from '../../shared/json.ts';
import { batch, type Failure, notARequest, notJson } from '../failures.ts';
import { memberSpan, wholeObject } from './json-text.ts';

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
  /** The `params` as parsed, to look at; null where it is missing or no object. */
  readonly params: JsonObject | null;
  /** The protocol version its own `_meta` names: it speaks 2026-07-28 or newer. Null for a message of an older era. */
  readonly claimedVersion: string | null;
}

export interface Request extends Message {
  /** The id as it stands in the line: an integer beyond 2^53 is answered as it was asked. */
  readonly idText: string;
}

type Line =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly notification: Message }
  /** An answer: the bridge never asks, so it is nobody's. */
  | { readonly kind: 'response' }
  | { readonly kind: 'refused'; readonly idText: string; readonly failure: Failure };

export function readLine(text: string): Line {
  const value = parsedJson(text);
  if (value === undefined) return { kind: 'refused', idText: 'null', failure: notJson };
  if (Array.isArray(value)) return { kind: 'refused', idText: 'null', failure: batch };
  if (!isObject(value)) return { kind: 'refused', idText: 'null', failure: notARequest };
  const hasId = typeof value.id === 'number' || typeof value.id === 'string';
  const idText = hasId ? idTextOf(text, value.id) : 'null';
  if (typeof value.method !== 'string' || value.jsonrpc !== '2.0') {
    if (value.method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
    return { kind: 'refused', idText, failure: notARequest };
  }
  const params = isObject(value.params) ? value.params : null;
  const message: Message = { text, method: value.method, params, claimedVersion: claimedVersion(params) };
  if (hasId) return { kind: 'request', request: { ...message, idText } };
  if (value.id !== undefined) return { kind: 'refused', idText: 'null', failure: notARequest };
  return { kind: 'notification', notification: message };
}

/** The request a `notifications/cancelled` names, spelled as `idText` is; null where it names none. */
export function cancelledIdText(notification: Message): string | null {
  const id = notification.params?.requestId;
  if (typeof id === 'string' || Number.isSafeInteger(id)) return JSON.stringify(id);
  if (typeof id !== 'number') return null;
  const { text } = notification;
  const params = memberSpan(text, wholeObject(text), 'params');
  const span = params && memberSpan(text, params, 'requestId');
  return span && text.slice(span.start, span.end);
}

function idTextOf(text: string, id: unknown): string {
  if (typeof id === 'string' || Number.isSafeInteger(id)) return JSON.stringify(id);
  const span = memberSpan(text, wholeObject(text), 'id');
  return span === null ? 'null' : text.slice(span.start, span.end);
}

/** A claim of a wrong type is a claim too: upstream says what is wrong with it. */
function claimedVersion(params: JsonObject | null): string | null {
  const meta = params?._meta;
  if (!isObject(meta) || !(metaKeys.protocolVersion in meta)) return null;
  const version = meta[metaKeys.protocolVersion];
  return typeof version === 'string' ? version : '';
}
