/**
 * Makes a sentence fit for one line of a client's log, which may be shown in a terminal. It may
 * contain text by others (spec §12).
 */

import { shownText } from '../shared/shown-text.ts';

const longestCharacters = 4_096;

export function oneLine(sentence: string): string {
  const line = shownText(sentence.slice(0, longestCharacters + 1).replace(/[\t\n\v\f\r]+/g, ' '));
  return sentence.length > longestCharacters ? `${line}…` : line;
}
