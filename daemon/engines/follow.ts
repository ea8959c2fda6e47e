/**
 * Classifies a statement for the connection it is to run on (spec §7): the text first, then, where it names what only the
 * connection's catalog can explain, that catalog. One that can't be asked is no yes. It is asked at each call: what a text
 * means may be remembered, what a catalog holds may not.
 */

import type { Classified, Facts } from './classified.ts';
import type { Classifier } from './classifier.ts';
import type { CallContext, Database } from './engine.ts';
import { onMysql } from './mysql/follow.ts';
import { onPostgres } from './postgres/follow.ts';
import { onSqlite } from './sqlite/follow.ts';

export type { Classified };

/** @param ownDatabase the connection's saved database, where the call names none. */
export async function classifyOn(
  classifier: Classifier,
  database: Database,
  context: CallContext,
  ownDatabase: string | null,
  sql: string,
  facts: Facts = 'fresh',
): Promise<Classified> {
  switch (database.engine) {
    case 'sqlite':
      // The engine itself is asked when the statement is prepared: a read session runs only what it says is read-only.
      return onSqlite(classifier, database, context, sql);
    case 'postgres':
      return onPostgres(classifier, database, context, sql, facts);
    case 'mysql':
      return onMysql(classifier, database, context, ownDatabase, sql, facts);
  }
}
