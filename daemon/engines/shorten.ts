/**
 * Shortens the cells of a row that is too wide for its answer (spec §8), each with a note of its
 * whole length.
 */

import { type CutCell, cellsOf, cellTexts, type RowText } from './row-text.ts';

/** Cuts cells beyond `cellCharacters`. */
export function shorten(row: RowText, cellCharacters: number): RowText {
  const cuts: CutCell[] = [];
  const cells = cellsOf(row);
  const kept = cellTexts(row).map((text, column) => {
    const cell = cells[column];
    const cut = row.cuts.find(known => known.column === column);
    const isLong = typeof cell === 'string' && cell.length > cellCharacters;
    if (isLong) cuts.push(cut ?? { column, fullBytes: Buffer.byteLength(cell) });
    else if (cut !== undefined) cuts.push(cut);
    return isLong ? JSON.stringify(wholeCharacters(cell, cellCharacters)) : text;
  });
  return { json: `[${kept.join(',')}]`, cuts };
}

/**
 * Makes one row fit into `maxBytes`, whatever its texts hold: JSON writes a control character in
 * six bytes.
 */
export function shrink(row: RowText, maxBytes: number): RowText {
  return shorten(row, Math.floor(maxBytes / Math.max(1, cellsOf(row).length) / 6));
}

/**
 * Never cuts a surrogate pair: JSON would write half of it, and strict readers refuse the whole
 * JSON.
 */
export function wholeCharacters(text: string, length: number, from = 0): string {
  return text.slice(from, from + length).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** A longer text ends with an ellipsis. */
export function beginning(text: string, length: number): string {
  return text.length > length ? `${wholeCharacters(text, length)}…` : text;
}
