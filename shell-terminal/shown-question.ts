/**
 * A question to the user as plain lines (spec §12): its facts, then the statement. What others wrote is escaped, and the
 * statement stands behind a bar at every line, so that nothing in it can pass for a line of ours. Decides nothing.
 */

import type { ApprovalView, ApprovalWithdrawn } from '../shared/control-commands.ts';
import { shownName, shownText } from '../shared/shown-text.ts';
import { textSizeWords } from '../shared/text-size.ts';
import { pieces } from './sheet/fit.ts';
import { pairs, textWidth } from './table.ts';
import { styled, type Terminal, widthOf, wrapped } from './terminal.ts';
import { shownClock } from './words.ts';

export function asksFor({ kind, statement }: Pick<ApprovalView, 'kind' | 'statement'>): string {
  switch (kind) {
    case 'destructive_statement':
      return `run a ${shownName(statement?.class ?? 'destructive')} statement`;
    case 'stop_server_session':
      return 'end a session of the server';
    case 'first_use':
      return 'use this connection';
  }
}

/** Escaped; null where it needs no saying. */
export function whyAsked({ kind, statement }: ApprovalView): string | null {
  if (statement !== null) return shownText(statement.reason);
  return kind === 'first_use' ? 'the policy of this connection is to ask' : null;
}

export function questionLines(terminal: Terminal, question: ApprovalView): string[] {
  const { id, client, token, connection, statement, expiresAt } = question;
  const width = widthOf(terminal.stdout);
  const facts: (readonly [string, string | null])[] = [
    ['connection', shownName(connection.name)],
    ['client', `${shownName(client)} (as it calls itself)`],
    ['token', token === null ? 'none: it asks through the stdio bridge' : shownName(token)],
    ['why', whyAsked(question)],
    ['tables', statement === null ? null : tablesOf(statement.tables)],
    ['length', statement === null ? null : textSizeWords(statement)],
    ['until', shownClock(expiresAt)],
  ];
  return [
    ...headed(terminal, styled(terminal, 'yellow', '?'), id, `A client asks to ${asksFor(question)}.`),
    ...facts.flatMap(([label, value]) => (value === null ? [] : factLines(terminal, label, value, width))),
    ...(statement === null ? [] : ['', ...barred(terminal, statement.text, width), '']),
    ...pairs(terminal, [
      ['allow', `sallyport approvals yes ${id}`],
      ['refuse', `sallyport approvals no ${id}`],
    ]),
  ];
}

const endings: Readonly<Record<ApprovalWithdrawn['because'], string>> = {
  yes: 'was answered with yes.',
  no: 'was answered with no.',
  timeout: 'ran out of time; nobody answered.',
  cancelled: 'was withdrawn: the client no longer waits.',
};

export function withdrawnLines(terminal: Terminal, { id, because }: ApprovalWithdrawn): string[] {
  return headed(terminal, styled(terminal, 'dim', '-'), shownName(id), endings[because]);
}

function headed(terminal: Terminal, mark: string, id: string, sentence: string): string[] {
  const indent = ' '.repeat(textWidth(id) + 4);
  const width = widthOf(terminal.stdout);
  const [first = '', ...rest] = wrapped(sentence, width === null ? null : width - indent.length, '');
  return [`${mark} ${styled(terminal, 'bold', id)}  ${first}`, ...rest.map(line => indent + line)];
}

const labelWidth = 'connection'.length;

/** The value may be long: it goes on under its own beginning. It is escaped already. */
function factLines(terminal: Terminal, label: string, value: string, width: number | null): string[] {
  const lines = wrapped(value, width === null ? null : width - labelWidth - 4, '');
  return lines.map((line, index) =>
    index === 0
      ? `  ${styled(terminal, 'dim', label.padEnd(labelWidth))}  ${line}`
      : `${' '.repeat(labelWidth + 4)}${line}`,
  );
}

/** The first of them by name, escaped. */
export function tablesOf(tables: readonly string[]): string {
  const shown = tables.slice(0, 20).map(shownName).join(', ');
  if (tables.length === 0) return 'none named';
  return tables.length > 20 ? `${shown} and ${tables.length - 20} more` : shown;
}

/** Broken here and not by the terminal, whose own break would leave the bar out. */
function barred(terminal: Terminal, statement: string, width: number | null): string[] {
  const bar = styled(terminal, 'red', '|');
  return shownText(statement, 'lines')
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap(line => (width === null ? [line] : pieces(line, width - 5)))
    .map(line => `  ${bar} ${line}`.trimEnd());
}
