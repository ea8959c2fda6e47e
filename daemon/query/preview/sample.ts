/** Puts a preview's rows together from what was read before and after. A row is shown only where both readings allow it. */

import type { Column } from '../database.ts';
import type { PlainCell } from '../result-set.ts';
import { type Image, type Images, type Key, nameOf } from './images.ts';
import type { Verb } from './plan.ts';

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly PlainCell[])[];
}

export interface Sample {
  readonly before: Rows | null;
  readonly after: Rows | null;
  readonly warnings: readonly string[];
}

export const mostSampleRows = 5;

interface Pair {
  readonly before: Image | null;
  readonly after: Image | null;
}

/**
 * @param images null where that side was not read.
 * @param isCertain true where the statement itself named the keys; else only rows are shown that differ.
 */
export function sampleOf(
  verb: Verb,
  keys: readonly Key[],
  images: { readonly before: Images | null; readonly after: Images | null },
  isCertain: boolean,
): Sample {
  const pairs: Pair[] = [];
  for (const key of keys) {
    const pair = pairOf(nameOf(key), images);
    if (pair === null || pairs.length === mostSampleRows) continue;
    if (isCertain || proves(verb, pair)) pairs.push(pair);
  }
  return {
    before: images.before && { columns: images.before.columns, rows: cellsOf(pairs, 'before') },
    after: images.after && { columns: images.after.columns, rows: cellsOf(pairs, 'after') },
    warnings: [...cutWarnings(pairs, 'before'), ...cutWarnings(pairs, 'after')],
  };
}

/** Null where a row may only seem to be missing. */
function pairOf(key: string, { before, after }: { readonly before: Images | null; readonly after: Images | null }) {
  const pair: Pair = { before: before?.rows.get(key) ?? null, after: after?.rows.get(key) ?? null };
  if (pair.before === null && before?.isWhole === false) return null;
  if (pair.after === null && after?.isWhole === false) return null;
  return pair.before === null && pair.after === null ? null : pair;
}

function proves(verb: Verb, { before, after }: Pair): boolean {
  if (verb === 'delete') return before !== null && after === null;
  if (after === null) return false;
  if (before === null) return verb === 'insert' || verb === 'replace';
  return JSON.stringify(before.cells) !== JSON.stringify(after.cells);
}

function cellsOf(pairs: readonly Pair[], side: keyof Pair): readonly (readonly PlainCell[])[] {
  return pairs.flatMap(pair => {
    const image = pair[side];
    return image === null ? [] : [image.cells];
  });
}

function cutWarnings(pairs: readonly Pair[], side: keyof Pair): readonly string[] {
  const shown = pairs.map(pair => pair[side]).filter(image => image !== null);
  return shown.flatMap((image, row) =>
    image.cut.map(({ column, full_bytes }) => {
      const length = full_bytes === null ? 'longer than is shown' : `${full_bytes} bytes long`;
      return `In ${side}, row ${row}, column ${column} is cut; the cell is ${length}.`;
    }),
  );
}
