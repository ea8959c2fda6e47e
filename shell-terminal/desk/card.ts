/**
 * The card of a question or an access request (spec §12), for the window and for plain lines: its
 * facts, then what its statement takes, then the statement. Others' text is escaped, behind a label
 * or a bar. Decides nothing.
 */

import type { AskView } from '../../shared/control-commands.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';
import type { Paint } from '../sheet/drawing-place.ts';
import { labelColumns, labelled, linesOfWords, splitAtColumns } from '../sheet/fit.ts';
import { paintedRow, statementRows } from '../sheet/statement-rows.ts';
import { takesRows } from '../sheet/takes-rows.ts';
import { styled, type Terminal, widthOf, wrapped } from '../terminal.ts';
import { shownClock } from '../words.ts';
import { type Ask, titleOf } from './asks.ts';

interface Room {
  readonly columns: number;
  readonly paint: Paint;
  /** True if there are lines to spare. */
  readonly isRoomy: boolean;
  /** How many lines a value may take. */
  readonly mostLines: number;
}

/** The daemon puts these first: who, by which token, where, its marks, its tables, its length. */
const decisiveFacts = { marked: 6, unmarked: 5 } as const;
/** With more lines of facts than these, each has one. */
const mostFactLines = 12;

/** Who asks, where, and if there is room, why. */
export function cardFacts(
  ask: Pick<AskView, 'kind' | 'connection' | 'facts' | 'means'>,
  { columns, paint, isRoomy, mostLines }: Room,
): string[] {
  // A host key is drawn below, where nothing is cut.
  const whole = ask.facts.filter(({ value }) => ask.kind !== 'host_key' || value !== ask.means);
  const isMarked = ask.connection !== null && (ask.connection.colour !== null || ask.connection.tags.length > 0);
  const shown = isRoomy ? whole : whole.slice(0, decisiveFacts[isMarked ? 'marked' : 'unmarked']);
  const lines = (most: number): string[] =>
    shown.flatMap(({ label, value, isClaim }) => {
      const text = isClaim ? shownName(value) : shownText(value);
      return labelled(label.toLowerCase(), linesOfWords(text, columns - labelColumns, most), paint);
    });
  const laidOut = lines(mostLines);
  return mostLines === Number.POSITIVE_INFINITY || laidOut.length <= mostFactLines ? laidOut : lines(1);
}

/** What the statement takes, the statement, and its values without a bar; or the host key. */
export function cardRows(ask: Ask, columns: number, isRoomy: boolean): string[] {
  const { statement } = ask;
  // In the rows that must be seen to their end, and never cut: a fingerprint decides.
  if (ask.kind === 'host_key')
    return wrapped(shownText(ask.means ?? ''), columns, '').flatMap(line => splitAtColumns(line, columns));
  if (statement === null) return [];
  return [
    ...takesRows(statement, columns, isRoomy),
    ...statementRows(statement.text, columns),
    ...statement.parameters.flatMap((value, at) =>
      labelled(`value ${at + 1}`, splitAtColumns(shownText(value), columns - labelColumns), (_style, text) => text),
    ),
  ];
}

/**
 * The whole card for a place that can't draw, broken here, because the terminal's own breaks would
 * leave the bars out.
 */
export function cardLines(terminal: Terminal, ask: Ask, columns = widthOf(terminal.stdout) ?? 80): string[] {
  const paint: Paint = (style, text) => styled(terminal, style, text);
  const rows = cardRows(ask, columns, true).map(row => paintedRow(row, paint));
  return [
    ...cardFacts(ask, { columns, paint, isRoomy: true, mostLines: Number.POSITIVE_INFINITY }),
    ...(rows.length === 0 ? [] : ['', ...rows, '']),
  ];
}

/** The same under a headline, with the commands that answer. */
export function askLines(terminal: Terminal, ask: Ask): string[] {
  const { id, expiresAt } = ask;
  const columns = (widthOf(terminal.stdout) ?? Number.POSITIVE_INFINITY) - 3;
  const paint: Paint = (style, text) => styled(terminal, style, text);
  const head = linesOfWords(`${id}  ${titleOf(ask)}`, columns);
  const lines = [
    ...cardLines(terminal, ask, columns),
    ...labelled('until', [shownClock(expiresAt)], paint),
    ...labelled('allow', [`sallyport allow yes ${id}`], paint),
    ...labelled('refuse', [`sallyport allow no ${id}`], paint),
  ];
  return [...head, ...lines].map((line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${line}`.trimEnd());
}
