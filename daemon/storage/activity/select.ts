/**
 * Answers questions about the log, newest first, from the indexes: quick whatever the log's size.
 */

import type { Knex } from 'knex';
import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { aiPolicies } from '../../../shared/words.ts';
import { noStanding, standingLevels } from '../../access/standing/standing.ts';
import type { StatedRow } from '../../access/standing/standings.ts';
import type { ActivityPage, ActivityQuestion, ActivityRow } from '../../activity.ts';
import type { Record } from '../forwarding/record.ts';
import { storedMac } from './chain.ts';
import { longestPage } from './log-limits.ts';
import { type Facts, rowOf, type StoredRow } from './row.ts';

type FateOf = (number: number, facts: Facts, isSettled: boolean) => ActivityRow['fate'];

interface Place {
  readonly number: number;
  readonly time: number;
}

export async function selectRows(knex: Knex, question: ActivityQuestion, fateOf: FateOf): Promise<ActivityPage> {
  const limit = Math.min(Math.max(1, Math.trunc(question.limit)), longestPage);
  const before = await placeOf(knex, question.before);
  const after = await placeOf(knex, question.after);
  // The row to continue from was pruned, and so are all older ones.
  if (before === 'gone') return { rows: [], older: null, newest: null };
  const found = await matching(knex, question, before, after === 'gone' ? null : after, limit + 1);
  const page = found.slice(0, limit);
  const ordered = after === null ? page : page.toReversed();
  const settled = await settledAmong(knex, ordered);
  return {
    rows: ordered.map(row => rowOf(row.number, row, fateOf(row.number, row, settled.has(row.number)))),
    older: after === null && found.length > limit ? (ordered.at(-1)?.number ?? null) : null,
    newest: ordered[0]?.number ?? null,
  };
}

const standingShape = z.object({
  level: z.enum(standingLevels),
  until: z.string().nullable(),
  policy: z.enum(aiPolicies).nullable(),
  digest: z.string(),
});

/** Rows that state what something allows, oldest first. An unreadable one states nothing. */
export async function selectStated(knex: Knex): Promise<readonly StatedRow[]> {
  const rows: Pick<StoredRow, 'time' | 'connection_id' | 'principal' | 'standing'>[] = await knex('activity')
    .whereNotNull('standing')
    .orderBy('number')
    .select('time', 'connection_id', 'principal', 'standing');
  return rows.map(({ time, connection_id, principal, standing }) => ({
    time,
    id: connection_id ?? principal,
    standing: standingShape.safeParse(parsedJson(String(standing))).data ?? noStanding,
  }));
}

export async function selectAfter(knex: Knex, number: number, most: number): Promise<readonly Record[]> {
  const rows: StoredRow[] = await knex('activity').where('number', '>', number).orderBy('number').limit(most);
  return rows.map(row => ({ row: rowOf(row.number, row, null), mac: storedMac(row).toString('base64') }));
}

export async function selectNewest(knex: Knex): Promise<number> {
  const [found] = await knex<StoredRow>('activity').max({ newest: 'number' });
  return Number(found?.newest ?? 0);
}

async function placeOf(knex: Knex, number: number | null | undefined): Promise<Place | 'gone' | null> {
  if (number === null || number === undefined) return null;
  const row: Place | undefined = await knex('activity').select('number', 'time').where({ number }).first();
  return row ?? 'gone';
}

/** An index (null for a walk over the table) and the column values that it finds rows by. */
type Way = readonly [index: string | null, found: { readonly [column: string]: unknown }];

/**
 * The rows in the order of time, then number: those from after a clock was set back must still
 * show.
 */
async function matching(
  knex: Knex,
  { since, category, token }: ActivityQuestion,
  before: Place | null,
  after: Place | null,
  limit: number,
): Promise<readonly StoredRow[]> {
  const direction = after === null ? 'desc' : 'asc';

  function select([index, found]: Way): Promise<Place[]> {
    // Without the hint SQLite takes the category's index for a filter by both, and walks the whole
    // category.
    const rows = knex
      .select('number', 'time')
      .from(index === null ? 'activity' : knex.raw(`activity indexed by ${index}`))
      .where(found)
      .orderBy('time', direction)
      .orderBy('number', direction)
      .limit(limit);
    if (typeof category === 'string') rows.where({ category });
    if (typeof since === 'number') rows.andWhere('time', '>=', since);
    if (before !== null) rows.andWhere('time', '<=', before.time).andWhere(beyond(before, '<'));
    if (after !== null) rows.andWhere('time', '>=', after.time).andWhere(beyond(after, '>'));
    return rows.then((found: Place[]) => found);
  }

  const ways =
    typeof token === 'string'
      ? waysToName(token)
      : waysTo(typeof category === 'string' ? [category] : await storedCategories(knex));
  // One query per value, each from its index alone; an OR would walk the whole log.
  const found: Place[] = [];
  for (const way of ways) found.push(...(await select(way)));
  const sign = direction === 'desc' ? -1 : 1;
  const first = [...new Map(found.map(place => [place.number, place])).values()]
    .sort((a, b) => sign * (Number(a.time) - Number(b.time) || Number(a.number) - Number(b.number)))
    .slice(0, limit);
  return readRows(knex, first);
}

const byCategory = 'activity_by_category';

/** There are six categories; an edited table may hold more. */
const mostCategories = 32;

function waysTo(categories: readonly unknown[]): readonly Way[] {
  if (categories.length > mostCategories) return [[null, {}]];
  return categories.map(category => [byCategory, { category }]);
}

/**
 * The categories in the table, edited ones included: each query finds the next one, and no row is
 * walked.
 */
async function storedCategories(knex: Knex): Promise<readonly unknown[]> {
  const rows: { category: unknown }[] = await knex.raw(
    `with recursive each (category) as (
      select min(category) from activity indexed by ${byCategory}
      union all
      select (select min(category) from activity indexed by ${byCategory} where category > each.category)
      from each where category is not null
      limit ${mostCategories + 1}
    ) select category from each where category is not null`,
  );
  return rows.map(({ category }) => category);
}

/** A token is asked for by its name or its id. */
function waysToName(text: string): readonly Way[] {
  return [
    ['activity_by_token', { token_name: text }],
    ['activity_by_principal', { principal: text }],
  ];
}

async function readRows(knex: Knex, places: readonly Place[]): Promise<readonly StoredRow[]> {
  if (places.length === 0) return [];
  const numbers = places.map(({ number }) => number);
  const rows: StoredRow[] = await knex.select('*').from('activity').whereIn('number', numbers);
  const byNumber = new Map(rows.map(row => [row.number, row]));
  return numbers.flatMap(number => byNumber.get(number) ?? []);
}

function beyond(place: Place, sign: '<' | '>'): Knex.QueryCallback {
  return condition => void condition.where('time', sign, place.time).orWhere('number', sign, place.number);
}

async function settledAmong(knex: Knex, rows: readonly StoredRow[]): Promise<ReadonlySet<number>> {
  const attempts = rows.filter(row => row.kind === 'attempt').map(row => row.number);
  if (attempts.length === 0) return new Set();
  const outcomes: { attempt: number }[] = await knex('activity').select('attempt').whereIn('attempt', attempts);
  return new Set(outcomes.map(({ attempt }) => attempt));
}
