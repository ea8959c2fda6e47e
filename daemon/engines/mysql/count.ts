/**
 * Counts what a statement takes on MySQL or MariaDB: by a trial if it takes few rows, else from the
 * catalog and by reading (spec §12).
 */

import { readingOf } from '../../guard/mysql/data-change.ts';
import type { Reading } from '../../guard/mysql/reading.ts';
import { ownTransactions } from '../../guard/mysql/storage-engines.ts';
import type { MysqlTaking } from '../../guard/mysql/taking.ts';
import { answering, valueOrThrow } from '../answering.ts';
import { type CountRequest, namedIn } from '../count/count-request.ts';
import { countWhole } from '../count/count-whole.ts';
import {
  codeIsCalled,
  notCounted,
  type Taken,
  type TakenTable,
  takenByChanges,
  uncountedBecause,
  untold,
} from '../count/taken.ts';
import { shownName } from '../count/taken-words.ts';
import { type Trial, toldByPlan, tryOut } from '../count/trial.ts';
import type { WithDatabase } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { countLoss, type Loss, lossesOf } from './count/losses.ts';
import { objectsOf } from './count/objects.ts';
import {
  type Ask,
  cascadedTables,
  countOf,
  isSame,
  type MysqlTable,
  type TableName,
  wholeTables,
} from './count/tables.ts';

/** Call it within `answering`. */
export async function count(counting: WithDatabase<CountRequest>): Promise<Taken> {
  const { calls, isDml, runsDml, needsOwnSession } = counting.classified.classification;
  const history = await historyOf(counting);
  if (history !== null) return whole(counting, history);
  if (isDml || runsDml === true) {
    const trial = await triedOut(counting);
    return trial.kind === 'counted'
      ? takenByChanges(trial.changes, namedIn(counting))
      : rowsAtMost(counting, trial.why);
  }
  const taking = await takingOf(counting);
  if (taking !== null) return whole(counting, taking);
  return calls.length > 0 ? codeIsCalled(needsOwnSession) : untold;
}

/** @returns the tables with their schemas; null if the statement takes no table as a whole. */
export async function takingOf(
  counting: WithDatabase<CountRequest>,
): Promise<(MysqlTaking & { readonly in: readonly TableName[] }) | null> {
  const { classifier, context, sql } = counting;
  const taking = valueOrThrow(await classifier.ask(context, 'mysqlTaking', sql, await readingHere(counting)));
  if (taking === null) return null;
  const [[current] = []] = await asking(counting)('SELECT DATABASE()');
  const here = context.schema ?? context.database ?? String(current ?? '');
  const database = taking.database === '' ? here : taking.database;
  return { ...taking, database, in: taking.tables.map(({ schema, name }) => ({ schema: schema ?? here, name })) };
}

/** What DELETE HISTORY takes, which no counter of the server has; null for other statements. */
export async function historyOf(counting: WithDatabase<CountRequest>): ReturnType<typeof takingOf> {
  const { sql, classified } = counting;
  const taking = classified.classification.isDml && /\bhistory\b/i.test(sql) ? await takingOf(counting) : null;
  return taking?.history === 'some' ? taking : null;
}

async function readingHere(counting: WithDatabase<CountRequest>): Promise<Reading> {
  const [[version = '', sqlMode = ''] = []] = await asking(counting)('SELECT VERSION(), @@sql_mode');
  return readingOf(String(version), String(sqlMode));
}

function asking({ database, context }: WithDatabase<CountRequest>): Ask {
  return async sql => valueOrThrow(await lookUp(database, context, sql, []));
}

async function triedOut(counting: WithDatabase<CountRequest>): Promise<Trial> {
  const { database, context, sql, parameters, classified, mostChanged } = counting;
  if (classified.classification.runsDml === true) return { kind: 'not_counted', why: analyzed };
  const told = await toldByPlan(counting);
  if (told !== null) return told;
  const long = await longFollower(counting);
  if (long !== null) return { kind: 'not_counted', why: tooLong(long) };
  const { rowEffects } = classified.run ?? {};
  return valueOrThrow(await tryOut(database, context, { sql, parameters, rowEffects, mostPlanned: mostChanged }));
}

export const analyzed = uncountedBecause('a statement under ANALYZE is not tried out');

/**
 * The most rows that a trial may delete or change by cascades. A cascade can't be stopped, and
 * undoing it takes longer: with more rows others would wait for a quarter of a second.
 */
const mostFollowing = 5_000;

function tooLong({ schema, name }: TableName): string {
  const most = mostFollowing.toLocaleString('en-US');
  return uncountedBecause(
    `rows of ${shownName(`${schema}.${name}`)} go with them, which has many: a trial may set off ${most}`,
  );
}

/**
 * The table whose rows, together with those that follow by foreign keys, are too many for a trial.
 */
async function longFollower(counting: WithDatabase<CountRequest>): Promise<TableName | null> {
  const { rowEffects } = counting.classified.run ?? {};
  const ask = asking(counting);
  let left = mostFollowing;
  for (const table of await cascadedTables(
    ask,
    rowEffects?.tables ?? [],
    rowEffects?.countedTable?.rows ?? 'deleted',
  )) {
    const [[rows] = []] = await ask(countOf(table, left + 1));
    left -= Number(rows ?? 0);
    if (left < 0) return table;
  }
  return null;
}

/**
 * Each table that the statement, or what it sets off, may take rows of, with all its rows.
 * @param why it was not tried.
 */
async function rowsAtMost(counting: WithDatabase<CountRequest>, why: string): Promise<Taken> {
  const { rowEffects } = counting.classified.run ?? {};
  const ask = asking(counting);
  const act = rowEffects?.countedTable?.rows ?? (await actOfSeveral(counting));
  const own = rowEffects?.tables ?? [];
  const others = await cascadedTables(ask, own, act);
  const named = namedIn(counting);
  const tables = await wholeTables(ask, [...own, ...others], true);
  const counts = await counted(counting, tables);
  const unsafe = tables.filter(({ engine }) => !ownTransactions.has(engine.toLowerCase()));
  return {
    tables: tables.map((table, at): TakenTable => {
      const follower = own.some(each => isSame(each, table)) ? undefined : others.find(each => isSame(each, table));
      const name = `${table.schema}.${table.name}`;
      const isOther = follower === undefined && !named(name);
      const because = follower ? refersTo(follower.of) : isOther ? (table.because ?? 'by a trigger') : null;
      return { ...rowsOf(counts, at), name, act: follower?.act ?? act, isMost: true, isAll: false, because };
    }),
    objects: [],
    isOpen: false,
    isUnheld: unsafe.length > 0,
    notes: [
      why,
      ...unsafe.map(
        ({ schema, name, engine }) =>
          `${shownName(`${schema}.${name}`)} is a table of the engine ${engine}: what a yes does to it can't be rolled back.`,
      ),
    ],
  };
}

/** What a change of several tables does to their rows. */
async function actOfSeveral(counting: WithDatabase<CountRequest>): Promise<'deleted' | 'updated'> {
  const { classifier, context, sql } = counting;
  const change = valueOrThrow(await classifier.ask(context, 'mysqlDataChange', sql, await readingHere(counting)));
  return change?.verb === 'update' ? 'updated' : 'deleted';
}

function refersTo({ schema, name }: TableName): string {
  return `which refers to ${shownName(`${schema}.${name}`)}`;
}

async function whole(
  counting: WithDatabase<CountRequest>,
  taking: NonNullable<Awaited<ReturnType<typeof takingOf>>>,
): Promise<Taken> {
  if (taking.isEverywhere) return everywhere;
  const ask = asking(counting);
  const isOfTable = taking.history !== 'some';
  const tables = isOfTable ? await wholeTables(ask, taking.database ?? taking.in, taking.act === 'emptied') : [];
  const losses = lossesOf(taking, taking.in);
  const counts = await counted(counting, [...losses, ...tables]);
  return {
    tables: [
      ...losses.map(({ table }, at): TakenTable => ({ ...table, ...rowsOf(counts, at) })),
      ...tables.map(
        ({ schema, name, because }, at): TakenTable => ({
          ...rowsOf(counts, losses.length + at),
          name: `${schema}.${name}`,
          act: taking.act,
          isMost: false,
          isAll: true,
          because,
        }),
      ),
    ],
    objects: await objectsOf(ask, taking),
    isOpen: false,
    notes: taking.act === 'emptied' || taking.act === 'dropped' ? unheldNotes(taking, tables) : [],
  };
}

export const everywhere = notCounted(uncountedBecause('it is about every database of the server'));

/** A note for tables that no lock keeps unchanged between the count and the statement. */
function unheldNotes({ database }: MysqlTaking, tables: readonly MysqlTable[]): readonly string[] {
  const keyed = tables.filter(({ hasForeignKeys }) => hasForeignKeys);
  const why =
    database !== null
      ? 'because it drops a whole database'
      : keyed.length > 0
        ? `because ${keyed.map(({ schema, name }) => shownName(`${schema}.${name}`)).join(', ')} ${keyed.length === 1 ? 'has' : 'have'} foreign keys`
        : null;
  return why === null ? [] : [`Rows that others add in the moment before it runs are taken too, ${why}.`];
}

async function counted(counting: WithDatabase<CountRequest>, tables: readonly (MysqlTable | Loss)[]) {
  return countWhole(tables, counting.elapsed, async (table, timeoutSeconds) => {
    const context = { ...counting.context, timeoutSeconds };
    const number = async (sql: string) =>
      Number(valueOrThrow(await lookUp(counting.database, context, sql, []))[0]?.[0]);
    const answer = await answering(() =>
      'questions' in table ? countLoss(table, null, number) : number(countOf(table)),
    );
    return answer.kind === 'done' ? answer.value : null;
  });
}

function rowsOf(counts: Awaited<ReturnType<typeof counted>>, at: number): Pick<TakenTable, 'rows' | 'isEstimate'> {
  return counts[at] ?? { rows: null, isEstimate: true };
}
