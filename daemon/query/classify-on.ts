/**
 * Classifies a statement for the connection it is to run on (spec §7): the text first, then, where it names what only the
 * connection's catalog can explain, that catalog. One that can't be asked is no yes. It is asked at each call: what a text
 * means may be remembered, what a catalog holds may not.
 */

import type { Classification } from './classification/classification.ts';
import type { CatalogAnswer } from './classification/mysql/catalog.ts';
import { namesToLookUp, type PostgresCatalog, raisedByCatalog } from './classification/postgres/catalog.ts';
import { catalogLookup } from './classification/postgres/catalog-lookup.ts';
import { raisedByVirtualTable, virtualTableLookup } from './classification/sqlite/catalog.ts';
import type { Answer, CallContext, Database, DatabaseFailure } from './database.ts';
import type { Judging } from './judging.ts';
import { lookUp } from './look-up.ts';
import { askCatalog } from './mysql-catalog.ts';

export type Classified =
  | { readonly kind: 'classified'; readonly classification: Classification }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** @param ownDatabase the connection's saved database, where the call names none. */
export async function classifyOn(
  judging: Judging,
  database: Database,
  context: CallContext,
  ownDatabase: string | null,
  sql: string,
): Promise<Classified> {
  switch (database.engine) {
    case 'sqlite':
      return onSqlite(judging, database, context, sql);
    case 'postgres':
      return onPostgres(judging, database, context, sql);
    case 'mysql':
      return onMysql(judging, database, context, ownDatabase, sql);
  }
}

/** The engine itself is asked when the statement is prepared: a read session runs only what it says is read-only. */
async function onSqlite(judging: Judging, database: Database, context: CallContext, sql: string): Promise<Classified> {
  const judged = await judging.ask(context, 'sqliteClass', sql);
  if (judged.kind !== 'done' || judged.value.commands === undefined) return classified(judged);
  const { commands, ...classification } = judged.value;
  const virtual = await lookUp(database, context, virtualTableLookup, [commands.name]);
  if (virtual.kind !== 'done') return { kind: 'failed', failure: virtual };
  const isVirtual = virtual.value[0]?.[0] !== 0;
  return { kind: 'classified', classification: isVirtual ? raisedByVirtualTable(classification) : classification };
}

async function onPostgres(
  judging: Judging,
  database: Database,
  context: CallContext,
  sql: string,
): Promise<Classified> {
  const judged = await judging.ask(context, 'postgresClass', sql);
  if (judged.kind !== 'done') return { kind: 'failed', failure: judged };
  const byText = judged.value;
  // Not "thorough": that a user's function hides behind a built-in's name is left to the session, which can't write.
  const names = namesToLookUp(byText.question, false);
  if (names === null) return classified(judged);
  const answer = await lookUp(database, context, catalogLookup, [names]);
  if (answer.kind !== 'done') return { kind: 'failed', failure: answer };
  const catalog: PostgresCatalog = JSON.parse(String(answer.value[0]?.[0] ?? '{"functions":[],"operators":[]}'));
  return { kind: 'classified', classification: raisedByCatalog(byText, catalog) };
}

async function onMysql(
  judging: Judging,
  database: Database,
  context: CallContext,
  ownDatabase: string | null,
  sql: string,
): Promise<Classified> {
  const schema = context.schema ?? context.database ?? ownDatabase ?? '';
  const judged = await judging.ask(context, 'mysqlClass', sql, schema);
  if (judged.kind !== 'done') return { kind: 'failed', failure: judged };
  const byText = judged.value;
  if (byText.class === 'forbidden' || byText.question.length === 0) {
    return { kind: 'classified', classification: byText };
  }
  const answers: CatalogAnswer[] = [];
  // What a view or routine names is looked up in the next round.
  for (let round = 0; ; round++) {
    const found = await judging.ask(context, 'mysqlClassByCatalog', byText, answers);
    if (found.kind !== 'done') return { kind: 'failed', failure: found };
    const { classification, wants } = found.value;
    if (wants.length === 0) return { kind: 'classified', classification };
    if (round === mostRounds) return { kind: 'classified', classification: tooDeep(classification) };
    const asked = await askCatalog(database, context, wants);
    if (asked.kind !== 'done') return { kind: 'failed', failure: asked };
    answers.push(...asked.value);
  }
}

/** Views upon views, and functions that call functions, nest no deeper where people write them. */
const mostRounds = 12;

function tooDeep(classification: Classification): Classification {
  if (classification.class !== 'read') return classification;
  const reason = 'Its views and routines lead on further than can be looked through.';
  return { ...classification, class: 'write', reason };
}

function classified(answer: Answer<Classification>): Classified {
  return answer.kind === 'done'
    ? { kind: 'classified', classification: answer.value }
    : { kind: 'failed', failure: answer };
}
