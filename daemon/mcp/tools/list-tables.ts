/** `list_tables` (spec §9): tables and views of a schema, filtered and paged by us. */

import { z } from 'zod';
import type { Table } from '../../query/database.ts';
import { refusalOf } from '../../query/run.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { refused, success, type Tool } from '../tool.ts';
import { connectionArgument, cursorArgument, databaseArgument, schemaArgument } from './arguments.ts';
import { accessMeta, lookUpContext, reachFor, type ToolPorts } from './tool-ports.ts';

const kinds = [
  'table',
  'view',
  'materialized_view',
  'foreign_table',
  'virtual_table',
  'sequence',
  'other',
] as const satisfies readonly Table['kind'][];

const input = z.strictObject({
  connection: connectionArgument,
  schema: schemaArgument,
  database: databaseArgument,
  include_row_counts: z.boolean().optional().describe('Add the approximate row count the database keeps'),
  kind: z.enum(kinds).optional(),
  search: z.string().min(1).max(256).optional().describe('Part of the name, any case'),
  limit: z.number().int().min(1).max(1000).optional().describe('Default 200'),
  cursor: cursorArgument,
});

const output = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      schema: z.string().nullable(),
      kind: z.enum(kinds),
      comment: z.string().nullable(),
      approximate_row_count: z.number().nullable().optional(),
    }),
  ),
  next_cursor: z.string().optional(),
});

const defaultPage = 200;

export function listTables(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'list_tables',
    title: 'List tables',
    description: 'Tables and views of a connection.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input,
    output,
    async run(call, { limit, cursor, ...question }) {
      const offset = cursor === undefined ? 0 : decodeCursor(question, cursor);
      if (offset === null) return refused({ kind: 'malformed_cursor' });
      const found = await reachFor(ports, call, question.connection);
      if (found.kind === 'refused') return found;
      const { connection } = found.reached;
      const answer = await ports.databases.of(connection).listTables(lookUpContext(ports, call, question));
      if (answer.kind !== 'done') return refused(refusalOf(answer, connection.name));

      const matching = answer.value.filter(table => matches(table, question.kind, question.search));
      const end = offset + (limit ?? defaultPage);
      return success(
        {
          tables: matching.slice(offset, end).map(table => summaryOf(table, question.include_row_counts === true)),
          ...(end < matching.length && { next_cursor: encodeCursor(question, end) }),
        },
        accessMeta(found.reached),
      );
    },
  };
}

function matches(table: Table, kind: Table['kind'] | undefined, search: string | undefined): boolean {
  if (kind !== undefined && table.kind !== kind) return false;
  return search === undefined || table.name.toLowerCase().includes(search.toLowerCase());
}

function summaryOf(table: Table, withRowCount: boolean): Record<string, unknown> {
  const { approximateRowCount, ...summary } = table;
  return withRowCount ? { ...summary, approximate_row_count: approximateRowCount } : summary;
}
