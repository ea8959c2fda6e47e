/**
 * Lets numbers that no double holds exactly serve as a request's id or progress token: the daemon, which reads JSON into doubles,
 * is asked under a text in their place, and what it answers gets them back. Every other message passes as it is.
 */

import { isObject } from '../../shared/json.ts';
import { memberSpan, type Span, wholeObject } from './json-text.ts';
import type { Request } from './message.ts';

interface Exact {
  /** The message for the daemon. */
  readonly body: string;
  /** What the daemon says of the request, answer or notification, in the client's own numbers. */
  readonly restore: (message: string) => string;
}

const untouched = (message: string): string => message;

/** @param body the request as it would go up; it may have gained members since it came. */
export function exactNumbers(request: Request, body: string): Exact {
  const { params } = request;
  const meta = isObject(params?._meta) ? params._meta : null;
  const paths = [
    ...(request.idText.startsWith('"') || isExact(Number(request.idText)) ? [] : [['id']]),
    ...(isExact(meta?.progressToken) ? [] : [['params', '_meta', 'progressToken']]),
  ];
  if (paths.length === 0) return { body, restore: untouched };
  // Restored by what it stood for, so that the same number in both places is one.
  const standIns = new Map<string, string>();
  let changed = body;
  for (const path of paths) {
    const span = spanAt(changed, path);
    if (span === null) continue;
    const number = changed.slice(span.start, span.end);
    const standIn = JSON.stringify(`number ${number}`);
    standIns.set(standIn, number);
    changed = replaced(changed, span, standIn);
  }
  return { body: changed, restore: message => restored(message, standIns) };
}

/** Strings and small integers are; so is what is no number at all, which is for the daemon to refuse. */
function isExact(value: unknown): boolean {
  return typeof value !== 'number' || Number.isSafeInteger(value);
}

const subscriptionId = ['_meta', 'io.modelcontextprotocol/subscriptionId'];
const restoredPaths = [
  ['id'],
  ['params', 'progressToken'],
  ['params', ...subscriptionId],
  ['result', ...subscriptionId],
];

function restored(message: string, standIns: ReadonlyMap<string, string>): string {
  let text = message;
  for (const path of restoredPaths) {
    const span = spanAt(text, path);
    const number = span && standIns.get(text.slice(span.start, span.end));
    if (span !== null && number !== null && number !== undefined) text = replaced(text, span, number);
  }
  return text;
}

function spanAt(text: string, path: readonly string[]): Span | null {
  let span: Span | null = wholeObject(text);
  for (const name of path) {
    if (span === null || text[span.start] !== '{') return null;
    span = memberSpan(text, span, name);
  }
  return span;
}

function replaced(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
