/** Splits statements into words for the full-text search, and questions into its query language. */

import { createHash } from 'node:crypto';
import { mostSearchWords } from './history-limits.ts';

/**
 * The indexed text of a statement. The tokenizer ends words at `_` and `.`, so "items" finds
 * `order_items`, and "order_items" finds it as a phrase. For the same reason the parts of
 * `orderItems` are appended.
 */
export function indexedText(statement: string): string {
  const parts = new Set<string>();
  for (const [name] of statement.matchAll(/[\p{L}\p{N}]+/gu)) {
    const words = name.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    if (words.length > 1) for (const word of words) parts.add(word);
  }
  return parts.size === 0 ? statement : `${statement}\n${[...parts].join(' ')}`;
}

/**
 * One word for a principal or connection. A client's question can't contain it: it searches the
 * other column.
 */
export function scopeWord(kind: 'principal' | 'connection', id: string): string {
  return kind.charAt(0) + createHash('sha256').update(id).digest('hex').slice(0, 24);
}

/**
 * @returns the question in FTS5's language, with the asker's words quoted; null if it holds no
 *   word.
 * @param scope lists of scope words; one of each list must match.
 */
export function matchOf(text: string, scope: readonly (readonly string[])[]): string | null {
  const words: string[] = [];
  for (const [, phrase, word] of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const asked = (phrase ?? word ?? '').replaceAll('\0', ' ');
    if (!/[\p{L}\p{N}]/u.test(asked)) continue;
    // A prefix of one or two letters would match half the dictionary.
    const isPrefix = phrase === undefined && /[\p{L}\p{N}]{3}$/u.test(asked);
    words.push(`"${asked}"${isPrefix ? '*' : ''}`);
  }
  if (words.length === 0) return null;
  const asked = `statement : (${words.slice(0, mostSearchWords).join(' AND ')})`;
  return [asked, ...scope.map(words => `scope : (${words.join(' OR ')})`)].join(' AND ');
}
