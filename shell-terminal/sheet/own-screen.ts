/** Draws on the terminal's other screen and gives the first one back, however it ends. What is drawn is another's matter. */

import { constants } from 'node:os';
import { useEffect, useState } from '@inquirer/core';
import { endAsHungUp } from '../hang-up.ts';
import type { Place } from './place.ts';

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

const hideCursor = '\u001b[?25l';
/** The alternate screen: a window that is made smaller breaks lines anew, and what was above stays as it was. */
const enter = '\u001b[?1049h\u001b[2J\u001b[H';
const clear = '\u001b[2J\u001b[H';
const leave = '\u001b[?25h\u001b[?1049l';

export async function onOwnScreen<Result>(place: Place, draw: () => Promise<Result>): Promise<Result> {
  const { input, output } = place;
  output.write(enter);
  const restore = (): void => void output.write(leave);
  // However this process ends, the terminal gets its screen back; and nothing is opened.
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

export function clearScreen(output: NodeJS.WriteStream): void {
  output.write(clear);
}

/** The library begins another line after an empty last one, which would move a full window up. */
export function drawnLines(lines: readonly string[]): string {
  return `${lines.join('\n')}${lines.at(-1) === '' ? ' ' : ''}${hideCursor}`;
}

/** As it is now; what is drawn is drawn anew when it changes. */
export function useWindowSize(output: NodeJS.WriteStream): WindowSize {
  const [size, setSize] = useState<WindowSize>(sizeOf(output));
  useEffect(() => {
    const resized = (): void => {
      clearScreen(output);
      setSize(sizeOf(output));
    };
    output.on('resize', resized);
    return () => void output.off('resize', resized);
  }, []);
  return size;
}

/** A terminal that nobody gave a size has 0 columns. */
function sizeOf({ columns, rows }: NodeJS.WriteStream): WindowSize {
  return { columns: columns || 80, rows: rows || 24 };
}
