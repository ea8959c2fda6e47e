/**
 * What the three engines' readers of data changes share, and how a data change is made to return
 * its rows' keys.
 */

export type Verb = 'insert' | 'replace' | 'update' | 'delete' | 'merge';

/** How many rows a preview shows before and after. */
export const mostSampleRows = 5;

export interface Returning {
  readonly ownReturning: boolean;
  /** The text up to where RETURNING goes; null if no such place can be proven. */
  readonly open: string | null;
}

/** RETURNING starts a new line, so a comment at the end of the text can't swallow it. */
export function withReturning(open: string, ownReturning: boolean, list: string): string {
  return `${open}\n${ownReturning ? ', ' : 'RETURNING '}${list}`;
}

/**
 * Stands for the list of quoted names. A text that reads as expected with a number reads the same
 * with the names.
 */
const probe = '1';

/**
 * Leaves out a trailing semicolon.
 * @param isSound true if the engine's own reading of the new text finds the old statement and the
 *   ending, and nothing else.
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

/**
 * How many semicolons are tried from the end: the statement's own, and those in comments after it.
 */
const mostSemicolons = 8;
