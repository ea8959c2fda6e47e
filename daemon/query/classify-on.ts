/**
 * Classifies a statement for the connection it is to run on (spec §7): the text first, then, for a read that calls what is
 * not built in, the connection's catalog. The catalog only ever raises a class, and one that can't be asked is no yes.
 */

import type { Classification } from './classification/classification.ts';
import type { Classifiers } from './classification/classifiers.ts';
import { withCatalog, withCurrentSchema } from './classification/mysql/catalog.ts';
import { namesToLookUp, type PostgresCatalog } from './classification/postgres/catalog.ts';
import { catalogLookup } from './classification/postgres/catalog-lookup.ts';
import type { CallContext, Database, DatabaseFailure } from './database.ts';
import { lookUp } from './look-up.ts';
import { routineFacts } from './mysql-routines.ts';

export type Classified =
  | { readonly kind: 'classified'; readonly classification: Classification }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** @param ownDatabase the connection's saved database, where the call names none. */
export async function classifyOn(
  classifiers: Classifiers,
  database: Database,
  context: CallContext,
  ownDatabase: string | null,
  sql: string,
): Promise<Classified> {
  switch (database.engine) {
    case 'sqlite':
      // The engine itself is asked when the statement is prepared: a read session runs only what it says is read-only.
      return classified((await classifiers.sqlite())(sql));
    case 'postgres':
      return onPostgres(classifiers, database, context, sql);
    case 'mysql':
      return onMysql(classifiers, database, context, ownDatabase, sql);
  }
}

async function onPostgres(
  classifiers: Classifiers,
  database: Database,
  context: CallContext,
  sql: string,
): Promise<Classified> {
  const classify = await classifiers.postgres();
  const byText = classify(sql);
  // Not "thorough": that a user's function hides behind a built-in's name is left to the session, which can't write.
  const names = namesToLookUp(byText.question, false);
  if (names === null) return classified(byText);
  const answer = await lookUp(database, context, catalogLookup, [names]);
  if (answer.kind !== 'done') return { kind: 'failed', failure: answer };
  const catalog: PostgresCatalog = JSON.parse(String(answer.value[0]?.[0] ?? '{"functions":[],"operators":[]}'));
  return classified(classify(sql, catalog));
}

async function onMysql(
  classifiers: Classifiers,
  database: Database,
  context: CallContext,
  ownDatabase: string | null,
  sql: string,
): Promise<Classified> {
  const schema = context.schema ?? context.database ?? ownDatabase;
  const byText = withCurrentSchema((await classifiers.mysql())(sql), schema);
  if (byText.class !== 'read' || byText.calls.length === 0) return classified(byText);
  const facts = await routineFacts(database, context, schema, byText.calls);
  if (facts.kind !== 'done') return { kind: 'failed', failure: facts };
  return classified(withCatalog(byText, facts.value));
}

function classified(classification: Classification): Classified {
  return { kind: 'classified', classification };
}
