/**
 * The approval sheet of a pairing (spec §10): who it says it is, where the code goes, what it would
 * get, and how keys change that. Others' text is escaped, on its own lines behind a label.
 */

import type { AskView, PairingConnection, ScopeWord } from '../../shared/control-commands.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';
import { cardFacts } from '../desk/card.ts';
import { expiryWords, scopeWords } from '../words.ts';
import type { Paint } from './drawing-place.ts';
import { cutTo, labelColumns } from './fit.ts';
import { approveOrDeny, type ChangeKey, type Content } from './prompt-lines.ts';

export interface PairingAsk extends AskView {
  readonly pairing: PairingView;
}
type PairingView = NonNullable<AskView['pairing']>;

interface Choices {
  readonly scope: ScopeWord;
  readonly expires: PairingView['expires'];
  /** Ids. */
  readonly ticked: readonly string[];
}

/** @throws Error for what is no pairing, which the daemon never answers here. */
export function pairingOf(ask: AskView): PairingAsk {
  if (ask.pairing === null) throw new Error(`${ask.kind} is no pairing`);
  return { ...ask, pairing: ask.pairing };
}

/** Rows that take the focus, from top to bottom; the connections follow. */
const rows = { scope: 0, expires: 1, all: 2 } as const;
const firstConnection = 3;

const scopes = Object.values(scopeWords);
const expiries = [...Object.values(expiryWords)].sort((a, b) => daysOf(a) - daysOf(b));
const scopeLabels: Readonly<Record<ScopeWord, string>> = {
  readOnly: 'Read Only',
  readWrite: 'Read & Write',
  fullAccess: 'Full Access',
};
const externalClientsLabels = { blocked: 'blocked', readOnly: 'read only', readWrite: 'read-write' } as const;

/** The content of a prompt, and the choices so far. */
export function pairingSheet(asked: PairingAsk, paint: Paint): { content(): Content; chosen(): Choices } {
  const { id, expiresAt, pairing: view } = asked;
  const { connections } = view;
  let choices: Choices = { scope: view.scope, expires: view.expires, ticked: view.ticked };
  const choiceRows = firstConnection + connections.length;
  const content = (): Content => ({
    id,
    expiresAt,
    ...approveOrDeny,
    choiceRows,
    news: null,
    problem: problemOf(view, choices),
    drawn: (focus, columns, isRoomy) => ({
      head: [
        ...titleRows(asked, columns, paint),
        ...cardFacts(asked, { columns, paint, isRoomy, mostLines: isRoomy ? 3 : 1 }),
        ...(isRoomy ? [''] : []),
        ...choiceLines(view, choices, focus, columns, paint),
      ],
      body: connections.map((connection, index) => {
        const isOn = choices.ticked.includes(connection.id);
        return tickLine(focus === firstConnection + index, isOn, connectionText(connection), columns, paint);
      }),
      paintRow: row => row,
      follows: Math.min(Math.max(focus - firstConnection, 0), connections.length - 1),
      help: helpFor(focus, choiceRows, columns),
    }),
    change(row, key) {
      choices = changed(view, choices, row, key);
    },
  });
  return { content, chosen: () => choices };
}

function problemOf({ connections }: PairingView, { ticked }: Choices): string | null {
  if (connections.length === 0) return 'Save a connection first, then pair again.';
  return ticked.length === 0 ? 'Tick a connection to approve.' : null;
}

function changed(view: PairingView, choices: Choices, row: number, key: ChangeKey): Choices {
  if (key === 'space') return { ...choices, ticked: ticked(view, choices, row) };
  const by = key === 'left' ? -1 : 1;
  if (row === rows.scope) return { ...choices, scope: next(scopes, choices.scope, by) };
  return row === rows.expires ? { ...choices, expires: next(expiries, choices.expires, by) } : choices;
}

/**
 * The next value on that side. It stops at the last, so nobody turns from "never" to the shortest
 * by accident.
 */
function next<Value>(values: readonly Value[], value: Value, by: 1 | -1): Value {
  return values[values.indexOf(value) + by] ?? value;
}

function ticked({ connections }: PairingView, choices: Choices, row: number): Choices['ticked'] {
  const { ticked: before } = choices;
  if (row === rows.all) return before.length === connections.length ? [] : connections.map(({ id }) => id);
  const id = connections[row - firstConnection]?.id;
  if (id === undefined) return before;
  return before.includes(id) ? before.filter(other => other !== id) : [...before, id];
}

function daysOf(expires: Choices['expires']): number {
  return expires === 'never' ? Number.POSITIVE_INFINITY : expires;
}

function titleRows({ title, pairing }: PairingAsk, columns: number, paint: Paint): string[] {
  const question = paint('bold', cutTo(shownText(title.text), columns));
  if (!pairing.serverStarted) return [question];
  const note = 'The server is off; Approve starts it, until Sallyport stops.';
  return columns < 60 ? [paint('bold', 'Pair this client? (starts server)')] : [question, paint('yellow', note)];
}

function choiceLines(view: PairingView, choices: Choices, focus: number, columns: number, paint: Paint): string[] {
  const isRaised = scopes.indexOf(choices.scope) > scopes.indexOf(view.scope);
  const asked =
    choices.scope === view.scope ? 'as asked' : `${isRaised ? 'more than asked' : 'asked'}: ${scopeLabels[view.scope]}`;
  const turn = (row: number, label: string, text: string): string => {
    return focus === row ? `> ${label}< ${paint('bold', text)} >` : `  ${label}  ${text}  `;
  };
  const scope = scopeLabels[choices.scope];
  const note = paint(isRaised ? 'yellow' : 'dim', cutTo(asked, columns - labelColumns - scope.length - 6));
  const { ticked } = choices;
  const { length } = view.connections;
  const all = ticked.length === length ? 'all connections' : `all connections; ${ticked.length} of ${length} ticked`;
  return [
    `${turn(rows.scope, 'may'.padEnd(labelColumns - 4), scope)} ${note}`,
    turn(rows.expires, 'expires'.padEnd(labelColumns - 4), expiryLabel(choices.expires)).trimEnd(),
    tickLine(focus === rows.all, length > 0 && ticked.length === length, all, columns, paint),
  ];
}

function expiryLabel(expires: Choices['expires']): string {
  if (expires === 'never') return 'never';
  return expires === 1 ? 'after 1 day' : `after ${expires} days`;
}

function tickLine(isFocused: boolean, isOn: boolean, text: string, columns: number, paint: Paint): string {
  const shown = cutTo(text, columns - 6);
  return `${isFocused ? '>' : ' '} [${isOn ? 'x' : ' '}] ${isFocused ? paint('bold', shown) : shown}`;
}

function connectionText({ name, engine, externalClients }: PairingConnection): string {
  return `${shownName(name)} (${engine}, ${externalClientsLabels[externalClients]})`;
}

function helpFor(focus: number, choiceRows: number, columns: number): string {
  const [key, does] = focus <= rows.expires ? ['left/right', 'change'] : ['space', 'tick'];
  const [whole, short] =
    focus >= choiceRows
      ? ['left/right choose, enter press, up to the choices', 'left/right, enter']
      : [`up/down move, ${key} ${does}, end to the buttons`, `up/down, ${key}`];
  return whole.length + ', esc denies'.length <= columns ? whole : short;
}
