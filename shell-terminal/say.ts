/** A sentence for people as an answer: broken between words where a terminal shows it, whole where a script reads it. */

import { shownText } from '../shared/shown-text.ts';
import { print, type Terminal, widthOf, wrapped } from './terminal.ts';

export function say(terminal: Terminal, sentence: string): void {
  print(terminal, ...wrapped(shownText(sentence), widthOf(terminal.stdout), ''));
}
