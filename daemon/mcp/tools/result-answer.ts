/** A result set as an answer (spec §8): counts first, then as many rows as fit, and what to do about the others. */

import * as z from 'zod';
import type { Reached } from '../../access/reach.ts';
import type { HeldResult } from '../../query/held-rows.ts';
import type { QueryLimits } from '../../query/limits.ts';
import { pageOf } from '../../query/page.ts';
import { textReplaced, warningsOn } from '../../query/replaced-text.ts';
import type { Truncation } from '../../query/result-set.ts';
import { printedCells } from '../../query/row-text.ts';
import type { ResultSet } from '../../query/run.ts';
import { shownColumns } from '../../query/shown-columns.ts';
import type { ToolSuccess } from '../tool.ts';
import { csvLine } from './csv.ts';
import { markdownLine, markdownRule } from './markdown.ts';
import { accessMeta } from './tool-ports.ts';

export const formats = ['rows', 'csv', 'markdown'] as const;
export type Format = (typeof formats)[number];

export const maxBytesArgument = z
  .number()
  .int()
  .refine(bytes => bytes >= 1024 && bytes <= 8 * 1024 * 1024, 'from 1024 to 8388608')
  .optional();

/** What a client needs of it; `truncated_because`, `cut_cells`, `warnings` and the rest come where there is something to say. */
export const resultSetOutput = z.looseObject({
  row_count: z.number(),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
  columns: z.array(z.unknown()),
  rows: z.array(z.unknown()),
});

export interface Answering {
  readonly reached: Reached;
  readonly result: HeldResult['result'];
  readonly from: number;
  readonly maxRows: number;
  readonly maxBytes: number;
  /** What set `maxBytes`: an argument, or what an answer has at most. */
  readonly bytesBy: string;
  readonly format: string;
  /** The statement itself; null where an earlier answer told of it. */
  readonly statement: Pick<ResultSet, 'rowsAffected' | 'insertId' | 'milliseconds'> | null;
  /** A cursor to the row of that index; null where the rows that follow can't be held. */
  readonly cursorTo: (index: number) => string | null;
}

export function resultAnswer(answering: Answering): ToolSuccess {
  const { result, from, statement, format } = answering;
  const columns = shownColumns(result.columns, answering.maxBytes);
  const printed = printers[format] ?? null;
  const titles = printed?.titles(columns.map(({ name }) => name)) ?? '';
  // An earlier answer told what was warned of the statement, but not of cells that it did not show.
  const warnings = statement === null ? result.warnings.filter(warning => warning === textReplaced) : result.warnings;
  const said = JSON.stringify([columns, warnings]);
  const besideRows = Buffer.byteLength(said) + sayingBytes + Buffer.byteLength(titles);
  // However many columns there are, some of a row is said.
  const maxBytes = Math.max(answering.maxBytes - besideRows, Math.floor(answering.maxBytes / 4));
  const page = pageOf(result, from, { maxRows: answering.maxRows, maxBytes }, printed?.line ?? null);
  const isLast = page.next === result.rows.length;
  const cursor = isLast ? null : answering.cursorTo(page.next);
  const fitting = page.rows.length < answering.maxRows ? `fit into ${answering.bytesBy}` : 'came within max_rows';
  const because = isLast
    ? truncations[result.truncatedBy ?? 'nothing']
    : cutSentence(page.next, result, cursor, fitting);
  // Member by member: V8 makes a shape of its own of each object that is spread into another, and no code that it meets stays fast.
  const content: Record<string, unknown> = { row_count: page.rows.length, truncated: because !== null };
  if (because !== null) content.truncated_because = because;
  if (cursor !== null) content.next_cursor = cursor;
  if (statement !== null) {
    content.rows_affected = statement.rowsAffected;
    if (statement.insertId !== undefined) content.insert_id = statement.insertId;
    content.execution_time_ms = Math.round(statement.milliseconds * 100) / 100;
  }
  const told = warningsOn(page.rows, warnings);
  if (told.length > 0) content.warnings = told;
  if (page.cutCells.length > 0) content.cut_cells = page.cutCells;
  const text = printed === null ? null : `${JSON.stringify(content)}\n\n${titles}${page.lines.join('')}`;
  content.columns = columns;
  content.rows = page.rows;
  return {
    kind: 'success',
    structuredContent: content,
    text,
    meta: metaOf(answering.reached, isLast && result.truncatedBy),
  };
}

/** The counts, a sentence, a cursor and the names of all members. */
const sayingBytes = 440;

const printers: Readonly<
  Record<string, { readonly titles: (names: readonly string[]) => string; readonly line: (json: string) => string }>
> = {
  csv: { titles: csvLine, line: json => csvLine(printedCells({ json })) },
  markdown: {
    titles: names => (names.length === 0 ? '' : markdownLine(names) + markdownRule(names.length)),
    line: json => markdownLine(printedCells({ json })),
  },
};

/** For a program that words a limit of the owner's for the owner, as `sallyport query` does. */
function metaOf(reached: Reached, truncatedBy: Truncation | null | false): Record<string, unknown> {
  const meta = accessMeta(reached);
  if (truncatedBy === 'most rows') meta['app.sallyport/truncated_by'] = 'most_rows';
  if (truncatedBy === 'most rows of the connection') meta['app.sallyport/truncated_by'] = 'most_rows_of_connection';
  return meta;
}

const orLess = 'Or aggregate, select fewer columns, or write all rows to a file with export_data.';

function cutSentence(next: number, { rows }: HeldResult['result'], cursor: string | null, fitting: string): string {
  const upTo = `Rows up to ${next} of the ${rows.length} that were read ${fitting}.`;
  return cursor === null ? `${upTo} ${orLess}` : `${upTo} fetch_rows gives the others. ${orLess}`;
}

const truncations = {
  nothing: null,
  rows: `More rows exist than max_rows. Raise it, aggregate, narrow the query, or write all rows to a file with export_data.`,
  'most rows': `More rows exist than a call may have. Aggregate, narrow the query, or write all rows to a file with export_data.`,
  'most rows of the connection': `More rows exist than a call on this connection may have. Aggregate, narrow the query, or write all rows to a file with export_data.`,
  bytes: `No more rows could be held. Aggregate, select fewer columns, or write all rows to a file with export_data.`,
  wire: 'The result is too large to read whole. Select fewer columns, shorter values or fewer rows.',
} as const;

/** How many bytes a call may have, and by what. */
export function answerBytes(
  asked: number | undefined,
  { defaultAnswerBytes, maxAnswerBytes: most }: QueryLimits,
): Pick<Answering, 'maxBytes' | 'bytesBy'> {
  const wanted = asked ?? defaultAnswerBytes;
  return wanted < most
    ? { maxBytes: wanted, bytesBy: 'max_bytes' }
    : { maxBytes: most, bytesBy: 'the most that an answer may have' };
}
