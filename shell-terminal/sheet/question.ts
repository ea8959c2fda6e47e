/**
 * Content of the window that stays open for questions (spec §12): one question; or that it waits,
 * and how the last one ended.
 */

import type { ApprovalView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { asksFor, questionFacts } from '../shown-question.ts';
import { shownClock } from '../words.ts';
import type { Paint } from './drawing-place.ts';
import { cutTo, labelColumns, labelled, linesOfWords, splitAtColumns } from './fit.ts';
import type { Content } from './prompt-lines.ts';
import { paintedRow, statementRows } from './statement-rows.ts';
import { takesRows } from './takes-rows.ts';
import type { Watching } from './watched.ts';

const newsSeconds = 8;

/** @param home the folder it watches. */
export function watchedContent(watched: Watching, home: string, nowMilliseconds: number, paint: Paint): Content {
  const [question] = watched.questions.values();
  return question === undefined
    ? waitingContent(watched, home, paint)
    : questionContent(question, watched, nowMilliseconds, paint);
}

const nothingToChange = { choiceRows: 0, problem: null, change: () => {} } as const;

function questionContent(question: ApprovalView, watched: Watching, nowMilliseconds: number, paint: Paint): Content {
  const { id, expiresAt, statement } = question;
  const [latest] = watched.news;
  const isNews = latest !== undefined && nowMilliseconds - latest.atMilliseconds < newsSeconds * 1000;
  return {
    id,
    expiresAt,
    ...nothingToChange,
    news: isNews ? latest.sentence : null,
    drawn: (_focus, columns, isRoomy) => ({
      head: [
        title(question, watched.questions.size - 1, columns, paint),
        ...questionFacts(question, watched.engines.get(question.connection.id) ?? null, {
          columns,
          paint,
          isRoomy,
          mostLines: isRoomy ? 2 : 1,
        }),
        ...(isRoomy && statement !== null ? [''] : []),
      ],
      body: rowsOf(question, columns, isRoomy),
      paintRow: row => paintedRow(row, paint),
      follows: null,
      help: columns < 60 ? 'left/right, enter' : 'left/right choose, enter press',
    }),
  };
}

interface LaidOut {
  readonly question: ApprovalView;
  readonly columns: number;
  readonly isRoomy: boolean;
  readonly rows: string[];
}

/** 100 KB are laid out once, not at each tick. */
let laidOut: LaidOut | null = null;

function rowsOf(question: ApprovalView, columns: number, isRoomy: boolean): string[] {
  if (laidOut?.question !== question || laidOut.columns !== columns || laidOut.isRoomy !== isRoomy) {
    const { statement } = question;
    const rows =
      statement === null ? [] : [...takesRows(statement, columns, isRoomy), ...statementRows(statement.text, columns)];
    laidOut = { question, columns, isRoomy, rows };
  }
  return laidOut.rows;
}

/** Names the statement's class; a short line says it in fewer words. */
function title(question: ApprovalView, waiting: number, columns: number, paint: Paint): string {
  const more = waiting === 0 ? '' : `  ${waiting === 1 ? '1 more waits' : `${waiting} more wait`}`;
  const room = columns - more.length;
  const sentence = `A client asks to ${asksFor(question)}.`;
  const short = asksFor(question).replace(/^run a /, '');
  const shown = sentence.length <= room ? sentence : `${short.slice(0, 1).toUpperCase()}${short.slice(1)}?`;
  return `${paint('bold', cutTo(shown, room))}${paint('yellow', more)}`;
}

/** What it watches; that it waits, or why it can't; how the last questions ended. */
function waitingContent({ link, news }: Watching, home: string, paint: Paint): Content {
  const drawn: Content['drawn'] = (_focus, columns) => {
    const value = (text: string): string[] => splitAtColumns(shownText(text), Math.max(columns - labelColumns, 1));
    const words = (style: 'bold' | 'yellow', text: string): string[] =>
      linesOfWords(text, columns).map(line => paint(style, line));
    const state =
      link.kind === 'attached'
        ? [
            ...words('bold', 'Nothing waits. Questions are asked here as they come.'),
            ...labelled('watches', value(link.server), paint),
          ]
        : [
            ...words('bold', `Nothing can be asked since ${clockOf(link.atMilliseconds)}.`),
            ...words('yellow', shownText(link.problem)),
            ...linesOfWords('This window goes on by itself once it runs again.', columns),
          ];
    return {
      head: [...state, ...labelled('home', value(home), paint), ...(news.length > 0 ? [''] : [])],
      body: news.map(({ atMilliseconds, sentence }) => cutTo(`${clockOf(atMilliseconds)}  ${sentence}`, columns)),
      paintRow: row => row,
      follows: 0,
      help: 'Ctrl-C leaves.',
    };
  };
  return { id: '', expiresAt: null, news: null, ...nothingToChange, drawn };
}

function clockOf(milliseconds: number): string {
  return shownClock(new Date(milliseconds).toISOString());
}
