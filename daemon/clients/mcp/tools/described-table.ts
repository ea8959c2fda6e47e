/**
 * One table as `describe_table` answers it: its lines, and what is read of its rows on request, as
 * a statement of the client.
 */

import { ProtocolError } from '@modelcontextprotocol/server';
import type { ResolvedConnection } from '../../../access/resolve-connection.ts';
import type { CallContext, Database, IncomingForeignKey, TableDescription } from '../../../engines/engine.ts';
import { allColumns, quotedName } from '../../../engines/object-name.ts';
import { warningsOn } from '../../../engines/replaced-text.ts';
import { JsonRows } from '../../../engines/row-text.ts';
import type { Refusal } from '../../../refusal.ts';
import {
  mostStatistics,
  mostValueRows,
  sourceOf,
  statisticsAsked,
  statisticsSay,
  valuesOf,
  valuesQuestion,
} from '../../../statement/column-values.ts';
import type { FoundByName } from '../../../statement/named-tables.ts';
import { mostCutsTold } from '../../../statement/preview/rows.ts';
import type { ResultSet } from '../../../statement/result-set.ts';
import { type RunResult, runStatement } from '../../../statement/run-statement.ts';
import { wordsOf } from '../refusal-words.ts';
import type { ToolCall } from '../tool.ts';
import { sampleRow } from './sample-cells.ts';
import { mostReferences, objectLines, tableLines } from './table-lines.ts';
import { notTheirs, statementOf, type ToolPorts } from './tool-ports.ts';

export const sampleRows = 3;
const valuesSeconds = 5;

export interface Asked {
  readonly ports: ToolPorts;
  readonly call: ToolCall;
  readonly resolved: ResolvedConnection;
  readonly database: Database;
  readonly context: CallContext;
  readonly args: {
    readonly include_sample?: boolean | undefined;
    readonly include_values?: boolean | undefined;
    readonly include_ddl?: boolean | undefined;
  };
  /** About the rows and values that are shown. */
  readonly warnings: Set<string>;
}

type Described =
  | { readonly kind: 'described'; readonly lines: readonly Record<string, unknown>[] }
  | { readonly kind: 'missing' };

export async function describeOne(asked: Asked, { table, objects }: FoundByName): Promise<Described> {
  const { args } = asked;
  const { dialect } = asked.database;
  const warn = (shown: { readonly json: string }, { warnings }: ResultSet) => {
    for (const warning of warningsOn(shown, warnings)) asked.warnings.add(warning);
  };
  if (table === null) {
    if (objects.length === 0) return { kind: 'missing' };
    return { kind: 'described', lines: objects.map(object => objectLines(dialect, object)) };
  }
  const lines = tableLines(dialect, await largestReferrersFirst(asked, table), args.include_ddl === true);
  if (table.kind === 'sequence') return { kind: 'described', lines: [lines] };
  if (args.include_values === true) Object.assign(lines, await valuesIn(asked, table, warn));
  if (args.include_sample === true) {
    const from = quotedName(dialect, table.schema, table.name);
    const sql = `SELECT ${allColumns(dialect, table)} FROM ${from} LIMIT ${sampleRows}`;
    const read = await readFor(asked, sql, sampleRows, null);
    if (read.kind === 'refused') lines.sample_missing = sentenceOf(read.refusal, asked.call);
    else {
      warn(read.resultSet.rows, read.resultSet);
      lines.sample = sampleOf(read.resultSet);
    }
  }
  return { kind: 'described', lines: [lines] };
}

/** Of many tables that refer to it, those with most rows are asked about most. */
async function largestReferrersFirst({ database, context }: Asked, table: TableDescription): Promise<TableDescription> {
  const { referencedBy } = table;
  if (referencedBy === null || referencedBy.length <= mostReferences) return table;
  const listed = await database.listTables({ ...context, schema: null }, true, 'everywhere');
  if (listed.kind !== 'done') return table;
  const keyOf = (schema: string | null, name: string) => JSON.stringify([schema, name]);
  const rows = new Map(listed.value.map(each => [keyOf(each.schema, each.name), each.approximateRowCount ?? 0]));
  const rowsOf = (key: IncomingForeignKey) => rows.get(keyOf(key.schema, key.table)) ?? 0;
  return { ...table, referencedBy: referencedBy.toSorted((a, b) => rowsOf(b) - rowsOf(a)) };
}

/** What statistics don't know, or this role may not read there, is read from the first rows. */
async function valuesIn(
  asked: Asked,
  table: TableDescription,
  warn: (shown: { readonly json: string }, read: ResultSet) => void,
): Promise<Record<string, unknown>> {
  const { dialect } = asked.database;
  const about = dialect.commonValues === undefined ? null : statisticsAsked(table);
  const told = about && (await readFor(asked, dialect.commonValues?.(about) ?? '', mostStatistics, valuesSeconds));
  const known = told?.kind === 'done' ? statisticsSay(table, told.resultSet.rows.cells()) : {};
  const question = valuesQuestion(dialect, table, known);
  const read = question && (await readFor(asked, question.sql, mostValueRows, valuesSeconds));
  const first = question && read?.kind === 'done' ? valuesOf(question.columns, read.resultSet.rows.cells()) : {};
  const values = { ...known, ...first };
  if (read?.kind === 'done') warn({ json: JSON.stringify(values) }, read.resultSet);
  const source = sourceOf(table, known, first);
  const isTold = [told, read].some(ran => ran?.kind === 'done');
  return {
    ...(isTold && { values }),
    ...(source !== null && { values_of: source }),
    ...(read?.kind === 'refused' && { values_missing: sentenceOf(read.refusal, asked.call) }),
  };
}

/** With notes about cuts: a model would take the beginning of a long text for the whole. */
function sampleOf({ columns, rows, cutCells: known }: ResultSet): Record<string, unknown> {
  const shown = Array.from({ length: rows.length }, (_, row) =>
    sampleRow({
      json: rows.at(row),
      cuts: known.filter(cut => cut.row === row).map(cut => ({ column: cut.column, fullBytes: cut.full_bytes })),
    }),
  );
  const cutCells = shown.flatMap(({ cuts }, row) =>
    cuts.map(({ column, fullBytes }) => ({ row, column, full_bytes: fullBytes })),
  );
  return {
    columns: columns.map(column => column.name),
    ...(cutCells.length > 0 && { cut_cells: cutCells.slice(0, mostCutsTold) }),
    ...(cutCells.length > mostCutsTold && { cut_cell_count: cutCells.length }),
    rows: new JsonRows(shown.map(({ json }) => json)),
  };
}

/** Judged and recorded like any read of the client. */
function readFor(
  { ports, call, resolved, context }: Asked,
  sql: string,
  maxRows: number,
  timeoutSeconds: number | null,
): Promise<RunResult> {
  const { database } = context;
  const statement = statementOf(ports, call, 'describe_table', { resolved, sql, maxRows, timeoutSeconds, database });
  return runStatement({ ...ports, history: notTheirs }, 'execute_query', statement);
}

function sentenceOf(refusal: Refusal, { principal }: ToolCall): string {
  const worded = wordsOf(refusal, principal.scope);
  return worded instanceof ProtocolError ? 'They could not be read.' : worded.sentence;
}
