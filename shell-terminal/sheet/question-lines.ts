/**
 * One question as the lines of a window (spec §12), as many as it has rows: what stands above its statement, as much of the
 * statement as fits, the two answers. Knows why Approve can't be pressed; draws nothing.
 */

import { buttonLine } from './buttons.ts';
import { cutTo, linesOfWords } from './fit.ts';
import type { WindowSize } from './own-screen.ts';
import type { Paint } from './place.ts';
import { questionHead } from './question-head.ts';
import { isEndSeen, type Scroll, type StatementRow, scrollAt } from './statement-view.ts';
import type { WatchedQuestion } from './watched.ts';

export interface QuestionState {
  /** Neither where Approve was reached for in vain: an Enter meant for it must not deny. */
  readonly focus: 'approve' | 'deny' | 'neither';
  readonly secondsLeft: number;
  /** Before, in this window; what is shown now counts as well. */
  readonly wasEndSeen: boolean;
  /** The row of the statement that is shown first. */
  readonly first: number;
  /** Of the statement, for this width; none where there is none. */
  readonly rows: readonly StatementRow[];
  /** Questions besides this one. */
  readonly waiting: number;
  /** What has just come to pass; escaped. */
  readonly news: string | null;
}

interface QuestionScreen {
  readonly lines: readonly string[];
  /** Null where the window is too small to show it. */
  readonly scroll: Scroll | null;
  /** What is on the screen lets it be approved, but for the time. */
  readonly wasEndSeen: boolean;
}

/** Smaller, and what decides would not all be seen: then nothing can be approved. */
const smallest: WindowSize = { columns: 40, rows: 10 };
const roomyRows = 20;
const narrowKeys = 'left/right, enter, esc denies';

/** Of the window's last column nothing is used: some terminals break the line there. */
export function statementColumns({ columns }: WindowSize): number {
  return Math.max(columns, smallest.columns) - 1;
}

/** At most `rows` lines, each shorter than `columns`. */
export function questionScreen(
  watched: WatchedQuestion,
  state: QuestionState,
  size: WindowSize,
  paint: Paint,
): QuestionScreen {
  const columns = size.columns - 1;
  if (size.columns < smallest.columns || size.rows < smallest.rows) {
    const sentence = 'A question waits. This window is too small for it; make it larger, or press Esc to deny.';
    const lines = linesOfWords(sentence, Math.max(columns, 3), size.rows);
    return { lines, scroll: null, wasEndSeen: false };
  }
  const isRoomy = size.rows >= roomyRows;
  const head = questionHead(watched, state.waiting, isRoomy, columns, paint);
  const footLines = isRoomy ? 6 : 2;
  const scroll = scrollAt(state.first, size.rows - head.length - footLines, state.rows.length);
  const wasEndSeen = state.wasEndSeen || isEndSeen(scroll);
  const statement = state.rows
    .slice(scroll.first, scroll.first + scroll.shown)
    .map(({ bar, text }) => `${paint('red', bar)} ${text}`.trimEnd());
  const foot = (isRoomy ? roomyFoot : narrowFoot)({ ...state, wasEndSeen }, scroll, columns, paint);
  return { lines: [...head, ...statement, ...foot], scroll, wasEndSeen };
}

/** Why Approve is dimmed; null while it can be pressed. */
function approveProblem({ secondsLeft, wasEndSeen }: QuestionState): string | null {
  if (secondsLeft <= 0) return 'The five minutes have passed.';
  return wasEndSeen ? null : 'Approve comes once its end was shown.';
}

function roomyFoot(state: QuestionState, scroll: Scroll, columns: number, paint: Paint): string[] {
  const { first, shown, total } = scroll;
  const place = shown < total ? `Rows ${first + 1} to ${first + shown} of ${total}.` : '';
  const why = `${place} ${approveProblem(state) ?? ''}`.trim();
  const scrollKeys = shown < total ? ', up/down page home/end scroll' : '';
  const keys = columns < 60 ? narrowKeys : `left/right choose, enter press${scrollKeys}, esc denies`;
  return [
    '',
    answerLine(state, paint),
    ...(why === '' && state.rows.length === shown ? [] : [paint('yellow', cutTo(why, columns))]),
    ...linesOfWords(state.news ?? '', columns, 2),
    paint('dim', cutTo(keys, columns)),
  ];
}

/** Its one line is for what matters most. */
function narrowFoot(state: QuestionState, { first, shown, total }: Scroll, columns: number, paint: Paint): string[] {
  const problem = approveProblem(state);
  const place = shown < total ? `${first + shown}/${total} ` : '';
  const help =
    problem === null
      ? paint('dim', cutTo(`${place}${narrowKeys}`, columns))
      : paint('yellow', cutTo(state.secondsLeft > 0 ? `${place}end key first, then approve` : problem, columns));
  return [answerLine(state, paint), state.news === null ? help : cutTo(state.news, columns)];
}

function answerLine(state: QuestionState, paint: Paint): string {
  const isDimmed = approveProblem(state) !== null;
  const focus = state.focus === 'deny' ? 'deny' : state.focus === 'approve' && !isDimmed ? 'approve' : null;
  return buttonLine({ focus, isDimmed, secondsLeft: state.secondsLeft }, paint);
}
