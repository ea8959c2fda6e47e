/**
 * `describe_table` (spec §9): what a model needs to know about tables and other named objects
 * before it writes SQL.
 */

import { ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Reached } from '../../../access/reach.ts';
import type { CallContext, Database } from '../../../engines/engine.ts';
import { quotedName } from '../../../engines/object-name.ts';
import { warningsOn } from '../../../engines/replaced-text.ts';
import { JsonRows } from '../../../engines/row-text.ts';
import { type Refusal, toolError } from '../../../refusal.ts';
import { mostValueRows, rowsLookedAt, valuesOf, valuesQuestion } from '../../../statement/column-values.ts';
import { refusalOf } from '../../../statement/failure-refusals.ts';
import { findNamed, missingSentences, type Named } from '../../../statement/named-tables.ts';
import { mostCutsTold } from '../../../statement/preview/rows.ts';
import type { ResultSet } from '../../../statement/result-set.ts';
import { type RunResult, runStatement } from '../../../statement/run-statement.ts';
import { boundedContent } from '../bounded.ts';
import { wordsOf } from '../refusal-words.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, success, type Tool, type ToolCall } from '../tool.ts';
import { connectionArgument, databaseArgument, schemaArgument } from './arguments.ts';
import { sampleRow } from './sample-cells.ts';
import { objectLines, tableLines } from './table-lines.ts';
import { accessMeta, lookUpContext, reachFor, statementOf, type ToolPorts } from './tool-ports.ts';

const sampleRows = 3;
const mostTables = 10;
const valuesSeconds = 5;

const name = z.string().min(1).max(256);

const input = z.strictObject({
  connection: connectionArgument,
  table: name.optional(),
  tables: z.array(name).min(1).max(mostTables).optional(),
  schema: schemaArgument,
  database: databaseArgument,
  include_sample: z.boolean().optional().describe(`Add ${sampleRows} rows`),
  include_values: z.boolean().optional().describe('List the values of columns with few distinct ones'),
  include_ddl: z.boolean().optional(),
});

/** Members appear if there is something to say: table-lines.ts. */
const output = z.looseObject({});

const rest =
  'Cut to the most that an answer holds: describe fewer tables, or read a long definition from the catalog in parts.';

interface Asked {
  readonly ports: ToolPorts;
  readonly call: ToolCall;
  readonly reached: Reached;
  readonly database: Database;
  readonly context: CallContext;
  readonly args: z.infer<typeof input>;
  /** About the rows and values that are shown. */
  readonly warnings: Set<string>;
}

export function describeTable(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'describe_table',
    title: 'Describe tables',
    description: `Columns, keys both ways, indexes, checks of up to ${mostTables} tables; views, routines, types too.`,
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, args) {
      const names = [...new Set([...(args.table === undefined ? [] : [args.table]), ...(args.tables ?? [])])];
      if (names.length === 0) return refused(toolError('invalid_argument', 'Name a table, or up to 10 as tables.'));
      if (names.length > mostTables)
        return refused(toolError('invalid_argument', `Name at most ${mostTables} tables in all.`));
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { reached } = found;
      const database = ports.databases.of(reached.connection);
      const asked = {
        ports,
        call,
        reached,
        database,
        context: lookUpContext(ports, call, args),
        args,
        warnings: new Set<string>(),
      };

      const tables: Record<string, unknown>[] = [];
      const missing: string[] = [];
      const describeAll = async (): Promise<ReturnType<typeof refused> | null> => {
        const unknown: Named[] = [];
        const answer = await findNamed(database, asked.context, names, args.include_ddl === true);
        if (answer.kind !== 'done') return refused(refusalOf(answer, reached.connection.name));
        for (const named of answer.value) {
          const described = await describeOne(asked, named);
          if (described.kind === 'missing') unknown.push(named);
          else tables.push(...described.lines);
        }
        missing.push(...(await missingSentences(database, asked.context, reached.connection.name, unknown)));
        return null;
      };
      const unread = await whileRunning(call, describeAll, seconds => `reading the catalog for ${seconds} s`);
      if (unread !== null) return unread;
      if (tables.length === 0) return refused(toolError('query_failed', missing.join(' ')));
      const warnings = [...asked.warnings];
      const content = {
        ...(warnings.length > 0 && { warnings }),
        tables,
        ...(missing.length > 0 && { not_found: missing }),
      };
      return success(boundedContent(content, ports.limits().maxAnswerBytes, rest), accessMeta(reached));
    },
  };
}

type Described =
  | { readonly kind: 'described'; readonly lines: readonly Record<string, unknown>[] }
  | { readonly kind: 'missing' };

async function describeOne(asked: Asked, { table, objects }: Named): Promise<Described> {
  const { args } = asked;
  const { dialect } = asked.database;
  const warn = (shown: { readonly json: string }, { warnings }: ResultSet) => {
    for (const warning of warningsOn(shown, warnings)) asked.warnings.add(warning);
  };
  if (table === null) {
    if (objects.length === 0) return { kind: 'missing' };
    return { kind: 'described', lines: objects.map(object => objectLines(dialect, object)) };
  }
  const lines = tableLines(dialect, table, args.include_ddl === true);
  if (table.kind === 'sequence') return { kind: 'described', lines: [lines] };
  if (args.include_values === true) {
    const question = valuesQuestion(dialect, table);
    const read = question && (await readFor(asked, question.sql, mostValueRows, valuesSeconds));
    if (read?.kind === 'done' && question !== null) {
      lines.values = valuesOf(question.columns, read.resultSet.rows.cells());
      warn({ json: JSON.stringify(lines.values) }, read.resultSet);
      if ((table.approximateRowCount ?? rowsLookedAt) >= rowsLookedAt)
        lines.values_of = `the first ${rowsLookedAt} rows`;
    } else if (read?.kind === 'refused') lines.values_missing = sentenceOf(read.refusal, asked.call);
  }
  if (args.include_sample === true) {
    const from = quotedName(dialect, table.schema, table.name);
    const read = await readFor(asked, `SELECT * FROM ${from} LIMIT ${sampleRows}`, sampleRows, null);
    if (read.kind === 'refused') lines.sample_missing = sentenceOf(read.refusal, asked.call);
    else {
      warn(read.resultSet.rows, read.resultSet);
      lines.sample = sampleOf(read.resultSet);
    }
  }
  return { kind: 'described', lines: [lines] };
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
  { ports, call, reached, context }: Asked,
  sql: string,
  maxRows: number,
  timeoutSeconds: number | null,
): Promise<RunResult> {
  const { database } = context;
  const statement = statementOf(ports, call, 'describe_table', { reached, sql, maxRows, timeoutSeconds, database });
  return runStatement({ ...ports, history: notTheirs }, 'execute_query', statement);
}

function sentenceOf(refusal: Refusal, { principal }: ToolCall): string {
  const worded = wordsOf(refusal, principal.scope);
  return worded instanceof ProtocolError ? 'They could not be read.' : worded.sentence;
}

/**
 * The history holds statements that a client wrote (spec §9). The activity log records this read
 * anyway.
 */
const notTheirs: ToolPorts['history'] = { record() {} };
