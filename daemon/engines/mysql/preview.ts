/**
 * Plans the preview of a data change, or says why there is none: what a rollback can't undo isn't
 * run.
 */

import { quoteIdentifier, quoteQualified } from '../../guard/identifiers.ts';
import { type MysqlDataChange, readingOf } from '../../guard/mysql/data-change.ts';
import type { Classification } from '../../guard/types.ts';
import { valueOrThrow } from '../answering.ts';
import type { Classifier } from '../classifier.ts';
import type { WithDatabase } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import {
  notSampled,
  otherKey,
  type Plan,
  type Planning,
  refuse,
  type Sampling,
  sampledByReturning,
  targetIsView,
  triggerWarning,
  withoutKey,
} from '../preview-plan.ts';
import { literal } from './dialect/literal.ts';
import { cannotTell, mysqlFacts, setsForGood, type TableName } from './preview/facts.ts';

export async function planPreview(classifier: Classifier, planning: WithDatabase<Planning>): Promise<Plan> {
  const { database, context, sql, rowEffects } = planning;
  const ask = async (question: string) => valueOrThrow(await lookUp(database, context, question, []));
  const [server = []] = await ask('SELECT VERSION(), @@sql_mode, DATABASE()');
  const [version, sqlMode, current] = server.map(cell => (cell === null ? null : String(cell)));
  const reading = readingOf(version ?? '', sqlMode ?? '');
  const change = valueOrThrow(await classifier.ask(context, 'mysqlDataChange', sql, reading));
  if (change === null || rowEffects === undefined) refuse(untellable);
  if (rowEffects.uncounted !== null) refuse(cannotTell(`What it would do can't be told: ${rowEffects.uncounted}.`));
  if (change.setsSequence) refuse(setsForGood('it'));
  if (rowEffects.tables.length + rowEffects.insertedInto.length === 0) refuse(untellable);
  const schema = context.schema ?? context.database ?? current ?? '';
  const target = change.target === null ? null : { ...change.target, schema: change.target.schema ?? schema };
  const isTarget = (table: TableName) =>
    target !== null && table.schema === target.schema && table.name === target.name;
  const given: 'all' | readonly string[] = change.verb === 'insert' || change.verb === 'replace' ? 'all' : change.sets;
  const facts = await mysqlFacts(database, context, [
    ...rowEffects.tables.map(table => ({ ...table, events: isTarget(table) ? eventsOf(change) : null, given })),
    ...rowEffects.insertedInto.map(table => ({ ...table, events: ['INSERT'], given: 'all' as const })),
  ]);
  const sample = target === null ? severalTables : samplingOf(change, target, await shapeOf(ask, target));
  const isSound =
    sample.kind === 'none' ||
    isAsMeant(sample, valueOrThrow(await classifier.ask(context, 'mysqlClass', sample.sql, schema)));
  return {
    sql,
    sample: isSound ? sample : untold,
    warnings: [...triggerWarning(facts.triggers), ...warningsOf(change, facts.counts)],
    usesNumbers: change.movesSequence || facts.counts || planning.classification.calls.length > 0,
    onlyAdds:
      change.verb === 'insert' &&
      !change.returnsOthers &&
      facts.triggers.length + planning.classification.calls.length === 0,
    ...(change.verb === 'replace' && target !== null && { replaces: `${target.schema}.${target.name}` }),
  };
}

const untellable = 'Which tables the statement changes cannot be told, so it is not tried out; write it more plainly.';

function eventsOf({ verb, returnsOthers }: MysqlDataChange): readonly string[] | null {
  if (verb === 'insert') return returnsOthers ? ['INSERT', 'UPDATE'] : ['INSERT'];
  return verb === 'replace' ? ['INSERT', 'DELETE'] : [verb.toUpperCase()];
}

interface Shape {
  readonly isView: boolean;
  /** The columns of the primary key, in order; empty if no such key identifies rows. */
  readonly key: readonly string[];
  readonly hasKey: boolean;
  /** All columns if `*` leaves out invisible ones; null if it leaves out none. */
  readonly allColumns: readonly string[] | null;
}

async function shapeOf(
  ask: (question: string) => Promise<readonly (readonly unknown[])[]>,
  { schema, name }: TableName,
): Promise<Shape> {
  const there = `TABLE_SCHEMA = ${literal(schema)} AND TABLE_NAME = ${literal(name)}`;
  // MySQL's catalogs differ in collation and can't be united otherwise.
  const text = (column: string) => `CONVERT(${column} USING utf8mb4)`;
  const rows =
    await ask(`SELECT 'column' AS kind, ${text('COLUMN_NAME')}, ${text("CONCAT_WS(' ', EXTRA, GENERATION_EXPRESSION)")}, ORDINAL_POSITION AS place
FROM information_schema.COLUMNS WHERE ${there}
UNION ALL SELECT 'key', ${text('COLUMN_NAME')}, SUB_PART, SEQ_IN_INDEX FROM information_schema.STATISTICS WHERE ${there} AND INDEX_NAME = 'PRIMARY'
UNION ALL SELECT 'view', '', '', 0 FROM information_schema.VIEWS WHERE ${there} ORDER BY place`);
  const of = (kind: string) => rows.filter(([each]) => each === kind);
  const columns = of('column').map(([, column, more]) => ({ name: String(column), more: String(more) }));
  // In a versioned table the key ends with the row's end, which may be in no catalog of columns.
  const lasting = new Set(columns.filter(({ more }) => !/ROW END$/i.test(more)).map(column => column.name));
  const key = of('key').filter(([, column]) => lasting.has(String(column)));
  return {
    isView: of('view').length > 0,
    // A key on prefixes of columns makes only the prefixes unique.
    key: key.some(([, , part]) => part !== null) ? [] : key.map(([, column]) => String(column)),
    hasKey: key.length > 0,
    allColumns: columns.some(({ more }) => /\bINVISIBLE\b/i.test(more)) ? columns.map(column => column.name) : null,
  };
}

const untold = notSampled('the rows it changes cannot be told beforehand');
export const writtenAsSeveral = 'the statement is written as one of several tables';
const severalTables = notSampled(writtenAsSeveral);

function samplingOf(
  change: MysqlDataChange,
  target: TableName,
  { isView, key: columns, hasKey, allColumns }: Shape,
): Sampling {
  const { verb, sameRows, sets, returnsOthers } = change;
  if (isView) return targetIsView;
  if (columns.length === 0) return withoutKey(hasKey);
  if (columns.some(column => sets.includes(column.toLowerCase()))) return otherKey;
  const quote = (column: string) => quoteIdentifier('mysql', column);
  const table = quoteQualified('mysql', target.schema, target.name);
  const key = columns.map(quote);
  const shown = allColumns === null ? {} : { columns: allColumns.map(quote) };
  if (verb === 'update' || verb === 'delete') {
    return sameRows === null
      ? untold
      : { kind: 'asked', sql: `SELECT ${key.join(', ')} ${sameRows}`, table, key, shownKey: columns, ...shown };
  }
  if (returnsOthers) return notSampled('IGNORE and ON DUPLICATE KEY do not tell which rows they change');
  // A server without RETURNING (MySQL, MariaDB before 10.5) refuses it; then only the count is
  // shown.
  return { ...sampledByReturning(change, table, key, columns), ...shown };
}

/** A query beside the statement only reads, and calls nothing unknown. */
function isAsMeant({ kind }: Sampling, { class: classified, calls, isDml }: Classification): boolean {
  return kind === 'returned' ? isDml : classified === 'read' && calls.length === 0;
}

function warningsOf(change: MysqlDataChange, counts: boolean): readonly string[] {
  const warnings: string[] = [];
  if (change.movesSequence || counts) {
    warnings.push('Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.');
  }
  if (change.verb === 'replace') {
    warnings.push('Rows removed because another unique value of theirs conflicted are not shown under before.');
  }
  return warnings;
}
