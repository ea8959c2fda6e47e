/** Fits text into columns, so that no line is ever broken by the terminal itself. Text comes in escaped. */

import { textWidth } from '../table.ts';

/** Terminals disagree about what is not ASCII: counted as wide, so that no line is longer than it was taken for. */
export function widthAtMost(text: string): number {
  let width = 0;
  for (const character of text) width += character <= '~' ? textWidth(character) : 2;
  return width;
}

/** At most so many lines of so many columns; what is left over is marked by an ellipsis. */
export function brokenInto(text: string, columns: number, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > 0 && lines.length < mostLines) {
    const isLast = lines.length === mostLines - 1;
    if (isLast && widthAtMost(rest.join('')) > columns) {
      lines.push(`${taken(rest, columns - 2)}…`);
      break;
    }
    const line = taken(rest, columns);
    lines.push(line);
    rest = rest.slice([...line].length);
  }
  return lines.length === 0 ? [''] : lines;
}

/** One line, cut. */
export function cutTo(text: string, columns: number): string {
  return brokenInto(text, columns, 1)[0] ?? '';
}

/** At least one character, so that there is always some progress. */
function taken(characters: readonly string[], columns: number): string {
  let width = 0;
  let count = 0;
  for (const character of characters) {
    width += widthAtMost(character);
    if (width > columns && count > 0) break;
    count += 1;
  }
  return characters.slice(0, count).join('');
}
