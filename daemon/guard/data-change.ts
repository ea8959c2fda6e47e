/**
 * What the three readings of a data change have in common, and how one is made to return its rows'
 * keys.
 */

export type Verb = 'insert' | 'replace' | 'update' | 'delete' | 'merge';

/** Rows that a preview shows before and after. */
export const mostSampleRows = 5;

export interface Returning {
  readonly ownReturning: boolean;
  /** The text up to where RETURNING goes; null where no such place can be shown. */
  readonly open: string | null;
}

/** On a line of its own, so that no comment at the end of the text swallows it. */
export function withReturning(open: string, ownReturning: boolean, list: string): string {
  return `${open}\n${ownReturning ? ', ' : 'RETURNING '}${list}`;
}

/**
 * Stands for the list, whose names are quoted: what reads like this with a number, reads like this
 * with them.
 */
const probe = '1';

/**
 * A trailing semicolon is left out.
 * @param isSound whether the engine's own reading finds in the new text the old statement and the
 * ending, and nothing else.
 */
export function openEnd(
  sql: string,
  ownReturning: boolean,
  isSound: (text: string, ending: string) => boolean,
): string | null {
  const ending = withReturning('', ownReturning, probe);
  const parts = sql.split(';');
  for (let kept = parts.length; kept > Math.max(0, parts.length - mostSemicolons); kept--) {
    const open = parts.slice(0, kept).join(';');
    if (isSound(open + ending, ending)) return open;
  }
  return null;
}

/** Semicolons looked at from the end: the statement's own, and those in comments behind it. */
const mostSemicolons = 8;
