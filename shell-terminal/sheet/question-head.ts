/** What stands above a question's statement (spec §12): who asks, where, what class it is, its tables, length and line count. Escaped. */

import type { ApprovalView } from '../../shared/control-commands.ts';
import { shownName } from '../../shared/shown-text.ts';
import { textSizeWords } from '../../shared/text-size.ts';
import { asksFor, tablesOf, whyAsked } from '../shown-question.ts';
import { brokenInto, cutTo, labelColumns, labelled, linesOfWords } from './fit.ts';
import type { Paint } from './place.ts';
import type { WatchedQuestion } from './watched.ts';

/** @param isRoomy whether there are lines to spare. @param waiting questions besides this one. */
export function questionHead(
  watched: WatchedQuestion,
  waiting: number,
  isRoomy: boolean,
  columns: number,
  paint: Paint,
): string[] {
  const { question, engine } = watched;
  const { client, token, connection, statement } = question;
  const room = columns - labelColumns;
  const fact = (label: string, value: string, most = 1): string[] =>
    labelled(label, brokenInto(value, room, isRoomy ? most : 1), paint);
  const kind = engine === null ? '' : ` (${engine})`;
  const why = isRoomy ? whyAsked(question) : null;
  return [
    title(watched, waiting, columns, paint),
    // A claim, and the label says so.
    ...fact('calls itself', shownName(client), 2),
    ...fact('token', token === null ? 'none: through the stdio bridge' : shownName(token)),
    ...fact('connection', `${cutTo(shownName(connection.name), room - kind.length)}${kind}`),
    ...(why === null ? [] : labelled('why', linesOfWords(why, room, 2), paint)),
    ...(statement === null ? [] : fact('tables', tablesOf(statement.tables), 2)),
    ...lengthLines(question, isRoomy, columns, paint),
    ...(isRoomy && statement !== null ? [''] : []),
  ];
}

/** Never cut: in a narrow window beside a narrow label. */
function lengthLines({ statement }: ApprovalView, isRoomy: boolean, columns: number, paint: Paint): string[] {
  if (statement === null) return [];
  const besides = isRoomy && columns > 60 ? labelColumns : 'length '.length;
  return labelled('length', [cutTo(textSizeWords(statement), columns - besides)], paint, besides);
}

/** The class stands here; where a line is too short for the sentence, in fewer words. */
function title({ question }: WatchedQuestion, waiting: number, columns: number, paint: Paint): string {
  const sentence = `A client asks to ${asksFor(question)}.`;
  const more = waiting === 0 ? '' : waiting === 1 ? '1 more waits' : `${waiting} more wait`;
  const room = columns - (more === '' ? 0 : more.length + 2);
  if (sentence.length <= room) return [paint('bold', sentence), paint('yellow', more)].join(more === '' ? '' : '  ');
  const short = {
    destructive_statement: `${shownName(question.statement?.class ?? 'destructive')} statement?`,
    stop_server_session: 'end a session?',
    first_use: 'use this connection?',
  }[question.kind];
  const capital = `${short.slice(0, 1).toUpperCase()}${short.slice(1)}`;
  return [paint('bold', cutTo(capital, room)), paint('yellow', more)].join(more === '' ? '' : '  ');
}
