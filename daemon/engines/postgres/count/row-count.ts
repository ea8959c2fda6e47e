/**
 * Asks in a statement's own transaction what it did to existing rows (spec §7, Destructive by
 * count). The server's counters tell how many rows of which table changed, cascades, triggers and
 * rules included. They continue from earlier transactions of the session, so they are read before
 * the statement too. A row whose xmin is older than the transaction is unchanged.
 */

import type { Deferred, RowCounts, TableChange } from '../../engine.ts';
import type { Made } from '../../made.ts';
import { cellsOf } from '../../row-text.ts';
import { lacksWhatIsAsked, type ServerError } from '../failure.ts';
import { ResultReader } from '../run/result.ts';
import type { RoundTripEnd, Session } from '../session.ts';
import { plainRollback, type Statement } from '../wire/round-trip.ts';
import { typeNames } from '../wire/type-names.ts';
import {
  askCounts,
  askTables,
  beginStep,
  countedBefore,
  countedBeforeStep,
  keepPath,
  restorePath,
  stepSavepoint,
} from './row-count-sql.ts';

/** The changes, and sentences about what a rollback leaves behind. */
export interface Counted {
  readonly rowCounts: RowCounts;
  readonly remains: readonly string[];
  /** A foreign table that was written to and may not roll back; null if there is none. */
  readonly foreign: string | null;
}

/** What the server answers to `askCounts` (row-count-sql.ts), which writes it as JSON. */
interface Answered {
  readonly isCounting: boolean;
  /** The transaction's number as xmin has it; null if it has none, as it has written nothing. */
  readonly own: string | null;
  /** The same number with the epoch. */
  readonly transaction: string | null;
  readonly tables: readonly CountedTable[];
  readonly added: readonly { readonly oid: number; readonly name: string; readonly rows: number }[];
  /** Foreign tables that were written to or maybe truncated, whose rows nobody counts here. */
  readonly foreign: readonly { readonly name: string; readonly rollsBack: boolean }[];
  /**
   * True if nothing but foreign tables was written to, and they have no trigger, rule or parent:
   * then the statement's own count is theirs.
   */
  readonly isForeignAlone: boolean;
  /** Tables that were truncated, dropped or changed as a whole; null for one that is gone. */
  readonly lost: readonly (string | null)[];
  /** Sequences of which the transaction took values. */
  readonly sequences: readonly string[];
  /** True if a written table has a trigger that may be deferred. */
  readonly defers: boolean;
  /** Rows that were inserted, updated and deleted since the count before it, by the counters. */
  readonly rows: number | null;
  /** False if nothing was locked for writing. */
  readonly hasWritten: boolean;
  /** False if the server shows not even the locks of this question. */
  readonly showsLocks: boolean;
}

interface CountedTable extends Pick<TableChange, 'updated' | 'deleted'> {
  /** `schema.name`, unquoted. */
  readonly name: string;
  /** The same, quoted. */
  readonly sql: string;
  /** False if this role may not read it. */
  readonly mayLook: boolean;
  /** True if it is small enough to count its own rows, and no policy hides any. */
  readonly isSmall: boolean;
}

const answerLimits = { cellBytes: 8 * 1024 * 1024, wireBytes: 16 * 1024 * 1024 };
/** Our questions give text, so no type's name has to be looked up. */
const noNames = typeNames(async () => null);
/** A statement that reaches more tables is left to a person. */
const mostTables = 200;

/**
 * Command tags of statements that define nothing, so they have no right to lock a table
 * exclusively.
 */
const changesRows = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|CALL)(?: |$)/;

/**
 * Sends a round trip and collects the texts that one of its statements gives, one text a row.
 * @param place which of the statements that is.
 * @param notice gets each NoticeResponse; valid until it returns.
 */
export async function roundTripWithTexts(
  session: Session,
  statements: readonly Statement[],
  place: number,
  notice: (message: Buffer) => void = () => {},
): Promise<{ readonly end: RoundTripEnd; readonly texts: readonly string[] }> {
  const texts: string[] = [];
  let isWhole = true;
  const row = (given: Parameters<typeof cellsOf>[0] & { readonly cuts: readonly unknown[] }) => {
    const [cell] = cellsOf(given);
    // A cut or missing text ends the list: the texts behind it would be taken for it.
    isWhole &&= given.cuts.length === 0 && typeof cell === 'string';
    if (isWhole) texts.push(String(cell));
    return true;
  };
  // The reader of the round trip before hears nothing of this one.
  session.stream.readRows(null, Number.POSITIVE_INFINITY);
  const reader = new ResultReader(session, { columns() {}, row }, answerLimits, noNames);
  const end = await session.roundTrip(statements, { place, columns: fields => reader.columns(fields), notice });
  reader.stop();
  return { end, texts };
}

/** What a look at a statement's changes found. */
export type Looked =
  | ({ readonly kind: 'counted'; readonly transaction?: string | null } & Counted)
  /**
   * A deferred constraint or trigger failed when it ran now; the commit would have failed the same
   * way.
   */
  | { readonly kind: 'fails'; readonly error: ServerError }
  | { readonly kind: 'lost'; readonly end: Exclude<RoundTripEnd, { readonly kind: 'ready' }> };

/** The transaction goes on from here if the server does not know what is asked. */
const savepoint: Statement = { sql: 'SAVEPOINT sallyport_count', parameters: [], isKept: true };
const backToSavepoint: Statement = { sql: 'ROLLBACK TO SAVEPOINT sallyport_count', parameters: [] };
const deferredNow: Statement = { sql: 'SET CONSTRAINTS ALL IMMEDIATE', parameters: [] };
/**
 * A deferred trigger may defer constraints again and set off another: repeated until none changes a
 * row.
 */
const mostRounds = 5;

/** The counters before a statement as JSON, or a clause on why there are none. */
export type CountedBefore = { readonly counts: string } | { readonly why: string };
export const unasked: CountedBefore = { why: 'it was not asked' };

/**
 * Begins a statement's transaction and reads the counters. On a server that has no such counters
 * the transaction is begun again without them.
 * @param opening BEGIN and what sets the transaction up.
 */
export async function openCounting(
  session: Session,
  opening: readonly Statement[],
): Promise<{ readonly end: RoundTripEnd; readonly before: CountedBefore }> {
  const { end, texts } = await roundTripWithTexts(session, [...opening, countedBefore], opening.length);
  const before = { counts: texts[0] ?? '' };
  const isRefused = end.kind === 'ready' && end.tags.length === opening.length && end.error !== null;
  if (!isRefused || !lacksWhatIsAsked(end.error)) return { end, before };
  const again = await session.roundTrip([plainRollback, ...opening]);
  const { message } = end.error;
  return {
    end: again.kind === 'ready' ? { ...again, tags: again.tags.slice(1) } : again,
    before: { why: message },
  };
}

/**
 * Reads the counters before a later statement of the transaction that `openCounting` began.
 * @returns how the round trip ended, if it failed.
 */
export async function countAnew(session: Session, opened: CountedBefore): Promise<CountedBefore | RoundTripEnd> {
  if ('why' in opened) return opened;
  const { newest } = JSON.parse(opened.counts);
  const ours = (sql: string, parameters: Statement['parameters'] = []) => ({ sql, parameters, isKept: true });
  const begun = [ours(keepPath), ours(beginStep), ours(countedBeforeStep, [`${newest}`])];
  const statements = [...begun, ours(restorePath), ours(stepSavepoint)];
  const { end, texts } = await roundTripWithTexts(session, statements, 2);
  return end.kind === 'ready' && end.error === null ? { counts: texts[0] ?? '' } : end;
}

/**
 * Asks after a statement what it changed.
 * @param before what was counted before the statement.
 * @param tag the statement's command tag.
 * @param made tables that definitions of this daemon made: rows added there are not told.
 * @param notice gets what deferred triggers say, as NoticeResponses.
 * @param deferred whether deferred constraints and triggers run before the count.
 */
export async function lookAtChanges(
  session: Session,
  before: CountedBefore,
  tag: string,
  made: Made,
  notice?: (message: Buffer) => void,
  deferred: Deferred = 'run',
): Promise<Looked> {
  if ('why' in before) return uncounted(notSaid(before.why), []);
  let rows: number | null = null;
  for (let round = 0; round < mostRounds; round++) {
    const asked = await askWhatChanged(session, before.counts, tag, notice, deferred);
    if (asked.kind !== 'answered') return asked;
    const { answered } = asked;
    if (deferred === 'wait' || !answered.defers || (round > 0 && answered.rows === rows)) {
      const looked = await lookCloser(session, answered, tag, made);
      return looked.kind === 'counted' ? { ...looked, transaction: answered.transaction } : looked;
    }
    ({ rows } = answered);
  }
  return uncounted('its deferred triggers set off one another', []);
}

type Asked = { readonly kind: 'answered'; readonly answered: Answered } | Looked;

async function askWhatChanged(
  session: Session,
  before: string,
  tag: string,
  notice: ((message: Buffer) => void) | undefined,
  deferred: Deferred,
): Promise<Asked> {
  const asked = askCounts(before, changesRows.test(tag));
  const opening = deferred === 'run' ? [savepoint, deferredNow] : [savepoint];
  const { end, texts } = await roundTripWithTexts(session, [...opening, ...asked], opening.length + 1, notice);
  if (end.kind !== 'ready') return { kind: 'lost', end };
  const { error, tags } = end;
  if (error !== null && tags.length < opening.length && !lacksWhatIsAsked(error)) return { kind: 'fails', error };
  if (error !== null) return notAnswered(session, notSaid(error.message));
  const [text] = texts;
  return text === undefined ? uncounted(notSaid('no row'), []) : { kind: 'answered', answered: JSON.parse(text) };
}

const notSaid = (why: string): string => `the server does not say (${why})`;

/** Takes the transaction back to before a question of ours that failed. */
async function notAnswered(session: Session, why: string): Promise<Looked> {
  const back = await session.roundTrip([backToSavepoint]);
  return back.kind === 'ready' ? uncounted(why, []) : { kind: 'lost', end: back };
}

async function lookCloser(session: Session, answered: Answered, tag: string, made: Made): Promise<Looked> {
  const remains = remainsOf(answered);
  const foreign = answered.foreign[0]?.name ?? null;
  const elsewhere = whyNotCounted(answered, tag) ?? (foreign === null ? [] : ofForeign(foreign, answered, tag));
  if (typeof elsewhere === 'string') return { ...uncounted(elsewhere, remains), foreign };
  // One row is never all of several: most writes need no look at their tables.
  const several = answered.tables.filter(table => table.updated + table.deleted > 1);
  const closer =
    several.length === 0 || answered.own === null ? null : await lookAtTables(session, several, answered.own);
  if (closer !== null && 'kind' in closer) return closer.kind === 'counted' ? { ...closer, remains, foreign } : closer;
  const unseen = several.find(({ name, updated, deleted }) => {
    const { made, rows } = closer?.get(name) ?? {};
    return updated > deleted && (made === 0 || rows === 0);
  });
  if (unseen !== undefined)
    return {
      ...uncounted(`the rows of ${JSON.stringify(unseen.name)} that it updated can't be seen`, remains),
      foreign,
    };
  const tables = answered.tables.map(table => changeOf(table, closer?.get(table.name)));
  const added = answered.added
    .filter(({ oid, name }) => !made.has(`${oid}`, name))
    .map(({ name, rows }) => ({ table: name, rows }));
  return {
    kind: 'counted',
    rowCounts: { tables: [...tables, ...elsewhere], uncounted: null, added },
    remains,
    foreign,
  };
}

/**
 * What a statement changed in a foreign table, or a clause on why nobody knows. The server keeps no
 * counters of such a table, so only the statement's own count tells.
 */
function ofForeign(table: string, { foreign, isForeignAlone }: Answered, tag: string): readonly TableChange[] | string {
  const [, verb, count] = /^(UPDATE|DELETE|INSERT 0) (\d+)$/.exec(tag) ?? [];
  const rows = Number(count);
  if (verb === undefined || !isForeignAlone || foreign.length > 1) return `${JSON.stringify(table)} is a foreign table`;
  if (verb === 'INSERT 0' || rows === 0) return [];
  if (rows > mostForeignRows)
    return `${JSON.stringify(table)} is a foreign table, of which a statement may change ${mostForeignRows} rows, and these are ${rows}`;
  const [updated, deleted] = verb === 'UPDATE' ? [rows, 0] : [0, rows];
  return [{ table, updated, deleted, isEmptied: false, isChangedWhole: false }];
}

/** More rows of a foreign table are left to a person: nobody knows whether they are all it has. */
const mostForeignRows = 100;

/**
 * A clause on why the answer can't be believed; null if it can. Servers that are almost PostgreSQL
 * have the counters and the locks, and some never move them.
 */
function whyNotCounted(answered: Answered, tag: string): string | null {
  const { isCounting, showsLocks, lost, tables, foreign, transaction, hasWritten } = answered;
  const rows = answered.rows ?? 0;
  const told = rowsOfTag(tag);
  const [taken] = lost;
  const hidden = tables.find(({ mayLook, updated, deleted }) => !mayLook && updated + deleted > 1);
  if (!isCounting) return 'the server keeps no counts (track_counts is off)';
  if (!showsLocks) return 'the server does not show which tables it locked';
  if (taken !== undefined)
    return `it truncated, dropped or changed ${taken === null ? 'a table' : JSON.stringify(taken)} as a whole`;
  if (foreign.length === 0 && told !== null && told > rows)
    return `the server says that it changed ${told} rows, and its counters say ${rows}`;
  if (told === null && hasWritten && transaction !== null && rows === 0)
    return 'it wrote, and the counters of the server say nothing of it';
  if (hidden !== undefined) return `this role may not read ${JSON.stringify(hidden.name)}`;
  return tables.length > mostTables ? `it changed rows of ${tables.length} tables` : null;
}

/** What the server itself says that a statement changed; null if it doesn't say. */
export function rowsOfTag(tag: string): number | null {
  const [, count] = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag) ?? [];
  return count === undefined ? null : Number(count);
}

function uncounted(why: string, remains: readonly string[]): { readonly kind: 'counted' } & Counted {
  return { kind: 'counted', rowCounts: { tables: [], uncounted: why }, remains, foreign: null };
}

/** What a look at a changed table's rows found. */
interface TableLook {
  /** True if some row of it was not made by this transaction. */
  readonly isSomeUnchanged: boolean;
  /** 0, 1, or 2 for more. */
  readonly rows: number;
  /** Rows made by this transaction; null if not counted. */
  readonly made: number | null;
}

/** Asks about the rows of changed tables. @returns by the tables' names. */
async function lookAtTables(
  session: Session,
  tables: readonly CountedTable[],
  own: string,
): Promise<Looked | Map<string, TableLook>> {
  const { end, texts } = await roundTripWithTexts(session, [askTables(tables, own)], 0);
  if (end.kind !== 'ready') return { kind: 'lost', end };
  if (end.error !== null) return notAnswered(session, `the tables can't be looked at (${end.error.message})`);
  const closer = texts.map((text): [string, TableLook] => {
    const [place, isSomeUnchanged, rows, made] = JSON.parse(text);
    return [tables[place]?.name ?? '', { isSomeUnchanged, rows, made }];
  });
  return new Map(closer);
}

function changeOf({ name, updated, deleted }: CountedTable, closer: TableLook | undefined): TableChange {
  // A row that is updated again and again, like a trigger's counter, was changed once.
  const rowsUpdated = Math.min(updated, closer?.made ?? updated);
  const change = { table: name, updated: rowsUpdated, deleted };
  if (closer === undefined)
    return { ...change, isEmptied: updated + deleted > 1, isChangedWhole: updated + deleted > 1 };
  // A policy may hide rows from our question, so the look may tell fewer rows than there are.
  const isChangedWhole = !closer.isSomeUnchanged && Math.max(closer.rows, rowsUpdated) + deleted > 1;
  return { ...change, isEmptied: isChangedWhole && closer.rows === 0, isChangedWhole };
}

/** Sentences about what a rollback leaves behind. */
function remainsOf({ sequences, foreign }: Answered): readonly string[] {
  const named = sequences.map(name => JSON.stringify(name)).join(', ');
  const kept = foreign.filter(({ rollsBack }) => !rollsBack).map(({ name }) => JSON.stringify(name));
  return [
    ...(sequences.length > 0
      ? [`Values taken from sequences (${named}) stay used up: a rollback does not give them back.`]
      : []),
    ...(kept.length > 0 ? [`What it did to foreign tables (${kept.join(', ')}) may stay: look there.`] : []),
  ];
}
