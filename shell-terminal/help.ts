/** The help of `sallyport` as text (spec §16). */

import { type CommandGroup, type CommandSpec, optionRows, usageOf } from './command.ts';
import { examples } from './examples.ts';
import { textWidth } from './table.ts';
import { wrapped } from './terminal.ts';

/**
 * A wider terminal gets no longer lines, because they are harder to read. A pipe gets this width.
 */
const mostColumns = 80;

/** @param terminalColumns null for a pipe. */
export function wholeHelp(groups: readonly CommandGroup[], terminalColumns: number | null): string {
  const columns = Math.min(terminalColumns ?? mostColumns, mostColumns);
  const rowsOf = (commands: readonly CommandSpec[]): Row[] =>
    commands.map(spec => [[spec.words, ...spec.arguments].join(' '), spec.about]);
  const width = leftWidth(groups.flatMap(({ commands }) => rowsOf(commands)));
  return [
    ...wrapped('sallyport: let AI clients use your databases without giving them your passwords', columns, ''),
    '',
    'Usage: sallyport COMMAND [options]',
    '',
    ...groups.flatMap(({ title, commands }) => {
      const own = aligned(rowsOf(commands), columns, width);
      return title === null ? [...own, ''] : [`${title}:`, ...own, ''];
    }),
    ...wrapped('`sallyport COMMAND --help` explains a command. --json prints data as JSON.', columns, ''),
    ...wrapped('Exit codes: 0 done, 1 refused or failed, 2 misuse, 69 Sallyport is not running.', columns, ''),
  ].join('\n');
}

export function commandHelp(spec: CommandSpec, terminalColumns: number | null): string {
  const columns = Math.min(terminalColumns ?? mostColumns, mostColumns);
  const details = spec.details === undefined ? [] : ['', ...wrapped(spec.details.join(' '), columns, '')];
  const usage = wrapped(`Usage: ${usageOf(spec)}`, columns, '  ');
  return [
    ...usage,
    '',
    ...wrapped(`${spec.about}.`, columns, ''),
    ...details,
    '',
    ...aligned(optionRows(spec), columns),
    ...exampleLines(spec, columns),
  ].join('\n');
}

function exampleLines({ words }: CommandSpec, columns: number): string[] {
  const typed = examples[words] ?? [];
  return ['', 'Examples:', ...typed.flatMap(line => folded(`sallyport ${line}`, columns - 4)).map(line => `  ${line}`)];
}

/** Folds a command between words of the shell alone, so that it runs as it is copied. */
function folded(typed: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of typed.match(/'[^']*'|\S+/g) ?? []) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || textWidth(longer) <= columns) line = longer;
    else {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    }
  }
  return [...lines, line];
}

/** After a longer entry, the explanation goes on the next line. */
const mostLeft = 34;

type Row = readonly [left: string, right: string];

function leftWidth(rows: readonly Row[]): number {
  return Math.max(...rows.map(([left]) => textWidth(left)).filter(length => length <= mostLeft));
}

/**
 * With fewer columns for explanations they would become a ladder of words, so each goes below its
 * entry.
 */
const leastRight = 22;

function aligned(rows: readonly Row[], columns: number, width = leftWidth(rows)): string[] {
  const beside = width + 4;
  const isBelow = columns - beside < leastRight;
  const indent = ' '.repeat(isBelow ? 6 : beside);
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, columns - indent.length, '').map(line => indent + line);
    if (isBelow || textWidth(left) > width) return [`  ${left}`, ...lines];
    const [first = '', ...rest] = lines;
    return [`  ${left.padEnd(width)}${first.slice(2 + width)}`, ...rest];
  });
}
