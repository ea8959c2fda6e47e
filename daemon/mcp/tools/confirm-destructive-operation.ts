/** `confirm_destructive_operation` (SPEC §9, §12): the one tool through which a destructive statement may run. */

import { z } from 'zod';
import { toolError } from '../../refusal.ts';
import { refused, type Tool } from '../tool.ts';
import { connectionArgument } from './arguments.ts';
import { resultSetOutput } from './execute-query.ts';
import { reachFor, type ToolPorts } from './tool-ports.ts';

const input = z.strictObject({ connection: connectionArgument, sql: z.string().min(1).describe('One statement') });

export function confirmDestructiveOperation(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'confirm_destructive_operation',
    title: 'Run a destructive statement',
    description: 'Runs one destructive statement (DROP, TRUNCATE, unbounded DELETE …) after the user said yes to it.',
    scope: 'fullAccess',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    input,
    output: resultSetOutput,
    async run(call, args) {
      const found = reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      return refused(
        toolError(
          'denied',
          'Nobody can be asked for a yes yet, so no destructive statement runs; ask the user to run it.',
        ),
      );
    },
  };
}
