/** What an SQLite statement is in its file: the text first, then, where a definition or a command to an index depends on it, the file. */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import type { FileQuestion } from '../../guard/sqlite/catalog.ts';
import type { Classification } from '../../guard/types.ts';
import { asClassified, type Classified } from '../classified.ts';
import type { Classifier } from '../classifier.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { lookUp } from '../look-up.ts';

/** The engine itself is asked when the statement is prepared: a read session runs only what it says is read-only. */
export async function follow(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  sql: string,
): Promise<Classified> {
  const classified = await classifier.ask(context, 'sqliteClass', sql);
  if (classified.kind !== 'done') return asClassified(classified);
  const { question = null, ...byText } = classified.value;
  if (question === null || byText.class !== 'write') return asClassified({ kind: 'done', value: byText });
  const isSo = await asked(database, context, question);
  if (isSo.kind !== 'done') return { kind: 'failed', failure: isSo };
  const value: Classification = isSo.value
    ? { ...byText, class: 'destructive', reason: reasons[question.kind] }
    : byText;
  return asClassified({ kind: 'done', value });
}

const reasons: Readonly<Record<FileQuestion['kind'], string>> = {
  rows: "It may make other people's writes to the table fail, which has rows: writes that were taken before must meet it from now on.",
  virtual: 'It is a command to a full-text index that has rows: it may lose them, or change what every search finds.',
};

async function asked(
  database: Database,
  context: CallContext,
  { kind, table }: FileQuestion,
): Promise<Answer<boolean>> {
  const isThere = `select rootpage from main.sqlite_schema where type = 'table' and lower(name) = ?`;
  const found = await lookUp(database, context, isThere, [table]);
  if (found.kind !== 'done') return found;
  const [row] = found.value;
  // The statement's own error says best what is wrong.
  if (row === undefined) return { kind: 'done', value: false };
  if (kind === 'virtual' && String(row[0]) !== '0') return { kind: 'done', value: false };
  const rows = await lookUp(database, context, `select 1 from main.${quoteIdentifier('sqlite', table)} limit 1`, []);
  return rows.kind === 'done' ? { kind: 'done', value: rows.value.length > 0 } : rows;
}
