/** Answers a question about the log, newest first, from the indexes: quick whatever the log's size. */

import type { Knex } from 'knex';
import type { ActivityPage, ActivityQuestion, ActivityRow } from '../../activity.ts';
import { longestPage } from './limits.ts';
import { type Facts, rowOf, type StoredRow } from './row.ts';
import { namedBy, type PackedRow, referenceTo, unpacked } from './texts.ts';

type FateOf = (number: number, facts: Facts, isSettled: boolean) => ActivityRow['fate'];

interface Place {
  readonly number: number;
  readonly time: number;
}

export async function selectRows(knex: Knex, question: ActivityQuestion, fateOf: FateOf): Promise<ActivityPage> {
  const limit = Math.min(Math.max(1, Math.trunc(question.limit)), longestPage);
  const before = await placeOf(knex, question.before);
  const after = await placeOf(knex, question.after);
  // The row it continues from was pruned, and so is all that was older.
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

/** Ordered by time, then number: a clock set back must not hide a row from a question about since when. */
async function matching(
  knex: Knex,
  { since, category, token }: ActivityQuestion,
  before: Place | null,
  after: Place | null,
  limit: number,
): Promise<readonly StoredRow[]> {
  const direction = after === null ? 'desc' : 'asc';

  function select(index: string | null, owner: object): Promise<PackedRow[]> {
    // Left to itself, SQLite takes the index on category for a question about both, and walks all of a category.
    const from = index === null ? 'activity' : knex.raw(`activity indexed by ${index}`);
    const rows = knex
      .select('*')
      .from(from)
      .where(owner)
      .orderBy('time', direction)
      .orderBy('number', direction)
      .limit(limit);
    if (typeof category === 'string') rows.andWhere({ category });
    if (typeof since === 'number') rows.andWhere('time', '>=', since);
    if (before !== null) rows.andWhere('time', '<=', before.time).andWhere(beyond(before, '<'));
    if (after !== null) rows.andWhere('time', '>=', after.time).andWhere(beyond(after, '>'));
    return rows.then((found: PackedRow[]) => found);
  }

  // A question for each, with an index each; one with OR would walk the whole log.
  const found: PackedRow[] = [];
  if (typeof token === 'string') {
    for (const name of await waysToName(knex, token)) {
      found.push(...(await select('activity_by_token', { token_name: name })));
      found.push(...(await select('activity_by_principal', { principal: name })));
    }
  } else {
    found.push(...(await select(null, {})));
  }
  const sign = direction === 'desc' ? -1 : 1;
  const first = [...new Map(found.map(row => [row.number, row])).values()]
    .sort((a, b) => sign * (Number(a.time) - Number(b.time) || Number(a.number) - Number(b.number)))
    .slice(0, limit);
  const texts = await textsNamedBy(knex, first);
  return first.map(row => unpacked(row, texts));
}

/** As rows of before have it, and as each epoch names it. */
async function waysToName(knex: Knex, text: string): Promise<(string | Buffer)[]> {
  const rows: { id: number }[] = await knex('activity_texts').select('id').where({ text });
  return [text, ...rows.map(({ id }) => referenceTo(id))];
}

async function textsNamedBy(knex: Knex, rows: readonly PackedRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.flatMap(namedBy))];
  const found: { id: number; text: string }[] = await knex('activity_texts').select('id', 'text').whereIn('id', ids);
  return new Map(found.map(({ id, text }) => [id, text]));
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
