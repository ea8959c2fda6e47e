/**
 * `sallyport query`: one statement on a connection, under the same rules as AI clients (spec §16).
 */

import { shellWord } from '../../shared/client-configs.ts';
import { csvLine } from '../../shared/csv.ts';
import { shownText } from '../../shared/shown-text.ts';
import { misuse } from '../cli-error.ts';
import { columnOf } from '../column-title.ts';
import { command } from '../command.ts';
import { type CallTool, onceMore, withTools } from '../mcp-client.ts';
import { printPaged } from '../pager.ts';
import { type ResultSet, resultLines } from '../result-lines.ts';
import { runRefused } from '../run-refused.ts';
import { printJson, remark, type Terminal } from '../terminal.ts';
import { waitingLine } from '../waiting-line.ts';
import { wholeNumber } from '../words.ts';

const mostRows = 10_000;
const mostBytes = 8 * 1024 * 1024;

export const queryCommand = command(
  {
    words: 'query',
    arguments: ['NAME', 'SQL'],
    missing: { SQL: "SQL is missing: write the statement after the name, in quotes, as in 'SELECT 1'." },
    about: 'Run one statement as an AI client could',
    details: [
      "The rules for AI clients hold here too: the connection's level, the guard, your",
      'approvals. The log names the client terminal. On a terminal, a refused statement',
      'runs once you type your passphrase; the log then names you. A longer answer than the',
      'screen opens in PAGER (less); PAGER=cat prints it through.',
    ],
    options: {
      'max-rows': { type: 'string', value: 'N', about: 'most rows to show, up to 10000 (default: 500)' },
      csv: { type: 'boolean', about: 'print comma-separated values, for a file' },
      timeout: { type: 'string', value: 'SECONDS', about: 'stop it after this time' },
      database: { type: 'string', value: 'NAME', about: 'use another database of that server' },
      schema: { type: 'string', value: 'NAME', about: 'look here for names without a schema' },
    },
  },
  async ({ terminal, arguments: [connection = '', sql = ''], options, json }) => {
    if (options.csv === true && json) throw misuse('Use --csv or --json, not both.');
    const rows = options['max-rows'] === undefined ? undefined : wholeNumber('max-rows', options['max-rows']);
    if (rows !== undefined && (rows < 1 || rows > mostRows)) throw misuse(`--max-rows must be from 1 to ${mostRows}.`);
    const seconds = options.timeout === undefined ? undefined : wholeNumber('timeout', options.timeout);
    const line = waitingLine(terminal);
    const ran = await withTools(terminal, connection, line.show, call =>
      wholeResult(terminal, call, {
        connection,
        sql,
        max_bytes: mostBytes,
        max_rows: rows,
        timeout_seconds: seconds,
        database: options.database,
        schema: options.schema,
      }),
    )
      .finally(line.clear)
      .catch((error: unknown) => {
        const { database = null, schema = null } = options;
        return runRefused(terminal, error, { connection, sql, database, schema, json });
      });
    if (ran === undefined) return;
    const { result, truncatedBy } = ran;
    if (json) return printJson(terminal, result);
    if (options.csv === true) printCsv(terminal, result);
    else await printPaged(terminal, resultLines(terminal, result));
    remark(terminal, outcomeOf(result));
    if (result.hint !== undefined) remark(terminal, result.hint);
    for (const warning of result.warnings ?? []) remark(terminal, warning);
    if (result.truncated) remark(terminal, whyCut(result, truncatedBy, connection));
  },
);

/** Whole in a file or pipe. On a terminal a value can't move the cursor. */
function printCsv({ stdout }: Terminal, { columns, rows }: ResultSet): void {
  const lines = [columns.map(({ name }) => name), ...rows.map(row => row.map(textOf))].map(csvLine);
  stdout.write(stdout.isTTY ? lines.map(line => `${shownText(line.trimEnd())}\n`).join('') : lines.join(''));
}

const textOf = (value: ResultSet['rows'][number][number]): string | null => (value === null ? null : String(value));

/** A member is present only if it says something. */
type Answer = Partial<Omit<ResultSet, 'columns'>> & { readonly columns?: readonly string[] };

/** One answer carries some megabytes; the daemon holds the other rows for the next calls. */
async function wholeResult(
  terminal: Terminal,
  call: CallTool,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly result: ResultSet; readonly truncatedBy: unknown }> {
  let answer = await onceMore(terminal, call, 'execute_query', args);
  const milliseconds = Number(answer.meta['app.sallyport/execution_time_ms']);
  const first: Answer = answer.content;
  const rows = [...(first.rows ?? [])];
  let last = first;
  while (last.next_cursor !== undefined) {
    answer = await call('fetch_rows', { cursor: last.next_cursor, max_bytes: mostBytes });
    last = answer.content;
    rows.push(...(last.rows ?? []));
  }
  const { columns = [], insert_id, hint, warnings, cut_cells } = first;
  const because = last.truncated_because === undefined ? {} : { truncated_because: last.truncated_because };
  const result = {
    row_count: rows.length,
    truncated: last.truncated ?? false,
    ...because,
    rows_affected: first.rows_affected ?? null,
    ...(insert_id !== undefined && { insert_id }),
    execution_time_ms: milliseconds,
    ...(hint !== undefined && { hint }),
    ...(warnings !== undefined && { warnings }),
    ...(cut_cells !== undefined && { cut_cells }),
    columns: columns.map(columnOf),
    rows,
  };
  return { result, truncatedBy: answer.meta['app.sallyport/truncated_by'] };
}

/**
 * Why the result was cut, in a command's words. The daemon's own words name a tool's argument, or
 * omit what only the owner can change.
 */
function whyCut({ truncated_because = '' }: ResultSet, truncatedBy: unknown, connection: string): string {
  if (truncatedBy === 'most_rows_of_connection')
    return `There are more rows than the connection allows; \`sallyport connections set ${shellWord(connection)} --row-limit N\` changes that.`;
  if (truncatedBy === 'most_rows') return 'There are more rows than the setting results.maxRows allows.';
  return truncated_because.includes('max_rows')
    ? 'There are more rows; --max-rows N shows more of them.'
    : truncated_because;
}

function outcomeOf({ columns, row_count, rows_affected, execution_time_ms }: ResultSet): string {
  const counted = (count: number, what: string): string => `${count} ${count === 1 ? 'row' : 'rows'}${what}`;
  const count = columns.length > 0 ? counted(row_count, '') : counted(rows_affected ?? 0, ' changed');
  return `${count}, ${Math.round(execution_time_ms)} ms`;
}
