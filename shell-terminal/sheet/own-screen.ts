/**
 * Draws on the terminal's alternate screen and restores the first one, however it ends. The caller
 * says what to draw.
 */

import { constants } from 'node:os';
import { endAsHungUp } from '../hang-up.ts';
import type { Place } from './drawing-place.ts';

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

const home = '\u001b[H';
const clearLine = '\u001b[2K';
const clearBelow = '\u001b[J';
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clear = `${showCursor}\u001b[2J${home}`;
/**
 * On the alternate screen a smaller window may rewrap lines, and the first screen stays as it was.
 */
const enter = `\u001b[?1049h${clear}`;
const leave = `${showCursor}\u001b[?1049l`;

export async function onOwnScreen<Result>(place: Place, draw: () => Promise<Result>): Promise<Result> {
  const { input, output } = place;
  output.write(enter);
  const restore = (): void => void output.write(leave);
  // The terminal gets its screen back however this process ends, and nothing is opened.
  const ended = (signal: NodeJS.Signals): void => {
    restore();
    process.exit(128 + constants.signals[signal]);
  };
  const hungUp = (): void => {
    restore();
    input.off('error', endAsHungUp).on('error', () => {});
    input.setRawMode(false);
    endAsHungUp();
  };
  process.once('SIGINT', ended).once('SIGTERM', ended).once('SIGQUIT', ended).once('SIGHUP', hungUp);
  input.on('error', endAsHungUp);
  try {
    return await draw();
  } finally {
    process.off('SIGINT', ended).off('SIGTERM', ended).off('SIGQUIT', ended).off('SIGHUP', hungUp);
    input.off('error', endAsHungUp);
    restore();
  }
}

/** Moves the visible cursor to the first place. */
export function clearScreen(output: NodeJS.WriteStream): void {
  output.write(clear);
}

/** Overwrites line by line: clearing the screen first would flicker. */
export function drawLines(output: NodeJS.WriteStream, lines: readonly string[]): void {
  output.write(`${home}${lines.map(line => `${clearLine}${line}`).join('\n')}${clearBelow}${hideCursor}`);
}

/** A terminal without a size reports 0 columns. */
export function windowSize({ columns, rows }: NodeJS.WriteStream): WindowSize {
  return { columns: columns || 80, rows: rows || 24 };
}
