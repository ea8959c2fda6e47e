/**
 * Access requests as a list, and one in full (spec §12), for a person. Escapes others' text.
 * Decides nothing.
 */

import type { AccessRequestView } from '../shared/control-commands.ts';
import { shownName, shownTables, shownText } from '../shared/shown-text.ts';
import { listedText } from '../shared/text-size.ts';
import { labelled, linesOfWords } from './sheet/fit.ts';
import { paintedRow, statementRows } from './sheet/statement-rows.ts';
import { takesRows } from './sheet/takes-rows.ts';
import { table } from './table.ts';
import { styled, type Terminal, widthOf } from './terminal.ts';
import { shownClock } from './words.ts';

/** More doesn't help to tell the rows of a list apart. */
const listedCharacters = 200;

/** By number, in the order they were made. */
export function requestTable(terminal: Terminal, requests: readonly AccessRequestView[]): string[] {
  const columns = {
    '#': (request: AccessRequestView) => String(requests.indexOf(request) + 1),
    CONNECTION: ({ connection: { name, colour, tags } }: AccessRequestView) =>
      [name, ...(colour === null ? [] : [colour]), ...tags].join(', '),
    CLIENT: ({ client, times }: AccessRequestView) => (times === 1 ? client : `${client} (${times} times)`),
    UNTIL: ({ expiresAt }: AccessRequestView) => shownClock(expiresAt),
    'ASKS TO': ({ statement, lacks }: AccessRequestView) =>
      statement === null
        ? withoutStatement(lacks)
        : `run: ${listedText(statement.text, listedCharacters).replace(/\s+/g, ' ')}`,
  };
  return table(terminal, requests, columns, 'ASKS TO');
}

function withoutStatement(lacks: AccessRequestView['lacks']): string {
  return lacks === 'host_key' ? 'go through an SSH server that is not known yet' : 'use this connection';
}

const needs: Readonly<Record<AccessRequestView['lacks'], string>> = {
  connection_level: 'the connection is read only for AI clients',
  token_scope: 'its token may only read',
  yes: 'it runs only once you approve it',
  first_use: "this connection's AI policy is `ask`",
  host_key: 'nobody has confirmed the host key of an SSH server on the way',
};

/** In full: who asks, what it lacks, and the statement as it will run. */
export function requestLines(terminal: Terminal, request: AccessRequestView): string[] {
  const { client, program, token, isBox, connection, lacks, means, statement } = request;
  const columns = (widthOf(terminal.stdout) ?? 80) - 2;
  const paint = (style: Parameters<typeof styled>[1], text: string): string => styled(terminal, style, text);
  const fact = (label: string, text: string): string[] => labelled(label, linesOfWords(text, columns - 14), paint);
  const marks = [...(connection.colour === null ? [] : [connection.colour]), ...connection.tags].map(shownName);
  return [
    ...fact('calls itself', shownName(client)),
    ...fact('started by', program === null ? 'not known' : shownText(program)),
    ...fact(isBox ? 'box' : 'token', token === null ? 'none: through the stdio bridge' : shownName(token)),
    ...fact('connection', [shownName(connection.name), ...marks].join(', ')),
    ...fact('refused', isBox && lacks === 'token_scope' ? 'its box may only read' : needs[lacks]),
    ...(means === null ? [] : fact('if approved', shownText(means))),
    ...(statement === null
      ? []
      : [
          ...fact('why', shownText(statement.reason)),
          ...fact('tables', shownTables(statement.tables)),
          '',
          ...[...takesRows(statement, columns, true), ...statementRows(statement.text, columns)].map(row =>
            paintedRow(row, paint),
          ),
          ...statement.parameters.flatMap((value, at) => fact(`value ${at + 1}`, shownText(value))),
          '',
        ]),
  ];
}
