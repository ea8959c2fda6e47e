/**
 * The card of a question or an access request (spec §12), for the window and for plain lines: its
 * facts, then what its statement takes, then the statement. Others' text is escaped, behind a label
 * or a bar. Decides nothing.
 */

import type { Engine } from '../../shared/engine.ts';
import { shownName, shownTables, shownText } from '../../shared/shown-text.ts';
import { textSizeWords } from '../../shared/text-size.ts';
import type { Paint } from '../sheet/drawing-place.ts';
import { cutTo, fitLines, labelColumns, labelled, linesOfWords, splitAtColumns, widthAtMost } from '../sheet/fit.ts';
import { paintedRow, statementRows } from '../sheet/statement-rows.ts';
import { takesRows } from '../sheet/takes-rows.ts';
import { styled, type Terminal, widthOf, wrapped } from '../terminal.ts';
import { shownClock } from '../words.ts';
import { type Ask, asksTo } from './asks.ts';

interface Room {
  readonly columns: number;
  readonly paint: Paint;
  /** True if there are lines to spare. */
  readonly isRoomy: boolean;
  /** How many lines a value by others may take. */
  readonly mostLines: number;
}

const needs: Readonly<Record<NonNullable<Ask['lacks']>, string>> = {
  connection_level: 'the connection is read only for AI clients',
  token_scope: 'its token may only read',
  yes: 'it runs only once you approve it',
  first_use: "this connection's AI policy is `ask`",
  host_key: 'nobody has confirmed the host key of an SSH server on the way',
};

function whyAsked({ kind, lacks, isBox }: Ask): string | null {
  if (lacks === null) return kind === 'first_use' ? needs.first_use : null;
  return isBox && lacks === 'token_scope' ? 'its box may only read' : needs[lacks];
}

/**
 * Who asks, where, why, its tables, its length in characters and lines.
 * @param engine null while it isn't known.
 */
export function cardFacts(ask: Ask, engine: Engine | null, room: Room): string[] {
  const { client, token, isBox, connection, means, statement } = ask;
  const { columns, paint, isRoomy, mostLines } = room;
  const value = columns - labelColumns;
  const fact = (label: string, text: string, most = 1): string[] => labelled(label, fitLines(text, value, most), paint);
  const words = (label: string, text: string | null): string[] =>
    text === null ? [] : labelled(label, linesOfWords(text, value, mostLines === 1 ? 2 : mostLines), paint);
  const kind = engine === null ? '' : ` (${engine})`;
  const isRequest = !ask.waits;
  const started = isRequest ? (ask.program === null ? 'not known' : shownText(ask.program)) : null;
  // Never cut: in a narrow window it gets a short label.
  const lengthColumns = isRoomy && columns > 60 ? labelColumns : 'length '.length;
  return [
    // Only a claim, and the label says so.
    ...fact('calls itself', shownName(client), mostLines),
    ...(isRoomy ? words('started by', started) : []),
    ...fact(isBox ? 'box' : 'token', token === null ? 'none: through the stdio bridge' : shownName(token)),
    ...fact('connection', nameAndMarks(connection, kind, value * mostLines, value), mostLines),
    ...(statement === null && means !== null && ask.kind !== 'host_key' ? words('if approved', shownText(means)) : []),
    ...(isRoomy ? words(isRequest ? 'refused' : 'why', whyAsked(ask)) : []),
    ...(statement === null
      ? []
      : [
          ...(isRoomy ? words('why', shownText(statement.reason)) : []),
          ...fact('tables', shownTables(statement.tables), mostLines),
          ...labelled('length', [cutTo(textSizeWords(statement), columns - lengthColumns)], paint, lengthColumns),
        ]),
  ];
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
 * The name must be readable, so the marks after it are cut first. If not even the name fits, the
 * name is cut and some marks stay, because they tell production from a sandbox.
 */
function nameAndMarks({ name, colour, tags }: Ask['connection'], kind: string, room: number, line: number): string {
  const marks = [...(colour === null ? [] : [colour]), ...tags].map(mark => `, ${shownName(mark)}`).join('');
  const shown = shownName(name);
  const left = room - widthAtMost(shown);
  if (left >= 0) return left < 3 ? shown : `${shown}${cutTo(`${kind}${marks}`, left)}`;
  const behind = `${kind}${cutTo(marks, Math.floor(line / 3))}`;
  return `${cutTo(shown, room - widthAtMost(behind))}${behind}`;
}

/**
 * For a place that can't draw: everything, broken here, because the terminal's own breaks would
 * leave the bars out.
 */
export function cardLines(terminal: Terminal, ask: Ask, columns = widthOf(terminal.stdout) ?? 80): string[] {
  const paint: Paint = (style, text) => styled(terminal, style, text);
  const rows = cardRows(ask, columns, true).map(row => paintedRow(row, paint));
  return [
    ...cardFacts(ask, null, { columns, paint, isRoomy: true, mostLines: Number.POSITIVE_INFINITY }),
    ...(rows.length === 0 ? [] : ['', ...rows, '']),
  ];
}

/** The same under a headline, with the commands that answer. */
export function askLines(terminal: Terminal, ask: Ask): string[] {
  const { id, expiresAt } = ask;
  const columns = (widthOf(terminal.stdout) ?? Number.POSITIVE_INFINITY) - 3;
  const paint: Paint = (style, text) => styled(terminal, style, text);
  const head = linesOfWords(`${id}  A client asks to ${asksTo(ask)}.`, columns);
  const lines = [
    ...cardLines(terminal, ask, columns),
    ...labelled('until', [shownClock(expiresAt)], paint),
    ...labelled('allow', [`sallyport allow yes ${id}`], paint),
    ...labelled('refuse', [`sallyport allow no ${id}`], paint),
  ];
  return [...head, ...lines].map((line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${line}`.trimEnd());
}
