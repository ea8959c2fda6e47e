/**
 * Cursors of lists that are cut into pages: an offset, bound to the question it belongs to. They
 * carry no authority.
 */

import { createHash } from 'node:crypto';
import { parsedJson } from '../../../shared/json.ts';

/** @param question what was asked, page apart: a cursor given to another question is malformed. */
export function encodeCursor(question: unknown, offset: number): string {
  return Buffer.from(JSON.stringify([offset, digestOf(question)])).toString('base64url');
}

/** The offset, or null for anything that isn't a cursor of this question. */
export function decodeCursor(question: unknown, cursor: string): number | null {
  const content = parsedJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(content) || content.length !== 2) return null;
  const [offset, digest] = content;
  return Number.isSafeInteger(offset) && offset > 0 && digest === digestOf(question) ? offset : null;
}

function digestOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);
}
