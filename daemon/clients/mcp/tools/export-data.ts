/**
 * `export_data` (spec §9): writes a read, or a whole table, to a new file in the user's Downloads.
 */

import * as z from 'zod';
import type { CallContext, Column, Database, StatementOutcome } from '../../../engines/engine.ts';
import { allColumns, quotedName, readName } from '../../../engines/object-name.ts';
import { cellsOf, type RowText } from '../../../engines/row-text.ts';
import { beginning } from '../../../engines/shorten.ts';
import { type Refusal, toolError } from '../../../refusal.ts';
import type { StatementInput } from '../../../statement/call.ts';
import { type ExportSink, exportRows } from '../../../statement/export.ts';
import type { ExportedFile, OpenExport } from '../../../statement/exported-file.ts';
import { findNamed } from '../../../statement/named-tables.ts';
import { unrecordedWarning } from '../../../statement/record.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, success, type Tool } from '../tool.ts';
import { type ExportFormat, type ExportLines, exportFormats, exportLines, isFormula } from './export-lines.ts';
import { connectionArgument } from './shared-arguments.ts';
import { accessMeta, lookUpContext, resolveFor, statementOf, type ToolPorts } from './tool-ports.ts';

export interface ExportToolPorts extends ToolPorts {
  readonly openExport: OpenExport;
}

const input = z.strictObject({
  connection: connectionArgument,
  sql: z.string().min(1).optional(),
  table: z.string().min(1).max(513).optional(),
  format: z.enum(exportFormats),
  file_name: z
    .string()
    .refine(
      name => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name),
      'a name of 1 to 100 of A-Z, a-z, 0-9, ., _ and -, the first a letter or digit',
    )
    .optional(),
});

const output = z.looseObject({});

/** For a file: more than a spreadsheet opens, and little enough that a mistake does no harm. */
const maxExportBytes = 1024 * 1024 * 1024;
/** They show that the file is the intended one; more lines would tell no more. */
const linesShown = 3;
const lineShown = 200;
const firstCharacters = 2 * 1024;

export function exportData(ports: ExportToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'export_data',
    title: 'Export to a file',
    description: "Writes a read or a table to a new file in the user's Downloads.",
    scope: 'readOnly',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    input,
    output,
    async run(call, args) {
      if ((args.sql === undefined) === (args.table === undefined))
        return refused(toolError('invalid_argument', 'Name either sql or table.'));
      const found = await resolveFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { resolved } = found;
      const { name } = resolved.connection;
      const database = ports.databases.of(resolved.connection);
      const away = rowsToFile(ports.openExport, args.file_name ?? nameOf(args.table ?? name), args.format);
      const context = lookUpContext(ports, call, {});
      const run = async () => {
        const { sql, table = '' } = args;
        const asked = sql === undefined ? await wholeTable(database, context, table) : { sql };
        const statement = statementOf(ports, call, 'export_data', { resolved, ...asked });
        return exportRows(ports, statement, away, maxExportBytes);
      };
      const ended = await whileRunning(call, run, () => `${away.rows()} rows, ${away.bytes()} bytes so far`);
      if (ended.kind === 'refused') return ended;
      return success(away.facts(unrecordedWarning(ports.activity)), accessMeta(resolved));
    },
  };
}

/** A whole table, named as list_tables writes it: `billing.inv_hdr`, `"Odd Name"`. */
async function wholeTable(
  database: Database,
  context: CallContext,
  table: string,
): Promise<Pick<StatementInput, 'sql' | 'database'>> {
  const { dialect } = database;
  const { database: within, schema, name } = readName(table) ?? { database: null, schema: null, name: table };
  const found = await findNamed(database, context, [table], false);
  const described = found.kind === 'done' ? (found.value[0]?.table ?? null) : null;
  // The statement's own error says best what is wrong.
  const columns = described === null ? '*' : allColumns(dialect, described);
  return { sql: `SELECT ${columns} FROM ${quotedName(dialect, schema, name)}`, database: within };
}

/** The characters that a file name may have. */
function nameOf(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  return /^[A-Za-z0-9]/.test(plain) ? plain : `export${plain}`;
}

interface RowsToFile extends ExportSink {
  bytes(): number;
  /** @param unrecorded the warning if the activity log can't be written. */
  facts(unrecorded: string | null): Record<string, unknown>;
}

/** Opens the file when the result begins, so a refused statement leaves none. */
function rowsToFile(openExport: OpenExport, givenName: string, format: ExportFormat): RowsToFile {
  const suffix = `.${format}`;
  const name = givenName.toLowerCase().endsWith(suffix) ? givenName.slice(0, -suffix.length) : givenName;
  let lines: ExportLines | null = null;
  let columns: readonly Column[] = [];
  let opening: Promise<void> | null = null;
  let file: ExportedFile | null = null;
  let problem: string | null = null;
  let rows = 0;
  let bytes = 0;
  let formulas = 0;
  let first = '';
  let databaseWarnings: readonly string[] = [];
  /** Until the file is open. */
  let early: string[] = [];

  async function open(): Promise<void> {
    const opened = await openExport(name, format);
    if (opened.kind === 'problem') problem ??= opened.sentence;
    else {
      ({ file } = opened);
      for (const text of early) file.write(text);
    }
    early = [];
    opening = null;
  }

  function write(text: string): void {
    bytes += Buffer.byteLength(text);
    if (first.length <= firstCharacters) first += text.slice(0, firstCharacters + 1);
    if (file === null) early.push(text);
    else file.write(text);
  }

  function why({ cuts }: RowText): string | null {
    const [cut] = cuts;
    if (cut !== undefined) {
      const length = cut.fullBytes === null ? '' : `, ${cut.fullBytes} bytes,`;
      return `The value of "${columns[cut.column]?.name}" in row ${rows + 1}${length} is longer than a value of a file may be, and no file is written with half a value. Leave the column out, or shorten it in the query.`;
    }
    if (bytes > maxExportBytes) return 'The file would be larger than 1 GiB. Narrow the query, or export it in parts.';
    return file?.problem() ?? null;
  }

  return {
    columns(given) {
      columns = given;
      lines = exportLines(format, given);
      opening = open();
      write(lines.head);
    },
    row(row) {
      if (lines === null) return false;
      problem ??= why(row);
      if (problem !== null) return false;
      if (format === 'csv') formulas += cellsOf(row).filter(cell => typeof cell === 'string' && isFormula(cell)).length;
      write(lines.line(row.json, rows));
      rows += 1;
      return true;
    },
    full: () => opening ?? file?.full() ?? null,
    async end(outcome: StatementOutcome): Promise<Refusal | null> {
      await opening;
      if (outcome.kind === 'done') databaseWarnings = outcome.warnings;
      if (outcome.kind === 'done' && lines === null) problem ??= 'The statement gives no rows to export.';
      if (outcome.kind === 'done' && outcome.cutByWire)
        problem ??= 'The result is too large to export. Narrow the query.';
      if (file === null) return problem === null ? null : toolError('unsupported', problem);
      if (outcome.kind === 'done' && problem === null) {
        write(lines?.foot ?? '');
        problem = await file.close();
        if (problem === null) return null;
      }
      await file.remove();
      return problem === null ? null : toolError('unsupported', `${problem} The file was removed.`);
    },
    rows: () => rows,
    bytes: () => bytes,
    facts(unrecorded) {
      const formula = formulas > 0 ? [formulaWarning(formulas)] : [];
      const warnings = [...databaseWarnings, ...formula, ...(unrecorded === null ? [] : [unrecorded])];
      return {
        path: file?.path ?? '',
        rows,
        bytes,
        first_lines: firstLines(first),
        ...(warnings.length > 0 && { warnings }),
      };
    },
  };
}

/** A longer line ends with an ellipsis. */
function firstLines(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, linesShown).map(line => beginning(line, lineShown));
  return shown.join('\n') + (lines.length > linesShown ? '\n' : '');
}

function formulaWarning(count: number): string {
  return `${count} texts begin with =, +, - or @: a spreadsheet may run them as formulas. They are written as they are in the database; import these columns as text.`;
}
