/**
 * Puts what a statement takes into words, for the terminal, the app and clients' dialogs (spec
 * §12). No other file does.
 */

import type { AddedRows } from '../request.ts';
import { beginning } from '../shorten.ts';
import type { Taken, TakenTable } from './taken.ts';

export interface TakesWords {
  /**
   * One per table and object, the strongest first, what the statement names before what follows:
   * `empties public.orders (500 rows), a child of public.scratch`.
   */
  readonly lines: readonly string[];
  /** For a plan: what each of its statements takes, by number. */
  readonly steps?: readonly string[];
  /** What could not be counted, and why; null if all was. */
  readonly note: string | null;
}

/** People can't read more; the last line says how many are left out. */
const mostLines = 200;
const longestLine = 400;
/** How many lines each step of a plan has at least, however many steps there are. */
const leastStepLines = 3;

export function takesWords(taken: Taken): TakesWords {
  const words = wordsOf(taken);
  if (taken.steps === undefined) return words;
  const most = Math.max(leastStepLines, Math.floor(mostLines / taken.steps.length));
  const steps = taken.steps.flatMap((step, at) => {
    const { lines, note } = wordsOf(step);
    const left = lines.length - most;
    const shown = left > 0 ? [...lines.slice(0, most), `and takes ${left.toLocaleString('en-US')} more`] : lines;
    return [...shown, ...(note === null ? [] : [note])].map(line => `${at + 1}: ${line}`);
  });
  return { ...words, steps };
}

function wordsOf({ tables, objects, added = [], notes }: Taken): TakesWords {
  const named = tables.filter(({ because }) => because === null);
  const others = tables
    .filter(({ because }) => because !== null)
    .sort((a, b) => (b.rows ?? Infinity) - (a.rows ?? Infinity));
  const all = [
    ...[...named, ...others].sort(byStrength).map(tableLine),
    ...[...objects].sort(byStrength).map(({ act, name }) => `${verbs[act]} ${name}`),
    ...added.map(addedLine),
  ];
  if (all.length === 0 && notes.length === 0) return { lines: [noRows], note: null };
  const lines = all.slice(0, mostLines).map(line => beginning(line, longestLine));
  const left = all.length - lines.length;
  return {
    lines: left > 0 ? [...lines, `and takes ${left.toLocaleString('en-US')} more that are not listed`] : lines,
    note: notes.length > 0 ? notes.join(' ') : null,
  };
}

/** Told in place of an empty list, which could as well mean that nobody counted. */
export const noRows = 'takes no rows that are there now';

const verbs = {
  emptied: 'empties',
  dropped: 'drops',
  altered: 'alters',
  deleted: 'deletes',
  updated: 'changes',
  rights: 'changes the rights on',
} as const;

function addedLine({ table, rows }: AddedRows): string {
  return `adds ${rows.toLocaleString('en-US')} rows to ${shownName(table)}`;
}

/** The weakest comes last. What is lost isn't here, and so comes before all of these. */
const strengths: readonly TakenTable['act'][] = ['updated', 'altered', 'rights'];

function byStrength(one: Pick<TakenTable, 'act'>, other: Pick<TakenTable, 'act'>): number {
  return strengths.indexOf(one.act) - strengths.indexOf(other.act);
}

function tableLine(table: TakenTable): string {
  const { name, act, because } = table;
  const shown = shownName(name);
  const takesRows = act === 'deleted' || act === 'updated';
  const what = takesRows ? `${rowsOf(table)} of ${shown}` : `${shown} (${rowsOf(table)})`;
  return `${verbs[act]} ${what}${because === null ? '' : `, ${because}`}`;
}

function rowsOf({ act, rows, isEstimate, isMost, isAll }: TakenTable): string {
  const takesRows = act === 'deleted' || act === 'updated';
  if (rows === null) return takesRows ? 'an unknown number of rows' : 'rows not counted';
  const count = `${isEstimate ? '~' : ''}${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
  if (isMost) return `up to ${count}`;
  return isAll && takesRows && rows > 1 ? `all ${count}` : count;
}

/** A name that could pass for our own words is put in quotes that it can't close. */
export function shownName(name: string): string {
  return /^[\p{L}\p{N}_$.]+$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
