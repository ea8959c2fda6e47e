/** Reads, as the client would, which values a column has where a read found no row (spec §8). */

import type { Cell } from '../../../engines/row-text.ts';
import type { Call } from '../../../statement/call.ts';
import {
  comparisonsIn,
  emptyAsked,
  emptyHint,
  firstRowsAsked,
  firstRowsHint,
} from '../../../statement/empty-answer.ts';
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
  if (columns.length === 0 || rowsAffected !== null) return null;
  const { database, schema } = context;
  const read = async (asked: string): Promise<readonly (readonly Cell[])[]> => {
    const asks = { resolved, sql: asked, timeoutSeconds: hintSeconds, database, schema };
    // The call's own row has the result of its statement.
    const statement = statementOf(ports, { ...call, recorded() {} }, 'execute_query', asks);
    const ran = await runStatement({ ...ports, history: notTheirs }, 'execute_query', statement);
    return ran.kind === 'done' ? ran.resultSet.rows.cells() : [];
  };
  const comparisons = comparisonsIn(sql, parameters);
  if (dialect.commonValues === undefined) {
    const asked = firstRowsAsked(dialect, tables, comparisons);
    return asked && firstRowsHint(asked, await read(asked.sql), comparisons, dialect.foldsCase === true);
  }
  const found: (readonly Cell[])[] = [];
  for (const asked of emptyAsked(tables, comparisons, schema)) found.push(...(await read(dialect.commonValues(asked))));
  return emptyHint(found, comparisons);
}
