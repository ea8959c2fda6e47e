/** The window while nothing is asked, as lines (spec §12): what it watches, that it waits or why it can't, how the last questions ended. */

import { shownText } from '../../shared/shown-text.ts';
import { shownClock } from '../words.ts';
import { cutTo, labelColumns, labelled, linesOfWords, pieces } from './fit.ts';
import type { WindowSize } from './own-screen.ts';
import type { Paint } from './place.ts';
import type { Watched } from './watched.ts';

/** At most `rows` lines, each shorter than `columns`. @param home its folder. */
export function waitingLines({ link, news }: Watched, home: string, size: WindowSize, paint: Paint): string[] {
  const columns = Math.max(size.columns - 1, 1);
  const value = (text: string): string[] => pieces(shownText(text), Math.max(columns - labelColumns, 1));
  const words = (text: string): string[] => linesOfWords(text, columns);
  const state =
    link.kind === 'attached'
      ? [
          ...words('Nothing waits. Questions are asked here as they come.').map(line => paint('bold', line)),
          ...labelled('watches', value(link.server), paint),
        ]
      : [
          ...words(`Nothing can be asked since ${clockOf(link.atMilliseconds)}.`).map(line => paint('bold', line)),
          ...words(shownText(link.problem)).map(line => paint('yellow', line)),
          ...words('This window goes on by itself once it runs again.'),
        ];
  const top = [...state, ...labelled('home', value(home), paint)];
  const bottom = ['', paint('dim', cutTo('Ctrl-C leaves.', columns))];
  const room = size.rows - top.length - bottom.length - 1;
  const lately = news
    .slice(0, Math.max(room, 0))
    .map(({ atMilliseconds, sentence }) => cutTo(`${clockOf(atMilliseconds)}  ${sentence}`, columns));
  const lines = [...top, ...(lately.length > 0 ? ['', ...lately] : []), ...bottom];
  // What it is for comes first where a window is too small for all of it.
  return lines.slice(0, size.rows);
}

function clockOf(milliseconds: number): string {
  return shownClock(new Date(milliseconds).toISOString());
}
