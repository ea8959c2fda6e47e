/** The help of `sallyport` as text (spec §16). */

import { type CommandSpec, optionRows, usageOf } from './command.ts';
import { textWidth } from './table.ts';

interface HelpGroup {
  readonly title: string | null;
  readonly commands: readonly CommandSpec[];
}

export function wholeHelp(groups: readonly HelpGroup[]): string {
  const rowsOf = (commands: readonly CommandSpec[]): Row[] =>
    commands.map(spec => [[spec.words, ...spec.arguments].join(' '), spec.about]);
  const width = leftWidth(groups.flatMap(({ commands }) => rowsOf(commands)));
  return [
    'sallyport: let AI clients use your databases without giving them your passwords',
    '',
    'Usage: sallyport COMMAND [options]',
    '',
    ...groups.flatMap(({ title, commands }) => {
      const own = aligned(rowsOf(commands), width);
      return title === null ? [...own, ''] : [`${title}:`, ...own, ''];
    }),
    '`sallyport COMMAND --help` says more about one. --json prints data as JSON.',
    'Exit codes: 0 done, 1 refused or failed, 2 misuse, 69 Sallyport is not running.',
  ].join('\n');
}

export function commandHelp(spec: CommandSpec): string {
  const rows = optionRows(spec);
  const details = spec.details === undefined ? [] : ['', ...spec.details];
  return [`Usage: ${usageOf(spec)}`, '', `${spec.about}.`, ...details, '', ...aligned(rows)].join('\n');
}

/** A longer entry puts its explanation on the next line. */
const mostLeft = 34;

type Row = readonly [left: string, right: string];

function leftWidth(rows: readonly Row[]): number {
  return Math.max(...rows.map(([left]) => textWidth(left)).filter(length => length <= mostLeft));
}

function aligned(rows: readonly Row[], width = leftWidth(rows)): string[] {
  return rows.flatMap(([left, right]) =>
    textWidth(left) <= width
      ? [`  ${left.padEnd(width)}  ${right}`]
      : [`  ${left}`, `  ${' '.repeat(width)}  ${right}`],
  );
}
