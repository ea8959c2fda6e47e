/** The statements of one rehearsal, asked within the answer's limits. Knows no plan. */

import type { Column, DatabaseFailure, Parameter, Rehearsal, RowSink, StatementDone } from '../database.ts';
import { maxWireBytes, type QueryLimits } from '../limits.ts';
import { type CollectedRows, collectRows } from '../result-set.ts';
import { collectImages, type Images, type Key, keyOf, mostKeys } from './images.ts';

export interface Keys {
  readonly keys: readonly Key[];
  readonly types: readonly string[];
}

export interface Returned {
  readonly done: StatementDone;
  /** What the client's own RETURNING gave; null where it has none. */
  readonly own: CollectedRows | null;
  /** What we asked for behind it. */
  readonly keys: Keys;
  readonly rows: CollectedRows | null;
  /** All rows that came, kept or not. */
  readonly rowCount: number;
}

export interface Steps {
  /** A statement of ours whose rows don't matter. */
  tell(sql: string): Promise<StatementDone | DatabaseFailure>;
  /** The first cell of the first row. */
  askNumber(sql: string): Promise<{ readonly kind: 'number'; readonly value: number } | DatabaseFailure>;
  askKeys(sql: string): Promise<({ readonly kind: 'keys' } & Keys) | DatabaseFailure>;
  askImages(
    question: { readonly sql: string; readonly parameters: readonly Parameter[] },
    keyLength: number,
  ): Promise<{ readonly kind: 'images'; readonly images: Images } | DatabaseFailure>;
  /** The client's statement. @param added how many of the last columns are ours: a key, or `row` for all. */
  perform(sql: string, added: number | 'row'): Promise<({ readonly kind: 'performed' } & Returned) | DatabaseFailure>;
}

/** Shares of the answer: rows before and after, and what the client's own RETURNING gave. */
const imageShare = 3 / 8;
const ownShare = 1 / 4;

export function stepsOn(rehearsal: Rehearsal, limits: QueryLimits, mostRows: number): Steps {
  const run = (sql: string, parameters: readonly Parameter[], sink: RowSink, ours = true) =>
    rehearsal.run({ sql, parameters, ours, limits: { cellBytes: limits.maxCellBytes, wireBytes: maxWireBytes } }, sink);
  const imageBytes = Math.floor(limits.maxAnswerBytes * imageShare);

  return {
    tell: sql => run(sql, [], collectRows(0, 0)),
    async askNumber(sql) {
      const collector = collectRows(1, imageBytes);
      const outcome = await run(sql, [], collector);
      if (outcome.kind !== 'done') return outcome;
      return { kind: 'number', value: Number(collector.collected().rows[0]?.[0] ?? 0) };
    },
    async askKeys(sql) {
      const keys = collectKeys(mostKeys);
      const outcome = await run(sql, [], keys);
      return outcome.kind === 'done' ? { kind: 'keys', ...keys.collected() } : outcome;
    },
    async askImages({ sql, parameters }, keyLength) {
      const collector = collectImages(keyLength, imageBytes);
      const outcome = await run(sql, parameters, collector);
      return outcome.kind === 'done' ? { kind: 'images', images: collector.images() } : outcome;
    },
    async perform(sql, added) {
      const own = collectRows(mostRows, Math.floor(limits.maxAnswerBytes * ownShare));
      const rows = collectRows(mostRows, imageBytes);
      const keys = collectKeys(mostRows);
      let ownLength = 0;
      let rowCount = 0;
      const sink: RowSink = {
        columns(columns) {
          ownLength = added === 'row' ? 0 : columns.length - added;
          own.columns(columns.slice(0, ownLength));
          if (added === 'row') rows.columns(columns);
          else keys.columns(columns.slice(ownLength));
        },
        row(cells) {
          rowCount += 1;
          if (rowCount > mostRows) return true;
          if (ownLength > 0) own.row(cells.slice(0, ownLength));
          if (added === 'row') rows.row(cells);
          else keys.row(cells.slice(ownLength));
          return true;
        },
      };
      const outcome = await run(sql, [], sink, false);
      if (outcome.kind !== 'done') return outcome;
      return {
        kind: 'performed',
        done: outcome,
        own: ownLength > 0 ? own.collected() : null,
        rows: added === 'row' ? rows.collected() : null,
        keys: keys.collected(),
        rowCount,
      };
    },
  };
}

function collectKeys(most: number): RowSink & { collected(): Keys } {
  let types: readonly string[] = [];
  const keys: Key[] = [];
  return {
    columns(columns: readonly Column[]) {
      types = columns.map(column => column.type);
    },
    row(cells) {
      const key = keys.length < most && cells.length > 0 ? keyOf(cells) : null;
      if (key !== null) keys.push(key);
      return true;
    },
    collected: () => ({ keys, types }),
  };
}
