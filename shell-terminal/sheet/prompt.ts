/**
 * Draws a prompt in a terminal and reads keys until it is answered (spec §10, §12, §16). Decides
 * nothing itself.
 */

import type { Place } from './drawing-place.ts';
import { dropTyped, type Key, onKeys } from './keys.ts';
import { clearScreen, drawLines, windowSize } from './own-screen.ts';
import { afterKey, type Button, type Content, initialFocus, promptScreen, type Screen } from './prompt-lines.ts';

interface Prompt {
  readonly place: Place;
  /** The current question; it may change while it is drawn. */
  readonly content: () => Content;
  /** Ids that were shown to their end; kept across interruptions of the prompt. */
  readonly seen: Set<string>;
  /** Aborted when nobody can receive the answer any more. */
  readonly gone?: AbortSignal;
}

/** `leave` if nothing was asked or answered; `gone` if nobody can receive the answer. */
export interface PromptAnswer {
  readonly kind: Button['kind'] | 'leave' | 'gone';
  readonly id: string;
}

/**
 * Keys in this time don't answer: they were typed for the earlier screen, or while an answer was
 * dimmed.
 */
const deafMilliseconds = 700;
const tickMilliseconds = 250;

/** On the alternate screen (own-screen.ts), which is cleared before and afterwards. */
export async function ask({ place, content: contentNow, seen, gone }: Prompt): Promise<PromptAnswer> {
  const { input, output, paint } = place;
  await dropTyped(input);
  clearScreen(output);
  /** The screen as drawn. Keys refer to it, whatever is asked by then. */
  let screen = look(null);
  let drawn: string | null = null;
  let deaf = { until: 0, after: '' };

  function look(at: Screen['at'] | null): Screen {
    const content = contentNow();
    const now = at?.id === content.id ? at : initialFocus(content);
    return promptScreen(content, now, seen.has(content.id), Date.now(), windowSize(output), paint);
  }

  function draw(): void {
    screen = look(screen.at);
    const { content, lines, problem, isEndSeen } = screen;
    if (isEndSeen) seen.add(content.id);
    const after = `${content.id} ${problem === null}`;
    if (deaf.after !== after) deaf = { after, until: performance.now() + deafMilliseconds };
    const text = lines.join('\n');
    if (text !== drawn) drawLines(output, lines);
    drawn = text;
  }

  /** Null if the key answers nothing. */
  function answerBy(key: Key): PromptAnswer | null {
    const { content, at, problem } = look(screen.at);
    const { id } = screen.content;
    // The question has changed or ended meanwhile, so the screen is drawn again first.
    if (content.id !== id || content.expiresAt === null) return null;
    const isHeard = performance.now() >= deaf.until;
    if (key === 'escape') return isHeard ? { kind: usualOf(content), id } : null;
    if (key !== 'enter') {
      screen = { ...screen, at: afterKey({ ...screen, at }, key) };
      return null;
    }
    if (screen.page === null) return null;
    const button = content.buttons[at.focus - content.choiceRows];
    if (button === undefined) return null;
    // Deny counts if the person moved to it.
    const isAnswer = button.gives
      ? isHeard && screen.problem === null && problem === null
      : isHeard || content.choiceRows > 0;
    return isAnswer ? { kind: button.kind, id } : null;
  }

  const drawAnew = (): void => {
    clearScreen(output);
    drawn = null;
    draw();
  };
  const ticking = setInterval(draw, tickMilliseconds);
  output.on('resize', drawAnew);
  let endKeys = (): void => {};
  const answer = await new Promise<PromptAnswer>(resolve => {
    const take = (key: Key): void => {
      const given = answerBy(key);
      if (given === null) draw();
      else resolve(given);
    };
    const closed = (): void => {
      const { content } = screen;
      const usual = usualOf(content);
      resolve({ kind: content.expiresAt === null || usual === 'later' ? 'leave' : usual, id: content.id });
    };
    const nobody = (): void => resolve({ kind: 'gone', id: '' });
    if (gone?.aborted) return nobody();
    gone?.addEventListener('abort', nobody, { once: true });
    endKeys = onKeys(place, take, closed);
    draw();
  });
  endKeys();
  clearInterval(ticking);
  output.off('resize', drawAnew);
  clearScreen(output);
  return answer;
}

function usualOf({ buttons, usual }: Content): Button['kind'] {
  return buttons[usual]?.kind ?? 'no';
}
