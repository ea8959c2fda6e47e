/**
 * A prompt as the lines of a window (spec §10, §12): a head, a body that scrolls, its answers; and
 * the effect of each key on it. Knows why an answer is unavailable; draws nothing.
 */

import type { Paint } from './drawing-place.ts';
import { cutTo, linesOfWords } from './fit.ts';
import type { Key } from './keys.ts';
import type { WindowSize } from './own-screen.ts';

export interface Button {
  readonly label: string;
  readonly kind: 'yes' | 'no' | 'run' | '30m' | 'open' | 'later';
  /** False for one that gives nothing, so that it is always there. */
  readonly gives: boolean;
}

export const approveOrDeny: Pick<Content, 'buttons' | 'usual'> = {
  buttons: [
    { label: 'Approve', kind: 'yes', gives: true },
    { label: 'Deny', kind: 'no', gives: false },
  ],
  usual: 1,
};

export interface Content {
  /** Another id is another question, which starts anew. */
  readonly id: string;
  /** ISO 8601; null while nothing is asked, so nothing can be answered. */
  readonly expiresAt: string | null;
  /** Its answers, from left to right. */
  readonly buttons: readonly Button[];
  /** Which of them Esc gives, and has the focus if there are no rows to choose from. */
  readonly usual: number;
  /**
   * How many of its rows take the focus, above the buttons. If 0, keys scroll, and the body must be
   * read to its end.
   */
  readonly choiceRows: number;
  /** Why nothing can be given now; null if it can. */
  readonly problem: string | null;
  /** The latest event; escaped. */
  readonly news: string | null;
  /** The lines to show; each narrower than `columns`. */
  drawn(focus: number, columns: number, isRoomy: boolean): Drawn;
  /** Handles a key on one of its rows. */
  change(row: number, key: ChangeKey): void;
}

export type ChangeKey = 'left' | 'right' | 'space';

interface Drawn {
  readonly head: readonly string[];
  /** Painted only when drawn, because it may be long. */
  readonly body: readonly string[];
  readonly paintRow: (row: string) => string;
  /** The row of the body that stays in sight; null if keys scroll. */
  readonly follows: number | null;
  /** About its keys, except those that scroll and deny. */
  readonly help: string;
}

/** Where the keys have moved to within one question. */
interface At {
  readonly id: string;
  /** A row of the content; after those come the buttons. */
  readonly focus: number;
  /** The first visible row of the body. */
  readonly first: number;
}

/** What gives never has the focus at first: an Enter typed for another program must do nothing. */
export function initialFocus({ id, choiceRows, usual }: Content): At {
  return { id, focus: choiceRows === 0 ? usual : 0, first: 0 };
}

export interface Screen {
  readonly content: Content;
  readonly at: At;
  readonly lines: readonly string[];
  /** The visible rows of the body; null if the window is too small. */
  readonly page: { readonly first: number; readonly shown: number; readonly total: number } | null;
  readonly isEndSeen: boolean;
  /** Why what gives is dimmed; null if it can be pressed. */
  readonly problem: string | null;
}

/** In a smaller window some decisive lines would be hidden, so nothing can be approved. */
const smallest: WindowSize = { columns: 40, rows: 10 };
const roomyRows = 24;
const tooSmall = 'This window is too small to show what is asked; make it larger. Esc gives nothing.';

/** @param wasEndSeen earlier in this window; what is visible now counts too. */
export function promptScreen(
  content: Content,
  at: At,
  wasEndSeen: boolean,
  nowMilliseconds: number,
  size: WindowSize,
  paint: Paint,
): Screen {
  // Some terminals break the line in the last column.
  const columns = Math.max(size.columns - 1, 3);
  const asks = content.expiresAt !== null;
  if (asks && (size.columns < smallest.columns || size.rows < smallest.rows)) {
    const lines = linesOfWords(tooSmall, columns, size.rows);
    return { content, at, lines, page: null, isEndSeen: wasEndSeen, problem: tooSmall };
  }
  const isRoomy = size.rows >= roomyRows;
  const { head, body, paintRow, follows, help } = content.drawn(at.focus, columns, isRoomy);
  // News come only together with a question.
  const footRows = !asks || !isRoomy ? 2 : content.choiceRows > 0 ? 4 : 6;
  const shown = Math.min(Math.max(size.rows - head.length - footRows, 0), body.length);
  const wanted = follows === null ? at.first : follows - Math.floor(shown / 2);
  const first = Math.min(Math.max(wanted, 0), body.length - shown);
  const page = { first, shown, total: body.length };
  const isEndSeen = wasEndSeen || (first + shown === body.length && (shown > 0 || body.length === 0));
  const top = [...head, ...body.slice(first, first + shown).map(paintRow)];
  if (content.expiresAt === null) {
    // The purpose comes first if a window is too small for everything.
    const lines = [...top, '', paint('dim', cutTo(help, columns))].slice(0, size.rows);
    return { content, at, lines, page, isEndSeen, problem: null };
  }

  const secondsLeft = secondsUntil(content.expiresAt, nowMilliseconds);
  const isUnread = content.choiceRows === 0 && !isEndSeen && nameOf(content) !== '';
  const problem =
    secondsLeft === 0
      ? 'Its time has passed. Esc ends.'
      : (content.problem ?? (isUnread ? `Scroll to the end to enable ${nameOf(content)}.` : null));
  const answers = answerLine(content, at.focus - content.choiceRows, problem !== null, secondsLeft, columns, paint);
  const escapes = `, esc ${content.buttons[content.usual]?.kind === 'later' ? 'leaves it' : 'denies'}`;
  const isCut = shown < body.length;
  const lines = isRoomy ? roomyFoot() : narrowFoot();
  return { content, at, lines: [...top, ...lines], page, isEndSeen, problem };

  function roomyFoot(): string[] {
    const scrollKeys = isCut && follows === null ? ', up/down page home/end scroll' : '';
    const place = isCut ? `Rows ${first + 1} to ${first + shown} of ${body.length}.` : '';
    const why = `${place} ${problem ?? ''}`.trim();
    return [
      ...['', answers, ...(why === '' ? [] : [paint('yellow', cutTo(why, columns))])],
      ...(content.news === null ? [] : linesOfWords(content.news, columns, 2)),
      paint('dim', cutTo(`${help}${scrollKeys}${escapes}`, columns)),
    ];
  }

  /** Its one line shows what matters most. */
  function narrowFoot(): string[] {
    const place = isCut && secondsLeft > 0 ? `${first + shown}/${body.length} ` : '';
    const why = isUnread && secondsLeft > 0 ? `end key first, then ${nameOf(content).toLowerCase()}` : problem;
    const text = cutTo(`${place}${why ?? `${help}${escapes}`}`, columns);
    const told = paint(why === null ? 'dim' : 'yellow', text);
    return [answers, content.news === null ? told : cutTo(content.news, columns)];
  }
}

/** The remaining time in whole seconds of the wall clock, like the daemon's own end. */
function secondsUntil(instant: string, nowMilliseconds: number): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - nowMilliseconds) / 1000));
}

function nameOf({ buttons }: Content): string {
  return buttons.find(({ gives }) => gives)?.label ?? '';
}

/** Dimmed also shows without colour: no brackets. Where not all fit, the chosen one is shown. */
function answerLine(
  { buttons }: Content,
  focus: number,
  isDimmed: boolean,
  secondsLeft: number,
  columns: number,
  paint: Paint,
): string {
  const clock = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`;
  const left = secondsLeft > 0 ? `${clock} left` : 'time is up';
  const shown = (at: number): string => {
    const { label = '', gives = false } = buttons[at] ?? {};
    if (isDimmed && gives) return paint('dim', `  ${label}  `);
    return gives ? paint('green', `[ ${label} ]`) : `[ ${label} ]`;
  };
  const width = buttons.reduce((sum, { label }) => sum + label.length + ' > [  ]'.length, 2) + left.length;
  if (width > columns) return `< ${shown(focus)} >   ${left}`;
  const all = buttons.map((_, at) => `${focus === at ? '>' : ' '} ${shown(at)}`);
  return `${all.join(' ')}   ${left}`;
}

/** Where a key moves to. If the content has rows, Tab goes down them; without rows, keys scroll. */
export function afterKey({ content, at, page }: Screen, key: Exclude<Key, 'enter' | 'escape'>): At {
  if (page === null || content.expiresAt === null) return at;
  const { choiceRows, buttons } = content;
  const steps = choiceRows > 0 ? focusSteps : scrollSteps(page.shown);
  const step = steps[key];
  const within = (value: number, last: number): number => Math.min(Math.max(value, 0), last);
  if (step === undefined) {
    if (at.focus >= choiceRows) {
      const by = key === 'left' || key === 'previous' ? buttons.length - 1 : 1;
      return { ...at, focus: choiceRows + ((at.focus - choiceRows + by) % buttons.length) };
    }
    if (key === 'left' || key === 'right' || key === 'space') content.change(at.focus, key);
    return at;
  }
  if (choiceRows > 0) return { ...at, focus: within(at.focus + step, choiceRows + buttons.length - 1) };
  return { ...at, first: within(page.first + step, Math.max(page.total - page.shown, 0)) };
}

type Steps = Partial<Record<Key, number>>;
const far = Number.MAX_SAFE_INTEGER;
const ends: Steps = { up: -1, down: 1, home: -far, end: far };
const focusSteps: Steps = { ...ends, previous: -1, next: 1, 'page up': -10, 'page down': 10 };

/** One row of the page stays, for orientation. */
function scrollSteps(shown: number): Steps {
  const page = Math.max(shown - 1, 1);
  return { ...ends, 'page up': -page, 'page down': page, space: page };
}
