/**
 * What a statement did to rows that were there, asked in its own transaction (spec §7, Destructive by count). The server's
 * counters say how many rows of which table, cascades, triggers and rules included; they go on from earlier transactions of the
 * session, so they are read before the statement too. A row whose xmin is older than the transaction is as it was.
 */

import type { Changes, TableChange } from '../../query/database.ts';
import { cellsOf } from '../../query/row-text.ts';
import { askCounts, askTables } from './changed-rows-sql.ts';
import type { ServerError } from './failure.ts';
import type { Statement } from './flight.ts';
import type { FlightEnd, Link } from './link.ts';
import { ResultReader } from './result.ts';
import { typeNames } from './type-names.ts';

/** What a look brings: the changes, and sentences on what a rollback leaves behind. */
export interface Counted {
  readonly changes: Changes;
  readonly remains: readonly string[];
}

interface Answered {
  readonly isCounting: boolean;
  readonly own: string | null;
  readonly tables: readonly CountedTable[];
  /** Foreign partitions and children that were written to, whose rows nobody here counts. */
  readonly foreign: readonly string[];
  readonly lost: readonly string[];
  readonly sequences: readonly string[];
  /** Whether a trigger that may be deferred stands on what was written to. */
  readonly defers: boolean;
  /** All that were inserted, updated and deleted. */
  readonly rows: number | null;
}

interface CountedTable extends Pick<TableChange, 'updated' | 'deleted'> {
  readonly name: string;
  readonly sql: string;
  readonly mayLook: boolean;
  readonly isSmall: boolean;
}

const answerLimits = { cellBytes: 8 * 1024 * 1024, wireBytes: 16 * 1024 * 1024 };
/** Our questions give text, which needs no name looked up. */
const noNames = typeNames(async () => null);
/** A statement that reaches more tables is looked at by a person. */
const mostTables = 200;

/** Command tags of statements that define nothing, and so have no table for themselves alone by right. */
const changesRows = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|CALL)(?: |$)/;

/** Sends a flight and keeps the texts that one of its statements, the last that gives rows or the last but ours, gives. */
export async function flightWithTexts(
  link: Link,
  statements: readonly Statement[],
  place: number,
): Promise<{ readonly end: FlightEnd; readonly texts: readonly string[] }> {
  const texts: string[] = [];
  const row = (given: Parameters<typeof cellsOf>[0] & { readonly cuts: readonly unknown[] }) => {
    const [cell] = cellsOf(given);
    if (given.cuts.length === 0 && typeof cell === 'string') texts.push(cell);
    return true;
  };
  // Whoever read the flight before hears nothing of this one.
  link.stream.readRows(null, Number.POSITIVE_INFINITY);
  const reader = new ResultReader(link, { columns() {}, row }, answerLimits, noNames);
  const end = await link.flight(statements, { place, columns: fields => reader.columns(fields) });
  reader.stop();
  return { end, texts };
}

export type Looked =
  | ({ readonly kind: 'counted' } & Counted)
  /** Of a deferred constraint or trigger, which ran now: the commit would fail so. */
  | { readonly kind: 'fails'; readonly error: ServerError }
  | { readonly kind: 'lost'; readonly end: Exclude<FlightEnd, { readonly kind: 'ready' }> };

const deferredNow: Statement = { sql: 'SET CONSTRAINTS ALL IMMEDIATE', parameters: [] };
/** A deferred trigger may set constraints back to deferred, and off another that is: until none changes a row any more. */
const mostRounds = 5;

/**
 * After the statement; lets deferred constraints and triggers run first.
 *
 * @param before what was counted before the statement. @param tag the statement's own.
 */
export async function lookAtChanges(link: Link, before: string, tag: string): Promise<Looked> {
  let rows: number | null = null;
  for (let round = 0; round < mostRounds; round++) {
    const asked = await askWhatChanged(link, before, tag);
    if (asked.kind !== 'answered') return asked;
    const { answered } = asked;
    if (!answered.defers || (round > 0 && answered.rows === rows)) return lookCloser(link, answered);
    ({ rows } = answered);
  }
  return uncounted('its deferred triggers set off one another', []);
}

type Asked = { readonly kind: 'answered'; readonly answered: Answered } | Looked;

async function askWhatChanged(link: Link, before: string, tag: string): Promise<Asked> {
  const asked = askCounts(before, changesRows.test(tag));
  const { end, texts } = await flightWithTexts(link, [deferredNow, ...asked], 2);
  if (end.kind !== 'ready') return { kind: 'lost', end };
  if (end.error !== null && end.tags.length === 0) return { kind: 'fails', error: end.error };
  const [text] = texts;
  if (end.error !== null || text === undefined) return uncounted(`the server does not say (${end.error?.message})`, []);
  return { kind: 'answered', answered: JSON.parse(text) };
}

async function lookCloser(link: Link, answered: Answered): Promise<Looked> {
  const remains = remainsOf(answered.sequences);
  const why = whyNotCounted(answered);
  if (why !== null) return uncounted(why, remains);
  // One row is never all of several: most writes need no look at their tables.
  const several = answered.tables.filter(table => table.updated + table.deleted > 1);
  const closer = several.length === 0 || answered.own === null ? null : await looksAt(link, several, answered.own);
  if (closer !== null && 'kind' in closer) return closer;
  const tables = answered.tables.map(table => changeOf(table, closer?.get(table.name)));
  return { kind: 'counted', changes: { tables, uncounted: null }, remains };
}

function whyNotCounted({ isCounting, foreign, lost, tables }: Answered): string | null {
  const [taken] = lost;
  const [elsewhere] = foreign;
  const hidden = tables.find(({ mayLook, updated, deleted }) => !mayLook && updated + deleted > 1);
  if (!isCounting) return 'the server keeps no counts (track_counts is off)';
  if (taken !== undefined) return `it truncated, dropped or changed ${JSON.stringify(taken)} as a whole`;
  if (elsewhere !== undefined) return `${JSON.stringify(elsewhere)} is a foreign table`;
  if (hidden !== undefined) return `this role may not read ${JSON.stringify(hidden.name)}`;
  return tables.length > mostTables ? `it changed rows of ${tables.length} tables` : null;
}

function uncounted(why: string, remains: readonly string[]): Looked {
  return { kind: 'counted', changes: { tables: [], uncounted: why }, remains };
}

interface Closer {
  readonly isSomeUnchanged: boolean;
  /** 0, 1, or 2 for more. */
  readonly rows: number;
  /** Rows that are the transaction's work; null where that wasn't counted. */
  readonly made: number | null;
}

async function looksAt(
  link: Link,
  tables: readonly CountedTable[],
  own: string,
): Promise<Looked | Map<string, Closer>> {
  const { end, texts } = await flightWithTexts(link, [askTables(tables, own)], 0);
  if (end.kind !== 'ready') return { kind: 'lost', end };
  if (end.error !== null) return uncounted(`the tables can't be looked at (${end.error.message})`, []);
  const closer = texts.map((text): [string, Closer] => {
    const [place, isSomeUnchanged, rows, made] = JSON.parse(text);
    return [tables[place]?.name ?? '', { isSomeUnchanged, rows, made }];
  });
  return new Map(closer);
}

function changeOf({ name, updated, deleted }: CountedTable, closer: Closer | undefined): TableChange {
  // A row that is updated again and again, as a trigger's counter is, was changed once.
  const rowsUpdated = Math.min(updated, closer?.made ?? updated);
  const change = { table: name, updated: rowsUpdated, deleted };
  if (closer === undefined)
    return { ...change, isEmptied: updated + deleted > 1, isChangedWhole: updated + deleted > 1 };
  const isChangedWhole = !closer.isSomeUnchanged && closer.rows + deleted > 1;
  return { ...change, isEmptied: isChangedWhole && closer.rows === 0, isChangedWhole };
}

function remainsOf(sequences: readonly string[]): readonly string[] {
  if (sequences.length === 0) return [];
  const named = sequences.map(name => JSON.stringify(name)).join(', ');
  return [`Values taken from sequences (${named}) stay used up: a rollback does not give them back.`];
}
