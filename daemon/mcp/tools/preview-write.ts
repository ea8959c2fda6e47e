/** `preview_write` (spec §9): what one data change would do, tried and rolled back. */

import * as z from 'zod';
import { previewWrite } from '../../query/preview/preview.ts';
import { confirmAdvice } from '../refusal-words.ts';
import { whileRunning } from '../running-progress.ts';
import { success, type Tool } from '../tool.ts';
import { connectionArgument } from './arguments.ts';
import { accessMeta, askerOf, reachFor, type ToolPorts } from './tool-ports.ts';

const input = z.strictObject({
  connection: connectionArgument,
  sql: z.string().min(1).describe('One INSERT, UPDATE, DELETE, REPLACE or MERGE'),
});

/** As `execute_query` gives them; said in fewer words, since it stands here three times and models pay for each. */
const rows = z.object({ columns: z.array(z.unknown()), rows: z.array(z.array(z.unknown())) }).optional();

const output = z.object({
  class: z.enum(['write', 'destructive']),
  rows_affected: z.number().nullable(),
  before: rows,
  after: rows,
  changes: z.array(z.unknown()).optional(),
  refused_because: z.string().optional(),
  returned: rows,
  warnings: z.array(z.string()).optional(),
  rolled_back: z.literal(true),
  execution_time_ms: z.number(),
});

export function previewWriteTool(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'preview_write',
    title: 'Preview a write',
    description:
      'Tries a data change, an unbounded one too, and always rolls it back: rows affected, by table with cascades, and up to 5 changed rows before and after, paired by key.',
    scope: 'readWrite',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, args) {
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { client, signal } = call;
      const asker = askerOf(call, 'preview_write');
      const request = { reached: found.reached, asker, client, sql: args.sql, signal };
      const result = await whileRunning(call, () => previewWrite(ports, request));
      if (result.kind === 'refused') return result;
      const { refused_because: why } = result.preview;
      const told = why !== undefined && { refused_because: `${why} ${confirmAdvice(call.principal.scope)}` };
      return success({ ...result.preview, ...told }, accessMeta(found.reached));
    },
  };
}
