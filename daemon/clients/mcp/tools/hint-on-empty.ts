/** Reads, as the client would, which values a column has where a read found no row (spec §8). */

import type { Cell } from '../../../engines/row-text.ts';
import type { Call } from '../../../statement/call.ts';
import { comparisonsIn, emptyAsked, emptyHint } from '../../../statement/empty-answer.ts';
import { type RanStatement, runStatement } from '../../../statement/run-statement.ts';
import type { ToolCall } from '../tool.ts';
import { notTheirs, statementOf, type ToolPorts } from './tool-ports.ts';

const hintSeconds = 2;

/** @param ran without rows. @returns a sentence, or null. */
export async function hintOnEmpty(
  ports: ToolPorts,
  call: ToolCall,
  { resolved, sql, parameters, context, database: { dialect } }: Call,
  { resultSet: { columns, rowsAffected }, classification: { tables } }: RanStatement,
): Promise<string | null> {
  if (columns.length === 0 || rowsAffected !== null || dialect.commonValues === undefined) return null;
  const comparisons = comparisonsIn(sql, parameters);
  const found: (readonly Cell[])[] = [];
  for (const asked of emptyAsked(tables, comparisons, context.schema)) {
    // The call's own row has the result of its statement.
    const statement = statementOf(ports, { ...call, recorded() {} }, 'execute_query', {
      resolved,
      sql: dialect.commonValues(asked),
      timeoutSeconds: hintSeconds,
      database: context.database,
    });
    const ran = await runStatement({ ...ports, history: notTheirs }, 'execute_query', statement);
    if (ran.kind === 'done') found.push(...ran.resultSet.rows.cells());
  }
  return emptyHint(found, comparisons);
}
