/**
 * Classifies an SQLite statement in its file: by its text, then by SQLite's own events and, for a
 * command to a full-text index, by what the file holds.
 */

import { say, worded } from '../../guard/reason.ts';
import { withActs } from '../../guard/sqlite/acts.ts';
import type { Classification, StatementClass } from '../../guard/types.ts';
import { answering } from '../answering.ts';
import { asClassified, type Classified, type Facts } from '../classified.ts';
import type { Classifier } from '../classifier.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { messages } from './failure.ts';
import { lookUpWith, type Row } from './look-up.ts';

/**
 * True for a table that our definitions made: by the file's `schema_version`, its name and text.
 */
type IsOurs = (version: number, table: string, sql: string) => boolean;

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
  isOurs: IsOurs = () => false,
): Promise<Classified> {
  const classified = await classifier.ask(context, 'sqliteClass', sql);
  if (classified.kind !== 'done') return asClassified(classified);
  const { question, defines, ...byText } = classified.value;
  // Which relations it may alter, SQLite's events tell.
  const run = defines === true ? { defines: [] } : undefined;
  const { class: classOfText } = byText;
  if (classOfText === 'forbidden') return asClassified({ kind: 'done', value: byText });
  if (facts === 'remembered' && classOfText !== 'destructive' && question === undefined)
    return { kind: 'classified', classification: byText, run: { ...run, isOnlyWrite: classOfText === 'write' } };
  const found =
    classOfText === 'write' && question !== undefined
      ? await isOthersIndex(database, context, question.virtual, isOurs)
      : ({ kind: 'done', value: false } as const);
  if (found.kind !== 'done') return { kind: 'failed', failure: found };
  const raised = found.value ? ({ class: 'destructive', ...worded(isCommand) } as const) : null;
  const prepare = lookUpWith(
    (request, sink) => database.run({ ...request, isClassified: true, isOurs: false }, sink),
    context,
  );
  const told = await answering(() => prepare(sql));
  if (told.kind === 'masked') return { kind: 'failed', failure: told };
  if (context.masks !== undefined && told.kind === 'unsupported') return { kind: 'failed', failure: told };
  // Nobody is asked about what is out of sight; what isn't there is told the same way.
  if (context.sight !== undefined && (told.kind === 'query_failed' || told.kind === 'unsupported'))
    return { kind: 'failed', failure: told };
  return { kind: 'classified', classification: { ...asPrepared(byText, told), ...raised }, ...(run && { run }) };
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

const isCommand = say('It is a command to a full-text index: it may lose rows, or change what every search finds.');

/** Whether a virtual table has that name, and a definition of ours didn't make it. */
async function isOthersIndex(
  database: Database,
  context: CallContext,
  table: string,
  isOurs: IsOurs,
): Promise<Answer<boolean>> {
  const found = await lookUp(
    database,
    context,
    `select s.name, s.sql, v.schema_version from main.sqlite_schema as s, temp.pragma_schema_version as v
     where s.type = 'table' and s.rootpage = 0 and lower(s.name) = ?`,
    [table],
  );
  if (found.kind !== 'done') return found;
  // The statement's own error says best what is wrong.
  const isOthers = found.value.some(([name, sql, version]) => !isOurs(Number(version), String(name), String(sql)));
  return { kind: 'done', value: isOthers };
}
