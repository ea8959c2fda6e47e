/** Where something can be drawn and keys are typed, in which colours. Draws nothing. */

import type { Terminal } from '../terminal.ts';

export type Paint = (style: 'bold' | 'dim' | 'yellow' | 'red' | 'green', text: string) => string;

export interface Place {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly paint: Paint;
}

type NoPlace = 'no terminal' | 'dumb terminal';

export function placeOn(output: NodeJS.WriteStream, { stdin, environment }: Terminal): Place | NoPlace {
  if (!stdin.isTTY || !output.isTTY) return 'no terminal';
  if (environment.TERM === 'dumb') return 'dumb terminal';
  return { input: stdin, output, paint: painter(!environment.NO_COLOR) };
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

function painter(hasColour: boolean): Paint {
  return (style, text) =>
    hasColour && text !== '' ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text;
}
