/**
 * Chooses the rows of an answer (spec §8), and what is said about the others: all rows if they fit,
 * else a short page.
 */

import type { HeldResult } from '../../../statement/held-rows.ts';
import { type Page, pageOf } from '../../../statement/page.ts';

/**
 * If an answer can't hold everything, so many bytes show what the rows are like; a cursor has the
 * rest.
 */
const shortAnswerBytes = 8 * 1024;

export interface PageOptions {
  readonly result: HeldResult['result'];
  readonly from: number;
  readonly maxRows: number;
  readonly maxBytes: number;
  /** What set `maxBytes`: an argument, or the maximum of an answer. */
  readonly bytesBy: string;
  /**
   * Whether an incomplete answer may be a short one; not if the call named a number of bytes or
   * rows.
   */
  readonly mayBeShort: { readonly whereBytesEnd: boolean; readonly whereRowsEnd: boolean };
  /**
   * A cursor to the row with that index; null if the following rows can't be held.
   * @param spared bytes that a short answer leaves to the next page, so no result takes an extra
   *   call.
   */
  readonly cursorTo: (index: number, spared: number) => string | null;
}

export function chosenPage(choosing: PageOptions, besideRows: number, print: ((json: string) => string) | null) {
  const { result, from, maxRows, mayBeShort, cursorTo, bytesBy } = choosing;
  // At least part of one row is always shown.
  const upTo = (bytes: number) =>
    pageOf(result, from, { maxRows, maxBytes: Math.max(bytes - besideRows, Math.floor(bytes / 4)) }, print);
  const page = upTo(choosing.maxBytes);
  const isLast = page.next === result.rows.length;
  const spared = choosing.maxBytes - shortAnswerBytes;
  const mayShorten = isLast ? mayBeShort.whereRowsEnd && result.truncatedBy !== null : mayBeShort.whereBytesEnd;
  if (mayShorten && spared > 0) {
    const short = upTo(shortAnswerBytes);
    const cursor = short.next < page.next && isAsWhole(short, page) ? cursorTo(short.next, spared) : null;
    if (cursor !== null) {
      const why = isLast ? 'are shown; still more exist' : 'are shown, as not all fit into one answer';
      return { page: short, cursor, because: cutSentence(short.next, result, cursor, why) };
    }
  }
  if (isLast) return { page, cursor: null, because: truncations[result.truncatedBy ?? 'nothing'] };
  const cursor = cursorTo(page.next, 0);
  const fitting = page.rows.length < maxRows ? `fit into ${bytesBy}` : 'came within max_rows';
  return { page, cursor, because: cutSentence(page.next, result, cursor, fitting) };
}

/** Rows can wait for the next call, but the rest of a cut cell has no cursor. */
function isAsWhole(short: Page, page: Page): boolean {
  const cuts = page.cutCells.filter(({ row }) => row < short.rows.length).length;
  return short.rows.length > 1 && short.cutCells.length <= cuts;
}

const orLess = 'Or aggregate, select fewer columns, or write all rows to a file with export_data.';

function cutSentence(next: number, { rows }: HeldResult['result'], cursor: string | null, fitting: string): string {
  const upTo = `Rows up to ${next} of the ${rows.length} that were read ${fitting}.`;
  return cursor === null ? `${upTo} ${orLess}` : `${upTo} fetch_rows gives the others. ${orLess}`;
}

const truncations = {
  nothing: null,
  rows: `More rows exist than max_rows. Raise it, aggregate, narrow the query, or write all rows to a file with export_data.`,
  'most rows': `More rows exist than a call may have. Aggregate, narrow the query, or write all rows to a file with export_data.`,
  'most rows of the connection': `More rows exist than a call on this connection may have. Aggregate, narrow the query, or write all rows to a file with export_data.`,
  bytes: `No more rows could be held. Aggregate, select fewer columns, or write all rows to a file with export_data.`,
  wire: 'The result is too large to read whole. Select fewer columns, shorter values or fewer rows.',
} as const;
