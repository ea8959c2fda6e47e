/** Cursors of paged lists: an offset bound to its question. They carry no authority. */

import { createHash } from 'node:crypto';
import { parsedJson } from '../../../shared/json.ts';

/**
 * @param question what was asked, without the page: with another question the cursor is malformed.
 */
export function encodeCursor(question: unknown, offset: number): string {
  return Buffer.from(JSON.stringify([offset, digestOf(question)])).toString('base64url');
}

/** @returns the offset; null for anything but a cursor of this question. */
export function decodeCursor(question: unknown, cursor: string): number | null {
  const content = parsedJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(content) || content.length !== 2) return null;
  const [offset, digest] = content;
  return Number.isSafeInteger(offset) && offset > 0 && digest === digestOf(question) ? offset : null;
}

function digestOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);
}
