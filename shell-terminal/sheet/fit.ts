/**
 * Fits text into columns, so that no line is ever broken by the terminal itself. Text comes in
 * escaped.
 */

import { wrapped } from '../terminal.ts';
import type { Paint } from './place.ts';

/**
 * Terminals disagree about what is not ASCII: counted as wide, so that no line is longer than it
 * was taken for.
 */
export function widthAtMost(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** All of it, in pieces of at most so many columns. */
export function pieces(text: string, columns: number): string[] {
  const whole: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of text) {
    const needed = columnsOf(character);
    // At least one character a piece, so that there is always some progress.
    if (width + needed > columns && piece !== '') {
      whole.push(piece);
      piece = '';
      width = 0;
    }
    piece += character;
    width += needed;
  }
  return [...whole, piece];
}

/** At most so many lines of so many columns; what is left over is marked by an ellipsis. */
export function brokenInto(text: string, columns: number, mostLines: number): string[] {
  const lines = pieces(text, columns);
  if (lines.length <= mostLines) return lines;
  const [start = ''] = pieces(lines[mostLines - 1] ?? '', columns - 2);
  return [...lines.slice(0, mostLines - 1), `${start}…`];
}

/** One line, cut. */
export function cutTo(text: string, columns: number): string {
  return brokenInto(text, columns, 1)[0] ?? '';
}

/** Broken between words, a word that is too long cut; at most so many lines. */
export function linesOfWords(text: string, columns: number, mostLines = Number.POSITIVE_INFINITY): string[] {
  const lines = wrapped(text, columns, '').map(line => cutTo(line, columns));
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `${cutTo(lines[mostLines - 1] ?? '', columns - 2)}…`];
}

/** Of a label and its value. */
export const labelColumns = 13;

/** The label once, its lines under each other. */
export function labelled(label: string, lines: readonly string[], paint: Paint, columns = labelColumns): string[] {
  return lines.map((line, index) => `${paint('dim', (index === 0 ? label : '').padEnd(columns))}${line}`);
}

function columnsOf(character: string): number {
  return character <= '~' ? 1 : 2;
}
