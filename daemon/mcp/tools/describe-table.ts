/** `describe_table` (spec §9): everything about one table that a model needs before it writes SQL. */

import { z } from 'zod';
import type { TableDescription } from '../../query/database.ts';
import { quoteQualified } from '../../query/identifiers.ts';
import { refusalOf, runStatement } from '../../query/run.ts';
import { toolError } from '../../refusal.ts';
import { refused, success, type Tool } from '../tool.ts';
import { connectionArgument, databaseArgument, schemaArgument } from './arguments.ts';
import { accessMeta, askerOf, lookUpContext, reachFor, type ToolPorts } from './tool-ports.ts';

const sampleRows = 3;

const input = z.strictObject({
  connection: connectionArgument,
  table: z.string().min(1).max(256),
  schema: schemaArgument,
  database: databaseArgument,
  include_sample: z.boolean().optional().describe(`Add ${sampleRows} rows`),
});

/** Models read the answer, not its schema: what is inside the lists is told by the first column and by the names. */
const list = z.array(z.unknown());

const output = z.object({
  name: z.string(),
  schema: z.string().nullable(),
  kind: z.string(),
  comment: z.string().nullable(),
  columns: z.array(z.looseObject({ name: z.string(), type: z.string(), nullable: z.boolean() })),
  primary_key: z.array(z.string()),
  foreign_keys: list,
  referenced_by: list,
  indexes: list,
  checks: list,
  triggers: list,
  ddl: z.string().nullable(),
  approximate_row_count: z.number().nullable(),
  size_bytes: z.number().nullable(),
  sample: z.object({ columns: z.array(z.string()), rows: z.array(list) }).optional(),
});

export function describeTable(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'describe_table',
    title: 'Describe a table',
    description: 'Columns, keys both ways, indexes, checks, triggers and DDL of one table. Call it before writing SQL.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input,
    output,
    async run(call, args) {
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { connection } = found.reached;
      const context = lookUpContext(ports, call, args);
      const answer = await ports.databases.of(connection).describeTable(context, args.table);
      if (answer.kind !== 'done') return refused(refusalOf(answer, connection.name));
      if (answer.value === null) {
        return refused(
          toolError(
            'query_failed',
            `"${connection.name}" has no table or view "${args.table}"; list_tables names them.`,
          ),
        );
      }
      const description = wireForm(answer.value);
      if (args.include_sample !== true) return success(description, accessMeta(found.reached));

      const sample = await runStatement({ ...ports, history: notTheirs }, 'execute_query', {
        reached: found.reached,
        asker: askerOf(call, 'describe_table'),
        client: call.client,
        sql: `SELECT * FROM ${quoteQualified(connection.engine, answer.value.schema, answer.value.name)} LIMIT ${sampleRows}`,
        parameters: [],
        maxRows: sampleRows,
        timeoutSeconds: null,
        schema: null,
        database: args.database ?? null,
        signal: call.signal,
      });
      if (sample.kind === 'refused') return sample;
      const { columns, rows } = sample.resultSet;
      return success(
        { ...description, sample: { columns: columns.map(column => column.name), rows } },
        accessMeta(found.reached),
      );
    },
  };
}

/** The history is of statements that a client wrote (spec §9). What was read stands in the activity log all the same. */
const notTheirs: ToolPorts['history'] = { record() {} };

function wireForm(table: TableDescription): Record<string, unknown> {
  return {
    name: table.name,
    schema: table.schema,
    kind: table.kind,
    comment: table.comment,
    columns: table.columns.map(({ primaryKey, allowedValues, ...column }) => ({
      ...column,
      primary_key: primaryKey,
      allowed_values: allowedValues,
    })),
    primary_key: table.primaryKey,
    foreign_keys: table.foreignKeys.map(key => ({
      name: key.name,
      columns: key.columns,
      referenced_schema: key.referencedSchema,
      referenced_table: key.referencedTable,
      referenced_columns: key.referencedColumns,
      on_update: key.onUpdate,
      on_delete: key.onDelete,
    })),
    referenced_by: table.referencedBy.map(({ referencedColumns, ...key }) => ({
      ...key,
      referenced_columns: referencedColumns,
    })),
    indexes: table.indexes,
    checks: table.checks,
    triggers: table.triggers,
    ddl: table.ddl,
    approximate_row_count: table.approximateRowCount,
    size_bytes: table.sizeBytes,
  };
}
