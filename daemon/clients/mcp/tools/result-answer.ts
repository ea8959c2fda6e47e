/**
 * A result set as an answer (spec §8): counts first, then as many rows as fit, and how to get the
 * others.
 */

import * as z from 'zod';
import { csvLine } from '../../../../shared/csv.ts';
import type { ResolvedConnection } from '../../../access/resolve-connection.ts';
import type { Dialect } from '../../../engines/dialect.ts';
import type { Column } from '../../../engines/engine.ts';
import { writtenName } from '../../../engines/object-name.ts';
import { textReplaced, warningsOn } from '../../../engines/replaced-text.ts';
import { printedCells } from '../../../engines/row-text.ts';
import type { QueryLimits } from '../../../statement/query-limits.ts';
import type { ResultSet, Truncation } from '../../../statement/result-set.ts';
import { shownColumns } from '../../../statement/shown-columns.ts';
import type { ToolSuccess } from '../tool.ts';
import { chosenPage, type PageOptions } from './chosen-page.ts';
import { accessMeta, timeMeta } from './tool-ports.ts';

export const formats = ['rows', 'csv', 'markdown'] as const;

export const maxBytesArgument = z
  .number()
  .int()
  .refine(bytes => bytes >= 1024 && bytes <= 8 * 1024 * 1024, 'from 1024 to 8388608')
  .optional();

/** Members appear only if they say something: a model pays for null and false as for a value. */
export const resultSetOutput = z.looseObject({});

/** A model can count a few rows itself. */
const fewRows = 10;
/** Shorter times vary by chance. */
const noteworthyMilliseconds = 100;

export interface ResultAnswerOptions extends PageOptions {
  readonly resolved: ResolvedConnection;
  readonly dialect: Dialect;
  readonly format: string;
  /** A sentence on why there may be no rows. */
  readonly hint?: string | null;
  /** The statement's own figures; null if an earlier answer gave them. */
  readonly statement: Pick<ResultSet, 'rowsAffected' | 'insertId' | 'milliseconds'> | null;
}

export function resultAnswer(answering: ResultAnswerOptions): ToolSuccess {
  const { result, statement, format, dialect } = answering;
  const columns = shownColumns(result.columns, answering.maxBytes);
  const titles = columns.map(column => titleOf(dialect, column));
  const printed = printers[format] ?? null;
  const head = printed?.titles(columns.map(({ name }) => name)) ?? '';
  // An earlier answer gave the statement's warnings, but not those about cells that it did not
  // show.
  const warnings = statement === null ? result.warnings.filter(warning => warning === textReplaced) : result.warnings;
  const besideRows = Buffer.byteLength(JSON.stringify([titles, warnings])) + sayingBytes + Buffer.byteLength(head);
  const { page, cursor, because } = chosenPage(answering, besideRows, printed?.line ?? null);
  // Member by member: V8 makes a separate shape for each spread object, and code that meets many
  // shapes is slow.
  const content: Record<string, unknown> = {};
  if (printed !== null || page.rows.length >= fewRows) content.row_count = page.rows.length;
  if (because !== null) {
    content.truncated = true;
    content.truncated_because = because;
  }
  if (cursor !== null) content.next_cursor = cursor;
  if (statement !== null) {
    if (statement.rowsAffected !== null) content.rows_affected = statement.rowsAffected;
    if (statement.insertId !== undefined) content.insert_id = statement.insertId;
    if (statement.milliseconds >= noteworthyMilliseconds)
      content.execution_time_ms = Math.round(statement.milliseconds);
  }
  const pageWarnings = warningsOn(page.rows, warnings);
  if (answering.hint != null) content.hint = answering.hint;
  if (pageWarnings.length > 0) content.warnings = pageWarnings;
  if (page.cutCells.length > 0) content.cut_cells = page.cutCells;
  const text = printed === null ? null : `${JSON.stringify(content)}\n\n${head}${page.lines.join('')}`;
  if (columns.length > 0 || content.rows_affected === undefined) {
    content.columns = titles;
    content.rows = page.rows;
  }
  const meta = metaOf(answering.resolved, page.next === result.rows.length && result.truncatedBy);
  return {
    kind: 'success',
    structuredContent: content,
    text,
    meta: statement === null ? meta : { ...meta, ...timeMeta(statement.milliseconds) },
  };
}

/** As a description writes it: `amount numeric(12,2)`, `"Odd Name" text`. */
function titleOf(dialect: Dialect, { name, type }: Column): string {
  const written = writtenName(dialect, name);
  return type === '' ? written : `${written} ${type}`;
}

/** The counts, a sentence, a cursor and all member names. */
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

/** For a program that explains the owner's limits to the owner, such as `sallyport query`. */
function metaOf(resolved: ResolvedConnection, truncatedBy: Truncation | null | false): Record<string, unknown> {
  const meta = accessMeta(resolved);
  if (truncatedBy === 'most rows') meta['app.sallyport/truncated_by'] = 'most_rows';
  if (truncatedBy === 'most rows of the connection') meta['app.sallyport/truncated_by'] = 'most_rows_of_connection';
  return meta;
}

/** How many bytes a call may have, and what set the number. */
export function answerBytes(
  asked: number | undefined,
  { defaultAnswerBytes, maxAnswerBytes: most }: QueryLimits,
): Pick<ResultAnswerOptions, 'maxBytes' | 'bytesBy'> {
  const wanted = asked ?? defaultAnswerBytes;
  return wanted < most
    ? { maxBytes: wanted, bytesBy: 'max_bytes' }
    : { maxBytes: most, bytesBy: 'the most that an answer may have' };
}

/** A row of a Markdown table. What would end a cell or line is escaped; an absent value says so. */
function markdownLine(cells: readonly (string | null)[]): string {
  return `| ${cells.map(field).join(' | ')} |\n`;
}

/** The line below the column names. */
function markdownRule(columns: number): string {
  return `|${' --- |'.repeat(columns)}\n`;
}

function field(cell: string | null): string {
  return cell === null ? 'NULL' : cell.replace(/[\\|]/g, '\\$&').replace(/\r\n|[\r\n]/g, '<br>');
}
