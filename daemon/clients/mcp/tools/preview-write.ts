/** `preview_write` (spec §9): runs one data change, rolls it back and tells what it would do. */

import * as z from 'zod';
import { type Preview, previewWrite } from '../../../statement/preview/preview.ts';
import { confirmAdvice } from '../refusal-words.ts';
import { whileRunning } from '../running-progress.ts';
import { success, type Tool } from '../tool.ts';
import { connectionArgument } from './arguments.ts';
import { previewedRows, shownRows } from './previewed-rows.ts';
import { accessMeta, reachFor, statementOf, type ToolPorts, timeMeta } from './tool-ports.ts';

const input = z.strictObject({
  connection: connectionArgument,
  sql: z.string().min(1).describe('One INSERT, UPDATE, DELETE, REPLACE or MERGE'),
});

const output = z.looseObject({ rolled_back: z.literal(true) });

export function previewWriteTool(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'preview_write',
    title: 'Preview a write',
    description:
      'Tries a data change, an unbounded one too, and always rolls it back: rows affected, by table with cascades, and up to 5 changed rows: key and what changes, before and after.',
    scope: 'readWrite',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, args) {
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const statement = statementOf(ports, call, 'preview_write', { reached: found.reached, sql: args.sql });
      const result = await whileRunning(call, () => previewWrite(ports, statement));
      if (result.kind === 'refused') return result;
      const { preview } = result;
      const meta = { ...accessMeta(found.reached), ...timeMeta(preview.execution_time_ms) };
      return success(contentOf(preview, confirmAdvice(call.principal.scope)), meta);
    },
  };
}

/** @param advice what to do if execute_query would roll it back. */
function contentOf(preview: Preview, advice: string): Record<string, unknown> {
  const { rows_affected, changes, refused_because: why, returned, warnings } = preview;
  return {
    ...(rows_affected !== null && { rows_affected }),
    ...previewedRows(preview),
    ...(changes && { changes: changes.map(withoutZeros) }),
    ...(why !== undefined && { refused_because: `${why} ${advice}` }),
    ...(returned && { returned: shownRows(returned, null) }),
    ...(warnings && { warnings }),
    rolled_back: true,
  };
}

function withoutZeros({ table, updated, deleted }: NonNullable<Preview['changes']>[number]): Record<string, unknown> {
  return { table, ...(updated > 0 && { updated }), ...(deleted > 0 && { deleted }) };
}
