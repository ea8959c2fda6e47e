/** Draws the window that is left open for questions and takes its keys (spec §12), until one is answered. Answers nothing itself. */

import { createPrompt, ExitPromptError, useEffect, useMemo, useRef, useState } from '@inquirer/core';
import type { ApprovalDecision } from '../../shared/control-commands.ts';
import { secondsUntil, useTicking } from './countdown.ts';
import { deafMilliseconds, type Key, useKeys } from './keys.ts';
import { clearScreen, drawnLines, useWindowSize } from './own-screen.ts';
import type { Place } from './place.ts';
import { type QuestionState, questionScreen, statementColumns } from './question-lines.ts';
import { type StatementRow, scrolled, statementRows } from './statement-view.ts';
import { waitingLines } from './waiting-lines.ts';
import type { Watched, WatchedQuestion } from './watched.ts';

export interface WatchWindow {
  readonly place: Place;
  readonly home: string;
  readonly watched: () => Watched;
  /** Called at each change, until the returned function is. */
  readonly onChange: (changed: () => void) => () => void;
  /** Ids of statements whose end was shown: each is kept over what interrupts the window. */
  readonly seen: Set<string>;
}

export type WatchAnswer = { readonly kind: 'answer'; readonly decision: ApprovalDecision } | { readonly kind: 'leave' };

const newsSeconds = 8;

/** On a screen of its own (own-screen.ts), which is cleared first. */
export async function drawWatch(window: WatchWindow): Promise<WatchAnswer> {
  const { input, output } = window.place;
  clearScreen(output);
  const shown: Shown = { id: null };
  try {
    return await watchPrompt({ window, shown }, { input, output, clearPromptOnDone: true });
  } catch (error) {
    if (error instanceof ExitPromptError) return deniedOrLeft(shown);
    throw error;
  }
}

/** Where the keys have led to, within one question. */
interface At {
  readonly id: string | null;
  readonly deafUntil: number;
  readonly focus: QuestionState['focus'];
  readonly first: number;
}

const beginning: At = { id: null, deafUntil: 0, focus: 'deny', first: 0 };

/** The question on the screen: what Ctrl-C denies. */
interface Shown {
  id: string | null;
}

interface WatchConfig {
  readonly window: WatchWindow;
  readonly shown: Shown;
}

const watchPrompt = createPrompt<WatchAnswer, WatchConfig>(({ window, shown }, done) => {
  const { place, home, seen } = window;
  const { output, paint } = place;
  const size = useWindowSize(output);
  const [watched, setWatched] = useState<Watched>(window.watched());
  const at = useRef<At>(beginning);
  const [, drawAnew] = useState<object>(beginning);

  const [entry] = watched.questions;
  const id = entry?.question.id ?? null;
  if (id !== at.current.id) at.current = { ...beginning, id, deafUntil: performance.now() + deafMilliseconds };
  shown.id = id;
  const columns = statementColumns(size);
  const rows = useMemo(() => rowsOf(entry, columns), [id, columns]);
  const secondsLeft = (): number => (entry === undefined ? 0 : secondsUntil(entry.question.expiresAt, Date.now()));
  const ticking = useTicking(secondsLeft);

  useEffect(() => window.onChange(() => setWatched(window.watched())), []);
  useEffect(() => {
    if (id !== null) output.write('\u0007');
  }, [id]);

  const [latest] = watched.news;
  const isNews = latest !== undefined && Date.now() - latest.atMilliseconds < newsSeconds * 1000;
  const screen =
    entry === undefined
      ? null
      : questionScreen(
          entry,
          {
            ...{ focus: at.current.focus, first: at.current.first, rows, secondsLeft: ticking },
            wasEndSeen: seen.has(entry.question.id),
            waiting: watched.questions.length - 1,
            news: isNews ? latest.sentence : null,
          },
          size,
          paint,
        );
  if (id !== null && screen?.wasEndSeen === true) seen.add(id);
  const canApprove = (): boolean => screen?.wasEndSeen === true && secondsLeft() > 0;

  const answer = (given: ApprovalDecision['answer']): void => {
    if (id !== null) done({ kind: 'answer', decision: { id, answer: given } });
  };
  const take = (key: Key): void => {
    const { focus } = at.current;
    if (key === 'escape') answer('no');
    if (key === 'escape' || screen === null || screen.scroll === null) return;
    const first = scrolled(screen.scroll, key);
    if (key === 'enter') {
      if (performance.now() < at.current.deafUntil) return;
      if (focus === 'deny') answer('no');
      else if (focus === 'approve' && canApprove()) answer('yes');
    } else {
      if (first !== null) at.current = { ...at.current, first };
      else at.current = { ...at.current, focus: focusAfter(focus, canApprove()) };
      drawAnew({});
    }
  };
  useKeys(output, take, () => done(deniedOrLeft(shown)));

  const lines = screen?.lines ?? waitingLines(watched, home, size, paint);
  return drawnLines(lines);
});

function rowsOf(entry: WatchedQuestion | undefined, columns: number): StatementRow[] {
  const statement = entry?.question.statement ?? null;
  return statement === null ? [] : statementRows(statement.text, columns);
}

function focusAfter(focus: QuestionState['focus'], canApprove: boolean): QuestionState['focus'] {
  if (focus !== 'approve' && canApprove) return 'approve';
  return focus === 'deny' ? 'neither' : 'deny';
}

function deniedOrLeft({ id }: Shown): WatchAnswer {
  return id === null ? { kind: 'leave' } : { kind: 'answer', decision: { id, answer: 'no' } };
}
