/**
 * Answers questions about the log, newest first, from the indexes: quick whatever the log's size.
 */

import type { Knex } from 'knex';
import type { ActivityPage, ActivityQuestion, ActivityRow } from '../../activity.ts';
import { longestPage } from './log-limits.ts';
import { bytesOf, packings } from './packed-values.ts';
import { type Facts, rowOf, type StoredRow } from './row.ts';
import { largestId, namedBy, type PackedRow, type RepeatedText, type Texts, textsById, unpacked } from './texts.ts';

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

async function placeOf(knex: Knex, number: number | null | undefined): Promise<Place | 'gone' | null> {
  if (number === null || number === undefined) return null;
  const row: Place | undefined = await knex('activity').select('number', 'time').where({ number }).first();
  return row ?? 'gone';
}

/** An index (null for a walk over the table) and the column values that it finds rows by. */
type Way = readonly [index: string | null, found: { readonly [column: string]: unknown }];

/** In the order of time, then number: rows from after a clock was set back must still show. */
async function matching(
  knex: Knex,
  { since, category, token }: ActivityQuestion,
  before: Place | null,
  after: Place | null,
  limit: number,
): Promise<readonly StoredRow[]> {
  const direction = after === null ? 'desc' : 'asc';
  const storedAs = typeof category === 'string' ? [category, packings.category.pack(category) as Buffer] : null;

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
    if (storedAs !== null) rows.whereIn('category', storedAs);
    if (typeof since === 'number') rows.andWhere('time', '>=', since);
    if (before !== null) rows.andWhere('time', '<=', before.time).andWhere(beyond(before, '<'));
    if (after !== null) rows.andWhere('time', '>=', after.time).andWhere(beyond(after, '>'));
    return rows.then((found: Place[]) => found);
  }

  const ways =
    typeof token === 'string' ? await waysToName(knex, token) : waysTo(storedAs ?? (await storedCategories(knex)));
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

/**
 * A name may be in a row itself (an edited one), in a text of each epoch, or be the id beside a
 * token's name.
 */
async function waysToName(knex: Knex, text: string): Promise<readonly Way[]> {
  const texts: RepeatedText[] = await knex('activity_texts')
    .select('id', 'text', 'principal')
    .whereBetween('id', [1, largestId])
    .where(named => void named.where({ text }).orWhere({ principal: text }));
  const names = [text, ...texts.filter(each => each.text === text).map(({ id }) => bytesOf(id))];
  const ids = texts.filter(each => each.principal === text).map(({ id }) => bytesOf(id));
  return [
    ...names.flatMap<Way>(name => [
      ['activity_by_token', { token_name: name }],
      ['activity_by_principal', { principal: name }],
    ]),
    // A row that names its token itself has no id beside the name.
    ...ids.map<Way>(name => ['activity_by_token', { token_name: name, principal: null }]),
  ];
}

async function readRows(knex: Knex, places: readonly Place[]): Promise<readonly StoredRow[]> {
  if (places.length === 0) return [];
  const numbers = places.map(({ number }) => number);
  const rows: PackedRow[] = await knex.select('*').from('activity').whereIn('number', numbers);
  const texts = await textsNamedBy(knex, rows);
  const byNumber = new Map(rows.map(row => [row.number, unpacked(row, texts)]));
  return numbers.flatMap(number => byNumber.get(number) ?? []);
}

async function textsNamedBy(knex: Knex, rows: readonly PackedRow[]): Promise<Texts> {
  const ids = [...new Set(rows.flatMap(namedBy))];
  return textsById(await knex('activity_texts').select('id', 'text', 'principal').whereIn('id', ids));
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
