/**
 * Classifies a statement for the connection it is to run on (spec §7): the text first, then, for a read that calls what is
 * not built in, the connection's catalog. The catalog only ever raises a class, and one that can't be asked is no yes. It is
 * asked at each call: what a text means may be remembered, what a catalog holds may not.
 */

import type { Classification } from './classification/classification.ts';
import { withCurrentSchema } from './classification/mysql/catalog.ts';
import type { PostgresCatalog } from './classification/postgres/catalog.ts';
import { catalogLookup, plainLookup } from './classification/postgres/catalog-lookup.ts';
import { asksOfTablesAlone } from './classification/postgres/question.ts';
import type { Answer, CallContext, Database, DatabaseFailure } from './database.ts';
import type { Judging } from './judging.ts';
import { lookUp } from './look-up.ts';
import { routineFacts } from './mysql-routines.ts';

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
      // The engine itself is asked when the statement is prepared: a read session runs only what it says is read-only.
      return classified(await judging.ask(context, 'sqliteClass', sql));
    case 'postgres':
      return onPostgres(judging, database, context, sql);
    case 'mysql':
      return onMysql(judging, database, context, ownDatabase, sql);
  }
}

async function onPostgres(
  judging: Judging,
  database: Database,
  context: CallContext,
  sql: string,
): Promise<Classified> {
  const judged = await judging.ask(context, 'postgresClass', sql);
  if (judged.kind !== 'done') return { kind: 'failed', failure: judged };
  let classification = judged.value;
  for (let round = 0; classification.question !== null && classification.class !== 'forbidden'; round++) {
    if (round === mostRounds) return classified(done(tooDeep(classification)));
    const parameters = [JSON.stringify(classification.question)];
    if (asksOfTablesAlone(classification.question)) {
      const plain = await lookUp(database, context, plainLookup, parameters);
      if (plain.kind !== 'done') return { kind: 'failed', failure: plain };
      if (plain.value[0]?.[0] === true) break;
    }
    const answer = await lookUp(database, context, catalogLookup, parameters);
    if (answer.kind !== 'done') return { kind: 'failed', failure: answer };
    const catalog: PostgresCatalog = JSON.parse(String(answer.value[0]?.[0]));
    const next = await judging.ask(context, 'postgresClassByCatalog', classification, catalog);
    if (next.kind !== 'done') return { kind: 'failed', failure: next };
    classification = next.value;
  }
  return classified(done(classification));
}

/** Each view, function or domain that is used by another takes one; nobody stacks so many. */
const mostRounds = 12;

function tooDeep(classification: Classification): Classification {
  const reason = 'The views or functions behind it are nested too deeply to be checked; use what they are made of.';
  return { ...classification, class: 'forbidden', reason };
}

async function onMysql(
  judging: Judging,
  database: Database,
  context: CallContext,
  ownDatabase: string | null,
  sql: string,
): Promise<Classified> {
  const schema = context.schema ?? context.database ?? ownDatabase;
  const judged = await judging.ask(context, 'mysqlClass', sql);
  if (judged.kind !== 'done') return { kind: 'failed', failure: judged };
  const byText = withCurrentSchema(judged.value, schema);
  if (byText.class !== 'read' || byText.calls.length === 0) return { kind: 'classified', classification: byText };
  const facts = await routineFacts(database, context, schema, byText.calls);
  if (facts.kind !== 'done') return { kind: 'failed', failure: facts };
  return classified(await judging.ask(context, 'mysqlClassByCatalog', byText, facts.value));
}

function done<T>(value: T): Answer<T> {
  return { kind: 'done', value };
}

function classified(answer: Answer<Classification>): Classified {
  return answer.kind === 'done'
    ? { kind: 'classified', classification: answer.value }
    : { kind: 'failed', failure: answer };
}
