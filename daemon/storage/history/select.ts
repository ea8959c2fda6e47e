/** Answers questions about the history, newest first, from the indexes: quick whatever its size. */

import type { Knex } from 'knex';
import type { HistoryQuestion } from '../../statement/history.ts';
import { longestHistoryPage } from './history-limits.ts';
import type { StoredHistoryRow } from './row.ts';
import { matchOf, scopeWord } from './search-words.ts';

/** With more words than this, looking up each hit is cheaper. */
const mostScopeWords = 50;

export async function selectHistory(knex: Knex, question: HistoryQuestion): Promise<readonly StoredHistoryRow[]> {
  const { connections, principal, text } = question;
  if (connections?.length === 0) return [];
  const limit = Math.min(Math.max(1, Math.trunc(question.limit)), longestHistoryPage);
  const scope = [
    ...(principal === null ? [] : [[scopeWord('principal', principal)]]),
    ...(connections === null || connections.length > mostScopeWords
      ? []
      : [connections.map(id => scopeWord('connection', id))]),
  ];
  const match = text === null ? null : matchOf(text, scope);
  const rows = match === null ? listed(knex, question) : found(knex, question, match, await idsOf(knex, question));
  const { after = null, statementHash = null, client = null, who = null } = question;
  if (client !== null) rows.andWhere('history.client', client);
  if (who !== null)
    rows.andWhereRaw('(history.client = ? collate nocase or history.token_name = ? collate nocase)', [who, who]);
  if (after !== null) rows.andWhere('history.id', '>', after);
  if (statementHash !== null) rows.andWhere('history.statement_hash', Buffer.from(statementHash, 'hex'));
  return (await rows.limit(limit)) as StoredHistoryRow[];
}

function listed(
  knex: Knex,
  { connections, principal, since, until, before = null }: HistoryQuestion,
): Knex.QueryBuilder {
  // One lookup per row: each of the two indexes holds time and connection.
  const rows = knex('history').orderBy('time', 'desc').orderBy('id', 'desc');
  if (connections !== null) rows.whereIn('connection_id', connections);
  if (principal !== null) rows.andWhere({ principal });
  if (since !== null) rows.andWhere('time', '>=', since);
  if (until !== null) rows.andWhere('time', '<=', until);
  // After a clock was set back, a larger id may be older.
  if (before !== null) rows.whereRaw('(time, id) < ((select time from history where id = ?), ?)', [before, before]);
  return rows;
}

interface Ids {
  readonly from: number | null;
  readonly to: number | null;
}

/** The search index is ordered by id: these bounds limit the walk to a time range. */
async function idsOf(knex: Knex, { since, until }: HistoryQuestion): Promise<Ids> {
  const first = since === null ? null : await oneId(byTime(knex).where('time', '>=', since).min({ id: 'id' }));
  const last = until === null ? null : await oneId(byTime(knex).where('time', '<=', until).max({ id: 'id' }));
  const none = Number.MAX_SAFE_INTEGER;
  return { from: since === null ? null : (first ?? none), to: until === null ? null : (last ?? 0) };
}

/** Without the hint SQLite walks the whole table for the first or last id. */
function byTime(knex: Knex): Knex.QueryBuilder {
  return knex.from(knex.raw('history indexed by history_by_time'));
}

async function oneId(question: Knex.QueryBuilder): Promise<number | null> {
  const [row]: { id: number | null }[] = await question;
  return row?.id ?? null;
}

function found(knex: Knex, question: HistoryQuestion, match: string, ids: Ids): Knex.QueryBuilder {
  const { connections, principal, since, until, before = null } = question;
  // CROSS JOIN: the search comes first, newest first, and each hit is looked up.
  const rows = knex
    .select('history.*')
    .from(knex.raw('history_search cross join history on history.id = history_search.rowid'))
    .whereRaw('history_search match ?', [match])
    .orderBy('history_search.rowid', 'desc');
  if (ids.from !== null) rows.andWhere('history_search.rowid', '>=', ids.from);
  if (ids.to !== null) rows.andWhere('history_search.rowid', '<=', ids.to);
  if (before !== null) rows.andWhere('history_search.rowid', '<', before);
  // The scope's words are a shortcut. The table decides what may be seen.
  if (connections !== null) rows.whereIn('history.connection_id', connections);
  if (principal !== null) rows.andWhere('history.principal', principal);
  if (since !== null) rows.andWhere('history.time', '>=', since);
  if (until !== null) rows.andWhere('history.time', '<=', until);
  return rows;
}
