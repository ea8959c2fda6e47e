/**
 * The approval sheet as lines (spec §10), as many as the window has room for. Facts come before claims' effects: who
 * says it asks, where the code goes, what it would get. What others wrote is escaped and stands behind a label on its own lines.
 */

import type { PairingConnection, PairingView, ScopeWord } from '../../shared/control-commands.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';
import { buttonLine } from './buttons.ts';
import { type Choices, type Expiry, isTicked, sameRow } from './choices.ts';
import { brokenInto, cutTo, labelColumns, labelled } from './fit.ts';
import type { WindowSize } from './own-screen.ts';
import type { Paint } from './place.ts';

export interface SheetState {
  readonly choices: Choices;
  /** Until the daemon takes no decision any more; 0 or less once it doesn't. */
  readonly secondsLeft: number;
}

/** Smaller, and what decides would not all be seen: then nothing can be approved. */
const smallestSheet: WindowSize = { columns: 40, rows: 12 };

const scopeLabels: Readonly<Record<ScopeWord, string>> = {
  readOnly: 'Read Only',
  readWrite: 'Read & Write',
  fullAccess: 'Full Access',
};
const externalClientsLabels = { blocked: 'blocked', readOnly: 'read only', readWrite: 'read-write' } as const;
const fewestListLines = 2;

export function isTooSmall({ columns, rows }: WindowSize): boolean {
  return columns < smallestSheet.columns || rows < smallestSheet.rows;
}

/** Why Approve is dimmed; null while it can be pressed. */
export function approveProblem({ choices, secondsLeft }: SheetState): string | null {
  if (secondsLeft <= 0) return 'The five minutes have passed: esc closes.';
  return choices.ticked.length === 0 ? 'Tick a connection to approve.' : null;
}

/** At most `rows - 1` lines, each shorter than `columns`. */
export function sheetLines(view: PairingView, state: SheetState, size: WindowSize, paint: Paint): string[] {
  const columns = size.columns - 1;
  if (isTooSmall(size)) {
    return brokenInto('This window is too small for the sheet; make it larger, or press Esc to deny.', columns, 9).map(
      line => line.trim(),
    );
  }
  const room = size.rows - 1;
  const isRoomy = room >= 18;
  const head = [...title(view, columns, paint), ...facts(view, columns, isRoomy, paint)];
  const chosen = choiceLines(view, state, columns, paint);
  const end = buttons(state, columns, paint);
  const blank = isRoomy ? [''] : [];
  const fixed = head.length + chosen.length + end.length + 3 * blank.length;
  const list = connectionLines(view, state.choices, columns, Math.max(room - fixed, fewestListLines), paint);
  return [...head, ...blank, ...chosen, ...list, ...blank, ...end];
}

function title({ serverStarted }: PairingView, columns: number, paint: Paint): string[] {
  const question = paint('bold', 'Pair this client with Sallyport?');
  if (!serverStarted) return [question];
  const note = 'The server was off; it runs now, until Sallyport stops.';
  return columns < 60 ? [paint('bold', 'Pair this client? (server started)')] : [question, paint('yellow', note)];
}

function facts({ client, redirect }: PairingView, columns: number, isRoomy: boolean, paint: Paint): string[] {
  const most = isRoomy ? 3 : 1;
  const receiver =
    redirect.receiver === null
      ? redirect.kind === 'loopback'
        ? 'nobody listens there, or unknown'
        : 'unknown'
      : shownName(redirect.receiver);
  return [
    ...labelled('calls itself', brokenInto(shownName(client), columns - labelColumns, most), paint),
    ...labelled('code goes to', brokenInto(shownText(redirect.address), columns - labelColumns, most), paint),
    ...labelled('taken by', brokenInto(receiver, columns - labelColumns, 1), paint),
  ];
}

function choiceLines(view: PairingView, { choices }: SheetState, columns: number, paint: Paint): string[] {
  const isRaised = rank(choices.scope) > rank(view.scope);
  const asked =
    choices.scope === view.scope ? 'as asked' : `${isRaised ? 'more than asked' : 'asked'}: ${scopeLabels[view.scope]}`;
  const mark = (row: 'scope' | 'expires'): string => (choices.focus === row ? '>' : ' ');
  const turn = (row: 'scope' | 'expires', text: string): string =>
    choices.focus === row ? `< ${paint('bold', text)} >` : `  ${text}`;
  const scope = scopeLabels[choices.scope];
  const expires = expiryLabel(choices.expires);
  const note = cutTo(asked, columns - labelColumns - scope.length - 6);
  return [
    `${mark('scope')} ${'may'.padEnd(labelColumns - 4)}${turn('scope', scope)}${choices.focus === 'scope' ? ' ' : '   '}${paint(isRaised ? 'yellow' : 'dim', note)}`,
    `${mark('expires')} ${'expires'.padEnd(labelColumns - 4)}${turn('expires', expires)}`,
  ];
}

function rank(scope: ScopeWord): number {
  return Object.keys(scopeLabels).indexOf(scope);
}

function expiryLabel(expires: Expiry): string {
  if (expires === 'never') return 'never';
  return expires === 1 ? 'after 1 day' : `after ${expires} days`;
}

/** All connections are one row, and stay in reach; of the others as many as fit, around the one with the focus. */
function connectionLines(
  { connections }: PairingView,
  choices: Choices,
  columns: number,
  room: number,
  paint: Paint,
): string[] {
  const all = tickLine(choices, 'all', choices.ticked === 'all', 'all connections, later ones too', columns, paint);
  const { focus } = choices;
  const at =
    typeof focus === 'object'
      ? connections.findIndex(({ id }) => id === focus.connection)
      : focus === 'approve' || focus === 'deny'
        ? connections.length - 1
        : 0;
  const most = Math.max(room - 1, 1);
  const hidden = connections.length - most;
  // The last line then says how many there are.
  const shown = hidden > 0 && most > 1 ? most - 1 : most;
  const first = Math.min(Math.max(at - Math.floor(shown / 2), 0), Math.max(connections.length - shown, 0));
  const lines = connections
    .slice(first, first + shown)
    .map(connection =>
      tickLine(
        choices,
        { connection: connection.id },
        isTicked(choices, connection.id),
        connectionText(connection),
        columns,
        paint,
      ),
    );
  if (hidden <= 0 || most === 1) return [all, ...lines];
  const last = Math.min(first + shown, connections.length);
  const place = `${first + 1} to ${last} of ${connections.length}, ${tickedCount(connections, choices)} ticked`;
  return [all, ...lines, paint('dim', cutTo(`      ${place}`, columns))];
}

function tickLine(
  choices: Choices,
  row: 'all' | { readonly connection: string },
  isOn: boolean,
  text: string,
  columns: number,
  paint: Paint,
): string {
  const isFocused = sameRow(choices.focus, row);
  const shown = cutTo(text, columns - 6);
  return `${isFocused ? '>' : ' '} [${isOn ? 'x' : ' '}] ${isFocused ? paint('bold', shown) : shown}`;
}

function connectionText({ name, engine, externalClients }: PairingConnection): string {
  return `${shownName(name)} (${engine}, ${externalClientsLabels[externalClients]})`;
}

function tickedCount(connections: readonly PairingConnection[], choices: Choices): number {
  return connections.filter(({ id }) => isTicked(choices, id)).length;
}

/** Where Approve is dimmed, why. */
function buttons(state: SheetState, columns: number, paint: Paint): string[] {
  const { choices, secondsLeft } = state;
  const problem = approveProblem(state);
  const focus = choices.focus === 'approve' || choices.focus === 'deny' ? choices.focus : null;
  const help = paint('dim', cutTo(helpFor(choices, columns), columns));
  const why = problem === null ? help : paint('yellow', cutTo(problem, columns));
  return [buttonLine({ focus, isDimmed: problem !== null, secondsLeft }, paint), why];
}

function helpFor({ focus }: Choices, columns: number): string {
  const here =
    focus === 'scope' || focus === 'expires'
      ? 'left/right change'
      : focus === 'approve' || focus === 'deny'
        ? 'enter press'
        : 'space tick';
  return columns < 60 ? `up/down, ${here}, esc deny` : `up/down move, ${here}, end to the buttons, esc denies`;
}
