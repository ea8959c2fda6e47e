/** Draws the approval sheet in a terminal and takes the keys (SPEC §10, §16), until it is answered. Decides nothing by itself. */

import { AbortPromptError, createPrompt, ExitPromptError, useEffect, useKeypress, useState } from '@inquirer/core';
import type { PairingView } from '../../shared/control-commands.ts';
import { type Choices, changed, firstChoices, type Key } from './choices.ts';
import { approveProblem, isTooSmall, type Paint, type SheetSize, sheetLines } from './lines.ts';

export type SheetAnswer =
  | { readonly kind: 'approve'; readonly choices: Choices }
  | { readonly kind: 'deny' }
  /** The daemon has gone, or has let the request go. */
  | { readonly kind: 'gone' };

export interface SheetPlace {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly paint: Paint;
  /** Aborted when there is nobody any more to take the answer. */
  readonly gone: AbortSignal;
}

/** A key meant for what stood here before must not approve. */
const deafMilliseconds = 700;
const tickMilliseconds = 250;
const hideCursor = '\u001b[?25l';
/** The alternate screen: a window that is made smaller breaks lines anew, and what was above stays as it was. */
const enter = '\u001b[?1049h\u001b[2J\u001b[H';
const clear = '\u001b[2J\u001b[H';
const leave = '\u001b[?1049l';

export async function drawSheet(view: PairingView, place: SheetPlace): Promise<SheetAnswer> {
  const { input, output, gone } = place;
  output.write(enter);
  const restore = (): void => void output.write(leave);
  // However this process ends, the terminal gets its screen back; and nothing is opened.
  const ended = (signal: NodeJS.Signals): void => {
    restore();
    process.exit(signal === 'SIGTERM' ? 143 : 129);
  };
  process.once('SIGTERM', ended).once('SIGHUP', ended);
  try {
    return await sheetPrompt({ view, place }, { input, output, signal: gone, clearPromptOnDone: true });
  } catch (error) {
    if (error instanceof AbortPromptError) return { kind: 'gone' };
    // Ctrl-C.
    if (error instanceof ExitPromptError) return { kind: 'deny' };
    throw error;
  } finally {
    process.off('SIGTERM', ended).off('SIGHUP', ended);
    restore();
  }
}

interface SheetConfig {
  readonly view: PairingView;
  readonly place: SheetPlace;
}

const sheetPrompt = createPrompt<SheetAnswer, SheetConfig>(({ view, place }, done) => {
  const { output } = place;
  const [choices, setChoices] = useState<Choices>(firstChoices(view));
  const [deafUntil] = useState(() => performance.now() + deafMilliseconds);
  const [secondsLeft, setSecondsLeft] = useState(secondsUntil(view.expiresAt));
  const [size, setSize] = useState<SheetSize>(sizeOf(output));

  useEffect(() => {
    const ticking = setInterval(() => setSecondsLeft(secondsUntil(view.expiresAt)), tickMilliseconds);
    const resized = (): void => {
      output.write(clear);
      setSize(sizeOf(output));
    };
    output.on('resize', resized);
    return () => {
      clearInterval(ticking);
      output.off('resize', resized);
    };
  }, []);

  useKeypress((event, rl) => {
    // Nothing is typed here; readline would keep it and move the cursor.
    rl.clearLine(0);
    if (event.name === 'escape') return done({ kind: 'deny' });
    if (event.name === 'return' || event.name === 'enter') {
      if (choices.focus === 'deny') return done({ kind: 'deny' });
      // The clock is asked anew: the one on the sheet may be a tick behind.
      const state = { choices, secondsLeft: secondsUntil(view.expiresAt) };
      const isHeard = performance.now() >= deafUntil && !isTooSmall(size) && approveProblem(state) === null;
      if (choices.focus === 'approve' && isHeard) done({ kind: 'approve', choices });
      return;
    }
    const key = keyOf(event);
    if (key !== null) setChoices(changed(view, choices, key));
  });

  const lines = sheetLines(view, { choices, secondsLeft }, size, place.paint);
  return `${lines.join('\n')}${hideCursor}`;
});

const keys: Readonly<Record<string, Key>> = {
  up: 'up',
  down: 'down',
  left: 'left',
  right: 'right',
  space: 'space',
  tab: 'down',
  home: 'home',
  end: 'end',
  pageup: 'page up',
  pagedown: 'page down',
};

function keyOf({ name, shift }: { readonly name: string; readonly shift: boolean }): Key | null {
  if (name === 'tab' && shift) return 'up';
  return Object.hasOwn(keys, name) ? (keys[name] ?? null) : null;
}

/** Whole seconds, so that the sheet is drawn anew only when it changes. */
function secondsUntil(instant: string): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1000));
}

function sizeOf({ columns = 80, rows = 24 }: NodeJS.WriteStream): SheetSize {
  return { columns, rows };
}
