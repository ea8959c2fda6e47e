/** Draws a prompt in a terminal and takes the keys (spec §10, §12, §16), until it is answered. Decides nothing by itself. */

import { AbortPromptError, createPrompt, ExitPromptError, useEffect, useRef, useState } from '@inquirer/core';
import { type Key, useKeys } from './keys.ts';
import { clearScreen, drawnLines, useWindowSize } from './own-screen.ts';
import type { Place } from './place.ts';
import { beginning, type Content, pressed, promptScreen, type Screen } from './prompt-lines.ts';

interface Prompt {
  readonly place: Place;
  /** What is asked at this moment; it may change while it is drawn. */
  readonly content: () => Content;
  /** Ids of what was shown to its end: each is kept over what interrupts the prompt. */
  readonly seen: Set<string>;
  /** Aborted when there is nobody any more to take the answer. */
  readonly gone?: AbortSignal;
}

/** `leave` where nothing was asked; `gone` where nobody takes the answer. */
interface PromptAnswer {
  readonly kind: 'approve' | 'deny' | 'leave' | 'gone';
  readonly id: string;
}

/** A key meant for what stood here before must not answer, nor one typed while Approve was dimmed. */
const deafMilliseconds = 700;
const tickMilliseconds = 250;

/** On a screen of its own (own-screen.ts), which is cleared first. */
export async function ask(prompt: Prompt): Promise<PromptAnswer> {
  const { input, output } = prompt.place;
  clearScreen(output);
  const drawn: Drawn = { screen: null };
  const signal = prompt.gone === undefined ? {} : { signal: prompt.gone };
  try {
    return await drawnPrompt({ prompt, drawn }, { input, output, clearPromptOnDone: true, ...signal });
  } catch (error) {
    // Ctrl-C.
    if (error instanceof ExitPromptError) return closed(drawn);
    if (error instanceof AbortPromptError) return { kind: 'gone', id: '' };
    throw error;
  }
}

/** What stands on the screen: keys go by it, whatever is asked by then. */
interface Drawn {
  screen: Screen | null;
}

function closed({ screen }: Drawn): PromptAnswer {
  const asks = screen !== null && screen.content.expiresAt !== null;
  return { kind: asks ? 'deny' : 'leave', id: screen?.content.id ?? '' };
}

interface Config {
  readonly prompt: Prompt;
  readonly drawn: Drawn;
}

const drawnPrompt = createPrompt<PromptAnswer, Config>(({ prompt, drawn }, done) => {
  const { place, content: contentNow, seen } = prompt;
  const size = useWindowSize(place.output);
  const [, redraw] = useState('');
  const deaf = useRef({ until: 0, after: '' });

  const look = (): Screen => {
    const content = contentNow();
    const at = drawn.screen?.at.id === content.id ? drawn.screen.at : beginning(content);
    return promptScreen(content, at, seen.has(content.id), Date.now(), size, place.paint);
  };
  const screen = look();
  drawn.screen = screen;
  const { id } = screen.content;
  if (screen.isEndSeen) seen.add(id);
  const after = `${id} ${screen.problem === null}`;
  if (deaf.current.after !== after) deaf.current = { after, until: performance.now() + deafMilliseconds };

  const latest = useRef(look);
  latest.current = look;
  const drawChanged = (): void => redraw(textOf(latest.current()));
  useEffect(() => {
    const ticking = setInterval(drawChanged, tickMilliseconds);
    return () => clearInterval(ticking);
  }, []);

  const take = (key: Key): void => {
    const { content, at, problem } = look();
    // Another question by now, or none: it is drawn first.
    if (content.id !== id) drawChanged();
    if (content.id !== id || content.expiresAt === null) return;
    const button = at.focus - content.choiceRows;
    if (key === 'escape') done({ kind: 'deny', id });
    else if (key !== 'enter') {
      drawn.screen = { ...screen, at: pressed({ ...screen, at }, key) };
      drawChanged();
    } else if (screen.page !== null) {
      const isHeard = performance.now() >= deaf.current.until;
      // Deny that had to be walked to is meant.
      if (button === 1 && (isHeard || content.choiceRows > 0)) done({ kind: 'deny', id });
      else if (button === 0 && isHeard && screen.problem === null && problem === null) done({ kind: 'approve', id });
    }
  };
  useKeys(place.output, take, () => done(closed(drawn)));
  return drawnLines(screen.lines);
});

/** Of two that differ in anything that is seen or that keys go by, two. */
function textOf({ at, content, lines }: Screen): string {
  return JSON.stringify([content.id, at, lines]);
}
