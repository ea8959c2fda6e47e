/**
 * Classifies an SQLite statement in its file: by its text, then by SQLite's own events and, if a
 * definition or an index command depends on it, by what the file holds.
 */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import { type Reason, say, worded } from '../../guard/reason.ts';
import { withActs } from '../../guard/sqlite/acts.ts';
import type { FileQuestion } from '../../guard/sqlite/catalog.ts';
import type { Classification, StatementClass } from '../../guard/types.ts';
import { answering } from '../answering.ts';
import { asClassified, type Classified, type Facts } from '../classified.ts';
import type { Classifier } from '../classifier.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { messages } from './failure.ts';
import { lookUpWith, type Row } from './look-up.ts';

/**
 * SQLite classifies when the statement runs, in the same trip. A read session runs only what SQLite
 * says only reads. If SQLite finds more in a write than its text did, nothing runs, and this is
 * called again for `fresh` facts. If a person may be asked, SQLite is asked beforehand.
 */
export async function follow(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  sql: string,
  facts: Facts = 'fresh',
): Promise<Classified> {
  const classified = await classifier.ask(context, 'sqliteClass', sql);
  if (classified.kind !== 'done') return asClassified(classified);
  const { question, ...byText } = classified.value;
  const { class: classOfText } = byText;
  if (classOfText === 'forbidden') return asClassified({ kind: 'done', value: byText });
  if (facts === 'remembered' && classOfText !== 'destructive' && question === undefined)
    return { kind: 'classified', classification: byText, run: { isOnlyWrite: classOfText === 'write' } };
  const found = await asked(database, context, classOfText === 'write' ? question : undefined);
  if (found.kind !== 'done') return { kind: 'failed', failure: found };
  const raised =
    found.value && question ? ({ class: 'destructive', ...worded(reasons[question.kind]) } as const) : null;
  const prepare = lookUpWith((request, sink) => database.run({ ...request, isClassified: true }, sink), context);
  const told = await answering(() => prepare(sql));
  return asClassified({ kind: 'done', value: { ...asPrepared(byText, told), ...raised } });
}

/** A statement that can't be prepared (unknown names, a locked file) is what its text says. */
function asPrepared(byText: Classification, told: Answer<readonly Row[]>): Classification {
  if (told.kind === 'unsupported' && told.message === messages.function)
    return { ...byText, class: 'forbidden', ...worded(told.message) };
  const [row] = told.kind === 'done' ? told.value : [];
  if (row === undefined) return byText;
  const [statementClass, reason] = row.map(String);
  return withActs(byText, { class: statementClass as StatementClass, reason: JSON.parse(reason ?? '""') });
}

const reasons: Readonly<Record<FileQuestion['kind'], Reason>> = {
  rows: say`It may make other people's writes to the table fail: it has rows, and from now on every write must fit the new definition.`,
  parts: say`It takes tables that are there for parts of itself, by their names: writes to them may be refused from then on.`,
  virtual: say`It is a command to a full-text index that has rows: it may lose them, or change what every search finds.`,
};

/** Suffixes of a module's own tables, behind the virtual table's name and a `_`. */
const partsTaken = `
select 1 from main.sqlite_schema where type = 'table' and lower(name) in (
  select ?1 || '_' || value from temp.json_each(
    '["config","content","data","docsize","idx","node","parent","rowid","segdir","segments","stat"]'))
and not exists (select 1 from main.sqlite_schema where lower(name) = ?1) limit 1`;

async function asked(
  database: Database,
  context: CallContext,
  question: FileQuestion | undefined,
): Promise<Answer<boolean>> {
  if (question === undefined) return { kind: 'done', value: false };
  const { kind, table } = question;
  if (kind === 'parts') {
    const taken = await lookUp(database, context, partsTaken, [table]);
    return taken.kind === 'done' ? { kind: 'done', value: taken.value.length > 0 } : taken;
  }
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
