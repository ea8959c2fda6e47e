/** What an SQLite statement is in the file it is to run on. */

import { raisedByVirtualTable, virtualTableLookup } from './classification/sqlite/catalog.ts';
import { type Classified, classified } from './classified.ts';
import type { CallContext, Database } from './database.ts';
import type { Judging } from './judging.ts';
import { lookUp } from './look-up.ts';

/** The engine itself is asked when the statement is prepared: a read session runs only what it says is read-only. */
export async function onSqlite(
  judging: Judging,
  database: Database,
  context: CallContext,
  sql: string,
): Promise<Classified> {
  const judged = await judging.ask(context, 'sqliteClass', sql);
  if (judged.kind !== 'done' || judged.value.commands === undefined) return classified(judged);
  const { commands, ...classification } = judged.value;
  const virtual = await lookUp(database, context, virtualTableLookup, [commands.name]);
  if (virtual.kind !== 'done') return { kind: 'failed', failure: virtual };
  const isVirtual = virtual.value[0]?.[0] !== 0;
  return { kind: 'classified', classification: isVirtual ? raisedByVirtualTable(classification) : classification };
}
