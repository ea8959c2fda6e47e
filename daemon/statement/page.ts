/**
 * Chooses how many of the read rows go into one answer (spec §8), and which of their cells are
 * shortened for it.
 */

import { type CutCell, cellsOf, JsonRows, noCuts, type RowText } from '../engines/row-text.ts';
import { shorten } from '../engines/shorten.ts';
import type { CollectedRows, CutCellNote } from './result-set.ts';

interface PageLimits {
  readonly maxRows: number;
  /** UTF-8 bytes of rows and of notes about cut cells, both as JSON and as printed beside it. */
  readonly maxBytes: number;
}

export interface Page {
  readonly rows: JsonRows;
  /** Row numbers count from the page's own first row. */
  readonly cutCells: readonly CutCellNote[];
  /** The first row that is not in it. */
  readonly next: number;
  /** One per row if rows are printed in another form than JSON. */
  readonly lines: readonly string[];
}

/**
 * Characters left of each cell if rows don't fit as they are; more if more bytes were asked for.
 */
const shortCell = 2 * 1024;
const shortCellsInAnswer = 12;
/** Quotes, a comma and the note about the cut. */
const besideCell = 48;
/** The worst case: a control character in JSON. */
const bytesOfCharacter = 6;

/** @param print prints a row beside its JSON; null if it isn't printed. */
export function pageOf(
  read: Pick<CollectedRows, 'rows' | 'cutCells' | 'bytes'>,
  from: number,
  limits: PageLimits,
  print: ((json: string) => string) | null,
): Page {
  const { rows, cutCells } = read;
  const isWhole = from === 0 && rows.length <= limits.maxRows && read.bytes <= limits.maxBytes;
  if (isWhole && print === null && cutCells.length === 0) return { rows, cutCells: [], next: rows.length, lines: [] };
  const cutsOf = cutsByRow(cutCells);
  const rowAt = (index: number): RowText => ({ json: rows.at(index), cuts: cutsOf.get(index) ?? noCuts });
  const cellCharacters = Math.max(shortCell, Math.floor(limits.maxBytes / shortCellsInAnswer));
  const whole = filled(rowAt);
  const meetsWide = rowsUpTo(whole.next + 1).some(index => rows.at(index).length > cellCharacters);
  if (whole.next === end() || !meetsWide) return whole.rows.length > 0 ? whole : first();
  const shortened = filled(index => {
    const row = rowAt(index);
    return row.json.length > cellCharacters ? shorten(row, cellCharacters) : row;
  });
  return shortened.rows.length > 0 ? shortened : first();

  function end(): number {
    return Math.min(rows.length, from + limits.maxRows);
  }

  function rowsUpTo(next: number): number[] {
    return Array.from({ length: Math.min(next, end()) - from }, (_, index) => from + index);
  }

  function filled(rowOf: (index: number) => RowText): Page {
    const texts: string[] = [];
    const lines: string[] = [];
    const notes: CutCellNote[] = [];
    let json = 0;
    let printed = 0;
    for (let index = from; index < end(); index += 1) {
      const row = rowOf(index);
      const line = print?.(row.json);
      const rowNotes = row.cuts.map(cut => noteOf(texts.length, cut));
      const noteBytes = rowNotes.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(rowNotes));
      json += Buffer.byteLength(row.json) + 1 + noteBytes;
      if (line !== undefined) printed += Buffer.byteLength(line) + noteBytes;
      if (Math.max(json, printed) > limits.maxBytes) break;
      texts.push(row.json);
      if (line !== undefined) lines.push(line);
      notes.push(...rowNotes);
    }
    return { rows: new JsonRows(texts), cutCells: notes, next: from + texts.length, lines };
  }

  /** Wider than the whole answer even so: a cut row says more than an empty result. */
  function first(): Page {
    if (from >= end()) return { rows: new JsonRows([]), cutCells: [], next: from, lines: [] };
    const wide = rowAt(from);
    const share = limits.maxBytes / Math.max(1, cellsOf(wide).length) - besideCell;
    const row = shorten(wide, Math.max(1, Math.floor(share / bytesOfCharacter)));
    const lines = print === null ? [] : [print(row.json)];
    return { rows: new JsonRows([row.json]), cutCells: row.cuts.map(cut => noteOf(0, cut)), next: from + 1, lines };
  }
}

function noteOf(row: number, { column, fullBytes }: CutCell): CutCellNote {
  return { row, column, full_bytes: fullBytes };
}

function cutsByRow(notes: readonly CutCellNote[]): ReadonlyMap<number, readonly CutCell[]> {
  const cuts = new Map<number, CutCell[]>();
  for (const { row, column, full_bytes } of notes) {
    cuts.set(row, [...(cuts.get(row) ?? []), { column, fullBytes: full_bytes }]);
  }
  return cuts;
}
