/**
 * A statement as rows of a window that it can be moved through (spec §12). Escaped here, and behind a bar at every row, so that
 * nothing in it can pass for a line of ours.
 */

import { shownText } from '../../shared/shown-text.ts';
import { pieces } from './fit.ts';
import type { Key } from './keys.ts';

export interface StatementRow {
  /** `|` where a line of it begins, `:` where one goes on that was too long. */
  readonly bar: '|' | ':';
  readonly text: string;
}

const barColumns = 2;
const narrowestTab = '    ';

/** All rows of it, none wider than `columns` with its bar. */
export function statementRows(statement: string, columns: number): StatementRow[] {
  return shownText(statement, 'lines')
    .replaceAll('\t', narrowestTab)
    .split('\n')
    .flatMap(line =>
      pieces(line, columns - barColumns).map((text, index) => ({ bar: index === 0 ? ('|' as const) : ':', text })),
    );
}

/** What of it is seen: so many rows from that one on. */
export interface Scroll {
  readonly first: number;
  readonly shown: number;
  readonly total: number;
}

/** Within what there is, however the window or its place was before. */
export function scrollAt(first: number, shown: number, total: number): Scroll {
  return { first: Math.min(Math.max(first, 0), Math.max(total - shown, 0)), shown: Math.min(shown, total), total };
}

export function isEndSeen({ first, shown, total }: Scroll): boolean {
  return first + shown >= total;
}

/** The first row after this key; null for one that doesn't scroll. One row of a page stays, to go on from. */
export function scrolled({ first, shown, total }: Scroll, key: Key): number | null {
  const page = Math.max(shown - 1, 1);
  switch (key) {
    case 'up':
      return first - 1;
    case 'down':
      return first + 1;
    case 'page up':
      return first - page;
    case 'page down':
    case 'space':
      return first + page;
    case 'home':
      return 0;
    case 'end':
      return total;
    default:
      return null;
  }
}
