/** Messages between the daemon and a thread of the store: a question, then its answer, in order. */

import { types } from 'node:util';
import type { JobName } from './jobs.ts';

export interface Question {
  /** `close` ends the thread once all earlier questions are answered. */
  readonly name: JobName | 'close';
  readonly given: readonly unknown[];
}

export type Reply =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string; readonly code: string };

/**
 * A Buffer arrives as bare bytes, which print and compare differently.
 * @param value the value that arrived; it is changed.
 */
export function withBuffers<Value>(value: Value): Value {
  return revived(value) as Value;
}

function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isUint8Array(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) members[name] = revived(members[name]);
  return members;
}
