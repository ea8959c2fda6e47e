/**
 * Content of the window that stays open (spec §12): one question or request; or that nothing waits,
 * and how the last one ended.
 */

import { shownText } from '../../shared/shown-text.ts';
import type { Paint } from '../sheet/drawing-place.ts';
import { cutTo, labelColumns, labelled, linesOfWords, splitAtColumns } from '../sheet/fit.ts';
import { approveOrDeny, type Button, type Content } from '../sheet/prompt-lines.ts';
import { paintedRow } from '../sheet/statement-rows.ts';
import { shownClock } from '../words.ts';
import { answersTo } from './answers.ts';
import { type Ask, titleOf } from './asks.ts';
import { cardFacts, cardRows } from './card.ts';
import type { Watching } from './watched.ts';

const newsSeconds = 8;

/** @param home the folder it watches. */
export function watchedContent(watched: Watching, home: string, nowMilliseconds: number, paint: Paint): Content {
  const [ask] = watched.inTurn();
  return ask === undefined ? waitingContent(watched, home, paint) : askContent(ask, watched, nowMilliseconds, paint);
}

const nothingToChange = { choiceRows: 0, problem: null, change: () => {} } as const;

function askContent(ask: Ask, watched: Watching, nowMilliseconds: number, paint: Paint): Content {
  const { expiresAt } = ask;
  const [latest] = watched.news;
  const isNews = latest !== undefined && nowMilliseconds - latest.atMilliseconds < newsSeconds * 1000;
  return {
    id: screenOf(ask),
    expiresAt,
    ...buttonsOf(ask),
    ...nothingToChange,
    news: isNews ? latest.sentence : null,
    drawn: (_focus, columns, isRoomy) => ({
      head: [
        title(ask, watched.inTurn().length - 1, columns, paint),
        ...cardFacts(ask, { columns, paint, isRoomy, mostLines: isRoomy ? 2 : 1 }),
        ...(isRoomy && rowsOf(ask, columns, isRoomy).length > 0 ? [''] : []),
      ],
      body: rowsOf(ask, columns, isRoomy),
      paintRow: row => paintedRow(row, paint),
      follows: null,
      help: columns < 60 ? 'left/right, enter' : 'left/right choose, enter press',
    }),
  };
}

/** Counted, or counted anew, a request is another screen: its end must be seen again. */
function screenOf(ask: Ask): string {
  if (ask.waits) return ask.id;
  return `${ask.id} ${isOpened(ask) ? JSON.stringify(ask.statement?.takes ?? null) : 'unopened'}`;
}

/** A question was counted before it was asked; nobody counts a request before it is opened. */
function isOpened(ask: Ask): boolean {
  return ask.waits || ask.statement === null || ask.statement.takes !== undefined;
}

const labels = { yes: 'Once', run: 'Run it', '30m': '30 min', no: 'Refuse' } as const;

/** `sallyport allow` without --follow has the longer levels. */
function buttonsOf(ask: Ask): Pick<Content, 'buttons' | 'usual'> {
  if (ask.waits) return approveOrDeny;
  const answers = isOpened(ask) ? answersTo([ask]).map(([answer]) => answer) : (['open', 'no'] as const);
  const gives = answers.flatMap((kind): Button[] => {
    if (kind === 'open') return [{ label: 'Count', kind, gives: false }];
    if (kind === 'yes' && ask.statement === null) return [{ label: 'Allow', kind, gives: true }];
    return kind === 'yes' || kind === 'run' || kind === '30m' ? [{ label: labels[kind], kind, gives: true }] : [];
  });
  return {
    buttons: [
      ...gives,
      { label: 'Later', kind: 'later', gives: false },
      { label: labels.no, kind: 'no', gives: false },
    ],
    usual: gives.length,
  };
}

interface LaidOut {
  readonly ask: Ask;
  readonly columns: number;
  readonly isRoomy: boolean;
  readonly rows: string[];
}

/** 100 KB are laid out once, not at each tick. */
let laidOut: LaidOut | null = null;

function rowsOf(ask: Ask, columns: number, isRoomy: boolean): string[] {
  if (laidOut?.ask !== ask || laidOut.columns !== columns || laidOut.isRoomy !== isRoomy)
    laidOut = { ask, columns, isRoomy, rows: cardRows(ask, columns, isRoomy) };
  return laidOut.rows;
}

function title(ask: Ask, waiting: number, columns: number, paint: Paint): string {
  const more = waiting === 0 ? '' : `  ${waiting === 1 ? '1 more waits' : `${waiting} more wait`}`;
  return `${paint('bold', cutTo(titleOf(ask), columns - more.length))}${paint('yellow', more)}`;
}

/** What it watches; that it waits, or why it can't; how the last questions ended. */
function waitingContent(watched: Watching, home: string, paint: Paint): Content {
  const { link, news } = watched;
  const aside = watched.aside();
  const drawn: Content['drawn'] = (_focus, columns) => {
    const value = (text: string): string[] => splitAtColumns(shownText(text), Math.max(columns - labelColumns, 1));
    const words = (style: 'bold' | 'yellow', text: string): string[] =>
      linesOfWords(text, columns).map(line => paint(style, line));
    const state =
      link.kind === 'attached'
        ? [
            ...words('bold', `Nothing ${aside === 0 ? '' : 'more '}waits. Questions are asked here as they come.`),
            ...(aside === 0
              ? []
              : words(
                  'yellow',
                  `You left ${aside} for later; \`sallyport allow\` shows ${aside === 1 ? 'it' : 'them'}.`,
                )),
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
  return { id: '', expiresAt: null, news: null, buttons: [], usual: 0, ...nothingToChange, drawn };
}

function clockOf(milliseconds: number): string {
  return shownClock(new Date(milliseconds).toISOString());
}
