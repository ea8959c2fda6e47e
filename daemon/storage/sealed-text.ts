/**
 * Texts that are kept in the home and count only as this home's daemon wrote them: each begins with
 * a seal under the activity log's key.
 */

import { timingSafeEqual } from 'node:crypto';
import { parsedJson } from '../../shared/json.ts';

export type SealOf = (text: string) => Buffer;

/** @param what what it is: a text of one kind doesn't count as another. */
export function sealed(sealOf: SealOf, what: string, value: unknown): string {
  const text = JSON.stringify(value);
  return `${sealOf(`${what} ${text}`).toString('base64url')} ${text}`;
}

/** @returns undefined if it was edited, or isn't ours. */
export function unsealed(sealOf: SealOf, what: string, kept: string): unknown {
  const end = kept.indexOf(' ');
  const text = kept.slice(end + 1);
  const seal = Buffer.from(kept.slice(0, Math.max(end, 0)), 'base64url');
  const own = sealOf(`${what} ${text}`);
  return seal.length === own.length && timingSafeEqual(seal, own) ? parsedJson(text) : undefined;
}
