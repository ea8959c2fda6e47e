/** `execute_query` (spec §9): one statement of the client's, with its result set. */

import { z } from 'zod';
import { maxParameters } from '../../query/limits.ts';
import { type ResultSet, type RunRequest, runStatement } from '../../query/run.ts';
import { whileRunning } from '../running-progress.ts';
import { success, type Tool } from '../tool.ts';
import { connectionArgument, databaseArgument, schemaArgument } from './arguments.ts';
import { csvOf } from './csv.ts';
import { accessMeta, askerOf, reachFor, type ToolPorts } from './tool-ports.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const input = z.strictObject({
  connection: connectionArgument,
  sql: z.string().min(1).describe('One statement'),
  parameters: z.array(cell).max(maxParameters).optional().describe('Positional: $1 on PostgreSQL, ? elsewhere'),
  max_rows: z.number().int().min(1).max(10_000).optional().describe('Default 500'),
  timeout_seconds: z.number().min(0.1).max(300).optional().describe('Default 30'),
  schema: schemaArgument,
  database: databaseArgument,
  format: z.enum(['rows', 'csv']).optional().describe('csv: the rows as one CSV text'),
});

export const resultSetOutput = z.object({
  columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.unknown())).optional(),
  csv: z.string().optional(),
  row_count: z.number(),
  rows_affected: z.number().nullable(),
  execution_time_ms: z.number(),
  truncated: z.boolean(),
  truncated_because: z.string().optional(),
  cut_cells: z.array(z.unknown()).optional(),
  warnings: z.array(z.string()).optional(),
});

const exactValues = 'Integers and decimals that JSON would round come as strings, binary as \\x hex.';

export function executeQuery(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'execute_query',
    title: 'Run a query',
    description: `Runs one SQL statement: a read, or a write where the connection allows it; a write that empties a table or changes too many rows is rolled back. ${exactValues}`,
    scope: 'readOnly',
    // It may update and delete rows: more than the additive that `false` would promise.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    toReaders: {
      description: `Runs one SQL statement that reads. ${exactValues}`,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    input,
    output: resultSetOutput,
    async run(call, args) {
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const request: RunRequest = {
        reached: found.reached,
        asker: askerOf(call, 'execute_query'),
        client: call.client,
        sql: args.sql,
        parameters: args.parameters ?? [],
        maxRows: args.max_rows ?? null,
        timeoutSeconds: args.timeout_seconds ?? null,
        schema: args.schema ?? null,
        database: args.database ?? null,
        signal: call.signal,
      };
      const result = await whileRunning(call, () => runStatement(ports, 'execute_query', request));
      if (result.kind === 'refused') return result;
      return success(
        args.format === 'csv' ? inCsv(result.resultSet) : { ...result.resultSet },
        accessMeta(found.reached),
      );
    },
  };
}

function inCsv({ rows, ...rest }: ResultSet): Record<string, unknown> {
  return { ...rest, csv: csvOf(rest.columns, rows.cells()) };
}
