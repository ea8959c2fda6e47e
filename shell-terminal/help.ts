/** The help of `sallyport` as text (spec §16). */

import { type CommandSpec, helpOption, jsonOption, usageOf } from './command.ts';
import { textWidth } from './table.ts';

export function wholeHelp(commands: readonly CommandSpec[]): string {
  const rows = commands.map(spec => [[spec.words, ...spec.arguments].join(' '), spec.about] as const);
  return [
    'sallyport: let AI clients use your databases without giving them your passwords',
    '',
    'Usage: sallyport COMMAND [options]',
    '',
    ...aligned(rows),
    '',
    '`sallyport COMMAND --help` says more about one. --json prints data as JSON.',
    'Exit codes: 0 done, 1 refused or failed, 2 misuse, 69 Sallyport is not running.',
  ].join('\n');
}

export function commandHelp(spec: CommandSpec): string {
  const options = { ...spec.options, ...(spec.json ? { json: jsonOption } : {}), help: helpOption };
  const rows = Object.entries(options).map(([name, option]) => {
    const value = 'value' in option && option.value !== undefined ? ` ${option.value}` : '';
    return [`--${name}${value}`, option.about] as const;
  });
  const details = spec.details === undefined ? [] : ['', ...spec.details];
  return [`Usage: ${usageOf(spec)}`, '', `${spec.about}.`, ...details, '', ...aligned(rows)].join('\n');
}

/** Left column up to 34 wide; a longer entry puts its explanation on the next line. */
function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const most = 34;
  const width = Math.max(...rows.map(([left]) => textWidth(left)).filter(length => length <= most));
  return rows.flatMap(([left, right]) =>
    textWidth(left) <= width
      ? [`  ${left.padEnd(width)}  ${right}`]
      : [`  ${left}`, `  ${' '.repeat(width)}  ${right}`],
  );
}
