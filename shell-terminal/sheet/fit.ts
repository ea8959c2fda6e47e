/**
 * Fits text into columns, so the terminal itself never breaks a line. Its text is already escaped.
 */

import { wrapped } from '../terminal.ts';
import type { Paint } from './drawing-place.ts';

/**
 * Terminals disagree about the width of non-ASCII characters; counting them as wide keeps lines
 * short enough.
 */
export function widthAtMost(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The whole text, in pieces of at most so many columns. */
export function splitAtColumns(text: string, columns: number): string[] {
  const whole: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of text) {
    const needed = columnsOf(character);
    // At least one character per piece, so there is always progress.
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

/** At most so many lines of so many columns; an ellipsis marks a cut. */
function fitLines(text: string, columns: number, mostLines: number): string[] {
  return atMost(splitAtColumns(text, columns), columns, mostLines);
}

function atMost(lines: string[], columns: number, mostLines: number): string[] {
  if (lines.length <= mostLines) return lines;
  const [start = ''] = splitAtColumns(lines[mostLines - 1] ?? '', columns - 2);
  return [...lines.slice(0, mostLines - 1), `${start}…`];
}

/** One line, cut. */
export function cutTo(text: string, columns: number): string {
  return fitLines(text, columns, 1)[0] ?? '';
}

/** Breaks between words, and a word that is too long; at most so many lines. */
export function linesOfWords(text: string, columns: number, mostLines = Number.POSITIVE_INFINITY): string[] {
  const lines = wrapped(text, columns, '').flatMap(line => splitAtColumns(line, columns));
  return atMost(lines, columns, mostLines);
}

/** Width of a label before its value. */
export const labelColumns = 13;

/** The label once, and its lines below each other. */
export function labelled(label: string, lines: readonly string[], paint: Paint, columns = labelColumns): string[] {
  return lines.map((line, index) => `${paint('dim', (index === 0 ? label : '').padEnd(columns))}${line}`);
}

function columnsOf(character: string): number {
  return character <= '~' ? 1 : 2;
}
