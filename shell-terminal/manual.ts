/**
 * `sallyport manual`: the page of `man sallyport` (man(7)), made from the commands, like the help.
 */

import { version } from '../shared/version.ts';
import { type CommandGroup, type CommandSpec, command, optionRows, type TerminalCommand, usageOf } from './command.ts';
import { print } from './terminal.ts';

export function manualCommandOf(groups: () => readonly CommandGroup[]): TerminalCommand {
  return command(
    {
      words: 'manual',
      about: 'Print the manual page, for man',
      details: ['An installation puts it where man finds it.'],
      json: false,
    },
    async ({ terminal }) => print(terminal, manualPage(groups())),
  );
}

export function manualPage(groups: readonly CommandGroup[]): string {
  return [
    `.TH SALLYPORT 1 "" "sallyport ${version}" "User Commands"`,
    '.SH NAME',
    'sallyport \\- let AI clients use your databases without giving them your passwords',
    '.SH SYNOPSIS',
    '.B sallyport',
    '.I COMMAND',
    '[options]',
    '.SH DESCRIPTION',
    text(
      'You save connections to PostgreSQL, MySQL, MariaDB and SQLite once. AI clients then list, inspect and query them over MCP: through',
    ),
    text(
      'sallyport-mcp, which they start, or over HTTP on this machine with a token. They never see a password, and never do more than you allowed.',
    ),
    text('On a terminal where nothing is set up yet, sallyport alone offers to do that.'),
    ...groups.flatMap(({ title, commands }) => [`.SH ${(title ?? '').toUpperCase()}`, ...commands.flatMap(entry)]),
    '.SH EXIT STATUS',
    ...[
      ['0', 'Done.'],
      ['1', 'Refused or failed.'],
      ['2', 'Misuse.'],
      ['69', 'Sallyport is not running.'],
    ].flatMap(([code = '', meaning = '']) => ['.TP', `.B ${code}`, meaning]),
    '.SH ENVIRONMENT',
    ...['.TP', '.B SALLYPORT_HOME', text('Another folder than the usual one for connections, settings and the log.')],
    ...['.TP', '.B NO_COLOR', text('No colour, as in a pipe.')],
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/sallyport',
    text('Connections, settings and the log; on macOS ~/Library/Application Support/Sallyport.'),
  ].join('\n');
}

function entry(spec: CommandSpec): string[] {
  const options = optionRows(spec).flatMap(([option, about]) => ['.TP', `.B ${text(option)}`, text(about)]);
  return [`.SS ${text(usageOf(spec))}`, text(`${spec.about}.`), ...(spec.details ?? []).map(text), ...options];
}

/**
 * A backslash, a hyphen, and a line's first dot or quote have a meaning in roff, which reads ASCII.
 */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^[.']/, '\\&$&')
    .replace(
      /[^ -~]/gu,
      character => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
