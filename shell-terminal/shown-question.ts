/**
 * A question to the user in words (spec §12), for the prompt and for plain lines: its facts, then
 * its statement. Others' text is escaped, behind a label or a bar. Decides nothing.
 */

import type { ApprovalView, ApprovalWithdrawn } from '../shared/control-commands.ts';
import type { Engine } from '../shared/engine.ts';
import { shownName, shownTables, shownText } from '../shared/shown-text.ts';
import { textSizeWords } from '../shared/text-size.ts';
import type { Paint } from './sheet/drawing-place.ts';
import { cutTo, fitLines, labelColumns, labelled, linesOfWords, widthAtMost } from './sheet/fit.ts';
import { paintedRow, statementRows } from './sheet/statement-rows.ts';
import { takesRows } from './sheet/takes-rows.ts';
import { styled, type Terminal, widthOf } from './terminal.ts';
import { shownClock } from './words.ts';

/** Escaped. */
export function asksFor({ kind, statement }: Pick<ApprovalView, 'kind' | 'statement'>): string {
  switch (kind) {
    case 'destructive_statement':
      return `run a ${shownName(statement?.class ?? 'destructive')} statement`;
    case 'stop_server_session':
      return 'end a server session';
    case 'first_use':
      return 'use this connection';
  }
}

/** Our own words come first: names may be cut, but not the words that introduce them. */
export function aboutQuestion({ kind, connection, client }: ApprovalView): string {
  const what = {
    destructive_statement: 'a destructive statement',
    stop_server_session: 'the end of a session',
    first_use: 'first use',
  }[kind];
  return `${what} on ${shownName(connection.name)}, for ${shownName(client)}`;
}

interface Room {
  readonly columns: number;
  readonly paint: Paint;
  /** True if there are lines to spare. */
  readonly isRoomy: boolean;
  /** How many lines a value by others may take. */
  readonly mostLines: number;
}

/**
 * Who asks, where, why, its tables, its length in characters and lines.
 * @param engine null while it isn't known.
 */
export function questionFacts(question: ApprovalView, engine: Engine | null, room: Room): string[] {
  const { client, token, isBox, connection, means, statement } = question;
  const { columns, paint, isRoomy, mostLines } = room;
  const value = columns - labelColumns;
  const fact = (label: string, text: string, most = 1): string[] => labelled(label, fitLines(text, value, most), paint);
  const policy = question.kind === 'first_use' ? "this connection's AI policy is `ask`" : null;
  const why = statement === null ? policy : shownText(statement.reason);
  const kind = engine === null ? '' : ` (${engine})`;
  // Never cut: in a narrow window it gets a short label.
  const lengthColumns = isRoomy && columns > 60 ? labelColumns : 'length '.length;
  return [
    // Only a claim, and the label says so.
    ...fact('calls itself', shownName(client), mostLines),
    ...fact(isBox ? 'box' : 'token', token === null ? 'none: through the stdio bridge' : shownName(token)),
    ...fact('connection', nameAndMarks(connection, kind, value * mostLines, value), mostLines),
    ...(statement === null ? labelled('if approved', linesOfWords(means, value, 2), paint) : []),
    ...(isRoomy && why !== null ? labelled('why', linesOfWords(why, value, 2), paint) : []),
    ...(statement === null
      ? []
      : [
          ...fact('tables', shownTables(statement.tables), mostLines),
          ...labelled('length', [cutTo(textSizeWords(statement), columns - lengthColumns)], paint, lengthColumns),
        ]),
  ];
}

/**
 * The name must be readable, so the marks after it are cut first. If not even the name fits, the
 * name is cut and some marks stay, because they tell production from a sandbox.
 */
function nameAndMarks(
  { name, colour, tags }: ApprovalView['connection'],
  kind: string,
  room: number,
  line: number,
): string {
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
export function questionLines(terminal: Terminal, question: ApprovalView): string[] {
  const { id, statement, expiresAt } = question;
  const columns = (widthOf(terminal.stdout) ?? Number.POSITIVE_INFINITY) - 3;
  const paint: Paint = (style, text) => styled(terminal, style, text);
  const shown =
    statement === null ? [] : [...takesRows(statement, columns, true), ...statementRows(statement.text, columns)];
  const rows = shown.map(row => paintedRow(row, paint));
  const head = linesOfWords(`${id}  A client asks to ${asksFor(question)}.`, columns);
  const lines = [
    ...questionFacts(question, null, { columns, paint, isRoomy: true, mostLines: Number.POSITIVE_INFINITY }),
    ...labelled('until', [shownClock(expiresAt)], paint),
    ...(statement === null ? [] : ['', ...rows, '']),
    ...labelled('allow', [`sallyport approvals yes ${id}`], paint),
    ...labelled('refuse', [`sallyport approvals no ${id}`], paint),
  ];
  return [...head, ...lines].map((line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${line}`.trimEnd());
}

const endings: Readonly<Record<ApprovalWithdrawn['because'], string>> = {
  yes: 'was approved.',
  no: 'was denied.',
  timeout: 'ran out of time; nobody answered.',
  cancelled: 'was withdrawn: the client no longer waits.',
};

export function withdrawnLine({ id, because }: ApprovalWithdrawn): string {
  return `- ${shownName(id)}  ${endings[because]}`;
}
