/**
 * Recorded statements as lines of a terminal (spec §9): the sender, the connection and the outcome,
 * and below them the statement.
 */

import type { HistoryEntryView } from '../shared/control-commands.ts';
import { shownName, shownText } from '../shared/shown-text.ts';
import { listedText } from '../shared/text-size.ts';
import { resultOf, styleOf, whoOf } from './activity-lines.ts';
import { styled, type Terminal } from './terminal.ts';
import { shownClock, shownTime } from './words.ts';

/** How much of a statement a list shows, so that several fit on a screen. */
const listedCharacters = 2_000;
const listedLines = 12;

/**
 * @returns a function that makes one statement's lines, with the day above if it has changed. A
 *   longer statement is cut; --json prints what is kept of it.
 */
export function historyLines(terminal: Terminal): (entry: HistoryEntryView) => string[] {
  let day = '';
  return entry => {
    const { time, connection, outcome, rows, durationMilliseconds, statement, isCut } = entry;
    const result = resultOf({ outcome, fate: null, rows, durationMilliseconds, count: 1 });
    const head = `${shownClock(time)}  ${shownName(whoOf(entry))} on ${shownName(connection.name)}: ${result}`;
    const text =
      statement === null
        ? ['(not kept: it has a password in it)']
        : shownText(listedText(statement, listedCharacters, listedLines), 'lines').split('\n');
    const newDay = shownTime(time).slice(0, 10);
    const heading = newDay === day ? [] : [styled(terminal, 'bold', newDay)];
    day = newDay;
    const style = styleOf({ outcome, fate: null });
    return [
      ...heading,
      styled(terminal, style ?? 'dim', head),
      ...[...text, ...(isCut ? ['… (only its beginning is kept)'] : [])].map(line => `  ${line}`),
    ];
  };
}
