/** What a person has chosen on the approval sheet so far, and how a key changes it (spec §10). Draws nothing, knows no clock. */

import type { PairingView, ScopeWord } from '../../shared/control-commands.ts';
import { expiryWords, scopeWords } from '../words.ts';
import type { MoveKey } from './keys.ts';

export type Expiry = PairingView['expires'];

export interface Choices {
  readonly scope: ScopeWord;
  readonly expires: Expiry;
  /** All, those added later too; or these ids. */
  readonly ticked: 'all' | readonly string[];
  readonly focus: Row;
}

/** The rows that can have the focus, from top to bottom. */
type Row = 'scope' | 'expires' | 'all' | { readonly connection: string } | 'approve' | 'deny';

const scopes = Object.values(scopeWords);
const expiries: readonly Expiry[] = [...Object.values(expiryWords)].sort((a, b) => daysOf(a) - daysOf(b));
const pageRows = 10;

/** Nothing that grants has the focus at first: an Enter typed for another program must meet nothing. */
export function firstChoices({ scope, expires, ticked }: PairingView): Choices {
  return { scope, expires, ticked, focus: 'scope' };
}

function rowsOf({ connections }: PairingView): readonly Row[] {
  return ['scope', 'expires', 'all', ...connections.map(({ id }) => ({ connection: id })), 'approve', 'deny'];
}

export function isTicked({ ticked }: Choices, id: string): boolean {
  return ticked === 'all' || ticked.includes(id);
}

export function sameRow(a: Row, b: Row): boolean {
  return typeof a === 'object' && typeof b === 'object' ? a.connection === b.connection : a === b;
}

export function changed(view: PairingView, choices: Choices, key: MoveKey): Choices {
  switch (key) {
    case 'up':
      return moved(view, choices, -1);
    case 'down':
      return moved(view, choices, 1);
    case 'page up':
      return moved(view, choices, -pageRows);
    case 'page down':
      return moved(view, choices, pageRows);
    case 'home':
      return moved(view, choices, -Number.MAX_SAFE_INTEGER);
    case 'end':
      return moved(view, choices, Number.MAX_SAFE_INTEGER);
    case 'left':
      return turned(choices, -1);
    case 'right':
      return turned(choices, 1);
    case 'space':
      return ticked(view, choices);
  }
}

function moved(view: PairingView, choices: Choices, by: number): Choices {
  const rows = rowsOf(view);
  const from = rows.findIndex(row => sameRow(row, choices.focus));
  return { ...choices, focus: rows[Math.min(Math.max(from + by, 0), rows.length - 1)] ?? 'scope' };
}

function turned(choices: Choices, by: 1 | -1): Choices {
  switch (choices.focus) {
    case 'scope':
      return { ...choices, scope: next(scopes, choices.scope, by) };
    case 'expires':
      return { ...choices, expires: next(expiries, choices.expires, by) };
    case 'approve':
      return { ...choices, focus: 'deny' };
    case 'deny':
      return { ...choices, focus: 'approve' };
    default:
      return choices;
  }
}

/** To the next on its side; the last one is the end, so that nobody turns past "never" to the shortest or back unawares. */
function next<Value>(values: readonly Value[], value: Value, by: 1 | -1): Value {
  return values[values.indexOf(value) + by] ?? value;
}

function ticked(view: PairingView, choices: Choices): Choices {
  const { focus } = choices;
  if (focus === 'all') return { ...choices, ticked: choices.ticked === 'all' ? [] : 'all' };
  if (typeof focus !== 'object') return choices;
  const before = choices.ticked === 'all' ? view.connections.map(({ id }) => id) : choices.ticked;
  const without = before.filter(id => id !== focus.connection);
  return { ...choices, ticked: without.length === before.length ? [...before, focus.connection] : without };
}

function daysOf(expires: Expiry): number {
  return expires === 'never' ? Number.POSITIVE_INFINITY : expires;
}
