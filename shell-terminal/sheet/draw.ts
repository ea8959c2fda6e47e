/** Draws the approval sheet in a terminal and takes the keys (spec §10, §16), until it is answered. Decides nothing by itself. */

import { AbortPromptError, createPrompt, ExitPromptError, useState } from '@inquirer/core';
import type { PairingView } from '../../shared/control-commands.ts';
import { type Choices, changed, firstChoices } from './choices.ts';
import { secondsUntil, useTicking } from './countdown.ts';
import { deafMilliseconds, type Key, type MoveKey, useKeys } from './keys.ts';
import { approveProblem, isTooSmall, type SheetState, sheetLines } from './lines.ts';
import { drawnLines, onOwnScreen, useWindowSize } from './own-screen.ts';
import type { Place } from './place.ts';

type SheetAnswer =
  | { readonly kind: 'approve'; readonly choices: Choices }
  | { readonly kind: 'deny' }
  /** The daemon has gone, or has let the request go. */
  | { readonly kind: 'gone' };

/** @param gone aborted when there is nobody any more to take the answer. */
export function drawSheet(view: PairingView, place: Place, gone: AbortSignal): Promise<SheetAnswer> {
  const { input, output } = place;
  return onOwnScreen(place, async () => {
    try {
      return await sheetPrompt({ view, place }, { input, output, signal: gone, clearPromptOnDone: true });
    } catch (error) {
      if (error instanceof AbortPromptError) return { kind: 'gone' };
      // Ctrl-C.
      if (error instanceof ExitPromptError) return { kind: 'deny' };
      throw error;
    }
  });
}

interface SheetConfig {
  readonly view: PairingView;
  readonly place: Place;
}

const sheetPrompt = createPrompt<SheetAnswer, SheetConfig>(({ view, place }, done) => {
  const [choices, setChoices] = useState<Choices>(firstChoices(view));
  const [deafUntil] = useState(() => performance.now() + deafMilliseconds);
  const size = useWindowSize(place.output);
  // Asked anew at each key, too: what stands on the sheet may be a tick behind.
  const secondsLeft = (): number => secondsUntil(view.expiresAt, Date.now());
  const state: SheetState = { choices, secondsLeft: useTicking(secondsLeft) };

  const isHeard = (): boolean =>
    performance.now() >= deafUntil &&
    !isTooSmall(size) &&
    approveProblem({ choices, secondsLeft: secondsLeft() }) === null;
  const take = (key: Key): void => {
    if (key === 'escape' || (key === 'enter' && choices.focus === 'deny')) done({ kind: 'deny' });
    else if (key !== 'enter') setChoices(changed(view, choices, moveOf(key)));
    else if (choices.focus === 'approve' && isHeard()) done({ kind: 'approve', choices });
  };
  useKeys(place.output, take, () => done({ kind: 'deny' }));

  return drawnLines(sheetLines(view, state, size, place.paint));
});

/** The rows stand under each other: Tab goes down them. */
function moveOf(key: Exclude<Key, 'enter' | 'escape'>): MoveKey {
  if (key === 'next') return 'down';
  return key === 'previous' ? 'up' : key;
}
