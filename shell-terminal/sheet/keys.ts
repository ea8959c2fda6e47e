/**
 * Reads the keys for a drawn window, and drops those that must not count. The caller gives keys
 * their effect.
 */

import { emitKeypressEvents, type Key as Keypress } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Place } from './drawing-place.ts';

type MoveKey = 'up' | 'down' | 'page up' | 'page down' | 'home' | 'end' | 'left' | 'right' | 'space';
export type Key = MoveKey | 'next' | 'previous' | 'enter' | 'escape';

/** Enough to read what the terminal already holds. */
const dropMilliseconds = 50;
const pasteApart = '\u001b[?2004h';
const pasteAsTyped = '\u001b[?2004l';

/**
 * @param closed called on Ctrl-C or Ctrl-D, or if nothing can be typed any more. @returns a
 *   function that stops it.
 */
export function onKeys({ input, output }: Place, take: (key: Key) => void, closed: () => void): () => void {
  let isPasting = false;
  const heard = (_: unknown, event: Keypress): void => {
    const { name } = event;
    if (event.ctrl === true && (name === 'c' || name === 'd')) closed();
    // A text pasted into the wrong window may contain tabs and line ends; they aren't keys for us.
    if (name === 'paste-start') isPasting = true;
    if (name === 'paste-end') isPasting = false;
    const key = isPasting ? null : keyOf(event);
    if (key !== null) take(key);
  };
  emitKeypressEvents(input);
  input.on('keypress', heard).on('end', closed);
  input.setRawMode(true);
  input.resume();
  output.write(pasteApart);
  return () => {
    output.write(pasteAsTyped);
    input.off('keypress', heard).off('end', closed);
    input.setRawMode(false);
    input.pause();
  };
}

/**
 * Raw meanwhile, so nothing is shown and Ctrl-C sends no signal: keys typed while nothing is asked
 * are dropped.
 */
export async function dropTyped(input: NodeJS.ReadStream): Promise<void> {
  const drop = (): void => {};
  input.setRawMode(true);
  input.on('data', drop).resume();
  await wait(dropMilliseconds);
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

function keyOf({ name = '', shift, meta }: Keypress): Key | null {
  if (name === 'tab') return shift ? 'previous' : 'next';
  const key = Object.hasOwn(keys, name) ? (keys[name] ?? null) : null;
  // Escape followed at once by Enter arrives as one key; Escape was meant.
  return key === 'enter' && meta ? 'escape' : key;
}
