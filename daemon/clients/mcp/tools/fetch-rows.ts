/** `fetch_rows` (spec §9): continues a cut answer with rows that were read already. */

import * as z from 'zod';
import { toolError } from '../../../refusal.ts';
import { refused, type Tool } from '../tool.ts';
import { answerBytes, maxBytesArgument, resultAnswer } from './result-answer.ts';
import { resolveFor, type ToolPorts } from './tool-ports.ts';

const input = z.strictObject({
  cursor: z.string().min(1).max(512).describe('next_cursor'),
  max_rows: z.number().int().min(1).optional(),
  max_bytes: maxBytesArgument,
});

export function fetchRows(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'fetch_rows',
    title: 'Get more rows of a result',
    description: 'The next rows of a truncated result, held for 10 minutes.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output: z.looseObject({}),
    async run(call, args) {
      const [, name = '', place = ''] = cursorPattern.exec(args.cursor) ?? [];
      const held = ports.held.find(call.principal, name);
      const from = Number.parseInt(place, 36);
      if (held === null || from >= held.result.rows.length) return refused(gone);
      // If the connection is hidden by now, or asks the user again, that also applies to rows read
      // before.
      const found = await resolveFor(ports, call, held.connection.id);
      if (found.kind === 'refused') return found;
      // It may have been changed while the statement still ran.
      if (found.resolved.connection !== held.connection) return refused(gone);
      const limits = ports.limits();
      const spared = from === held.spared.from ? held.spared.bytes : 0;
      const wanted = args.max_bytes ?? limits.defaultAnswerBytes + spared;
      return resultAnswer({
        resolved: found.resolved,
        dialect: ports.databases.of(held.connection).dialect,
        result: held.result,
        from,
        maxRows: Math.min(args.max_rows ?? limits.maxRows, limits.maxRows),
        ...answerBytes(wanted, limits),
        mayBeShort: { whereBytesEnd: false, whereRowsEnd: false },
        format: held.format,
        statement: null,
        cursorTo: index => cursorOf(name, index),
      });
    },
  };
}

const cursorPattern = /^([\w-]{24})\.([0-9a-z]{1,8})$/;

/** It carries no authority: the rows are found only for the principal that read them. */
export function cursorOf(name: string, index: number): string {
  return `${name}.${index.toString(36)}`;
}

const gone = toolError(
  'invalid_argument',
  'This cursor has expired; run the query again. Rows are kept for 10 minutes, until newer ones need the room or the access changes.',
);
