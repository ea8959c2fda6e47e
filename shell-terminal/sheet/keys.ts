/** The keys that a drawn window takes, and what must not count as one. What a key does is another's matter. */

import { type KeypressEvent, useEffect, useKeypress, useRef } from '@inquirer/core';

type MoveKey = 'up' | 'down' | 'page up' | 'page down' | 'home' | 'end' | 'left' | 'right' | 'space';
export type Key = MoveKey | 'next' | 'previous' | 'enter' | 'escape';

/** What the terminal already holds is read at once. */
const dropMilliseconds = 50;
const pasteApart = '\u001b[?2004h';
const pasteAsTyped = '\u001b[?2004l';

/** Ctrl-C ends the prompt itself (ExitPromptError). @param closed Ctrl-D: nothing can be typed any more. */
export function useKeys(output: NodeJS.WriteStream, take: (key: Key) => void, closed: () => void): void {
  const isPasting = useRef(false);
  const whenClosed = useRef(closed);
  whenClosed.current = closed;
  useEffect(rl => {
    // A stopped process would stay the one that is asked, and answer nothing.
    const stay = (): void => {};
    const ended = (): void => whenClosed.current();
    output.write(pasteApart);
    rl.on('SIGTSTP', stay);
    rl.on('close', ended);
    return () => {
      output.write(pasteAsTyped);
      rl.removeListener('SIGTSTP', stay);
      rl.removeListener('close', ended);
    };
  }, []);
  useKeypress((event, rl) => {
    // Nothing is typed here; readline would keep it and move the cursor.
    rl.clearLine(0);
    // A text pasted into the wrong window may hold tabs and line ends: no keys of ours.
    if (event.name === 'paste-start') isPasting.current = true;
    if (event.name === 'paste-end') isPasting.current = false;
    const key = isPasting.current ? null : keyOf(event);
    if (key !== null) take(key);
  });
}

/** Raw in between, so that nothing is shown and Ctrl-C is no signal: what is typed while nothing is asked is nobody's key. */
export async function dropTyped(input: NodeJS.ReadStream): Promise<void> {
  const drop = (): void => {};
  input.setRawMode(true);
  input.on('data', drop).resume();
  await new Promise(resolve => setTimeout(resolve, dropMilliseconds));
  input.pause().off('data', drop);
}

const keys: Readonly<Record<string, Key>> = {
  up: 'up',
  down: 'down',
  left: 'left',
  right: 'right',
  space: 'space',
  home: 'home',
  end: 'end',
  pageup: 'page up',
  pagedown: 'page down',
  escape: 'escape',
  return: 'enter',
  enter: 'enter',
};

function keyOf(event: KeypressEvent): Key | null {
  if (event.name === 'tab') return event.shift ? 'previous' : 'next';
  const key = Object.hasOwn(keys, event.name) ? (keys[event.name] ?? null) : null;
  // Escape and then at once Enter comes as one key; the first of the two was meant to end it.
  return key === 'enter' && 'meta' in event && event.meta === true ? 'escape' : key;
}
