/** A terminal where something can be drawn and keys are read, and its colours. Draws nothing. */

import { painted, type Style, type Terminal } from '../terminal.ts';

export type Paint = (style: Style, text: string) => string;

export interface Place {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly paint: Paint;
}

type NoPlace = 'no terminal' | 'dumb terminal';

export function placeOn(output: NodeJS.WriteStream, { stdin, environment }: Terminal): Place | NoPlace {
  if (!stdin.isTTY || !output.isTTY) return 'no terminal';
  if (environment.TERM === 'dumb') return 'dumb terminal';
  // An empty NO_COLOR counts as unset (no-color.org).
  const paint: Paint = environment.NO_COLOR ? (_style, text) => text : painted;
  return { input: stdin, output, paint };
}
