/** Plans the preview of a MySQL or MariaDB data change, or says why there is none: what a rollback can't take back isn't run. */

import { answered } from '../answering.ts';
import type { Classification } from '../classification/classification.ts';
import type { Parameter } from '../database.ts';
import { quoteIdentifier, quoteQualified } from '../identifiers.ts';
import type { Judging } from '../judging.ts';
import { lookUp } from '../look-up.ts';
import { type MysqlReading, readingOf } from './mysql-reading.ts';
import { type Ask, type ReadCode, requireTransactional } from './mysql-transactional.ts';
import { cascadeWarning, noKey, otherKey, type Plan, type Planning, refuse, type Sampling, without } from './plan.ts';
import { sampledByReturning } from './returning.ts';

export async function planMysql(judging: Judging, planning: Planning): Promise<Plan> {
  const { database, context, classification, sql } = planning;
  const ask = async (question: string, parameters: readonly Parameter[] = []) =>
    answered(await lookUp(database, context, question, parameters));
  const [server = []] = await ask('SELECT VERSION(), @@sql_mode, DATABASE()');
  const [version, sqlMode, current] = server.map(cell => (cell === null ? null : String(cell)));
  const how = readingOf(version ?? '', sqlMode ?? '');
  const reading = answered(await judging.ask(context, 'mysqlReading', sql, how));
  if (reading === null || reading.writes.length === 0) {
    refuse('Which tables the statement changes can not be told, so it is not previewed; write it more plainly.');
  }
  if (reading.setsSequence) refuse('What SETVAL does outlives a rollback, so the statement is not previewed.');
  const schema = context.schema ?? context.database ?? current ?? planning.ownDatabase;
  const read: ReadCode = async (...given) => answered(await judging.ask(context, 'mysqlReachOfCode', ...given));
  await requireTransactional({ ask, read }, schema, {
    writes: reading.writes,
    reads: classification.tables,
    calls: classification.calls,
  });
  const target =
    reading.target === null ? null : { schema: reading.target.schema ?? schema ?? '', name: reading.target.name };
  const facts = await targetFacts(ask, target);
  const name = target === null ? '' : quoteQualified('mysql', target.schema, target.name);
  const sample = samplingOf(reading, facts, name);
  const isSound =
    sample.kind === 'none' ||
    isAsMeant(sample, answered(await judging.ask(context, 'mysqlClass', sample.sql, schema ?? '')));
  return { sql, sample: isSound ? sample : untold, warnings: warningsOf(reading, facts) };
}

const columnQuestion = `
SELECT c.COLUMN_NAME, s.SEQ_IN_INDEX, s.SUB_PART, c.EXTRA, c.COLUMN_DEFAULT
FROM information_schema.COLUMNS AS c LEFT JOIN information_schema.STATISTICS AS s
ON s.TABLE_SCHEMA = c.TABLE_SCHEMA AND s.TABLE_NAME = c.TABLE_NAME AND s.COLUMN_NAME = c.COLUMN_NAME AND s.INDEX_NAME = 'PRIMARY'
WHERE c.TABLE_SCHEMA = ? AND c.TABLE_NAME = ? ORDER BY s.SEQ_IN_INDEX`;
const cascadeQuestion = `
SELECT DISTINCT TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE UNIQUE_CONSTRAINT_SCHEMA = ? AND REFERENCED_TABLE_NAME = ? AND DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')`;

interface TargetFacts {
  /** Columns of the primary key, in order; empty where there is none that tells rows apart. */
  readonly key: readonly string[];
  /** Whether a new row takes a value from a counter. */
  readonly counts: boolean;
  /** Tables whose foreign keys follow a row that is removed. */
  readonly cascades: readonly string[];
}

/** @param target null where the statement changes several. */
async function targetFacts(
  ask: Ask,
  target: { readonly schema: string; readonly name: string } | null,
): Promise<TargetFacts> {
  if (target === null) return { key: [], counts: true, cascades: [] };
  const columns = await ask(columnQuestion, [target.schema, target.name]);
  const followers = await ask(cascadeQuestion, [target.schema, target.name]);
  const keyed = columns.filter(([, place]) => place !== null);
  // A key over the beginnings of columns is unique by those alone.
  const isPrefix = keyed.some(([, , part]) => part !== null);
  return {
    key: isPrefix ? [] : keyed.map(([name]) => String(name)),
    counts: columns.some(
      ([, , , extra, preset]) => /auto_increment/i.test(String(extra)) || /\bnextval\b/i.test(String(preset)),
    ),
    cascades: followers.map(([table]) => String(table)),
  };
}

const untold = without('the rows it changes can not be told beforehand');

/** @param name the target's, quoted with its schema. */
function samplingOf(reading: MysqlReading, facts: TargetFacts, name: string): Sampling {
  const { verb, target, sameRows, sets, returnsOthers } = reading;
  if (target === null) return without('the statement changes several tables');
  if (facts.key.length === 0) return noKey;
  if (facts.key.some(column => sets.includes(column.toLowerCase()))) return otherKey;
  const key = facts.key.map(column => quoteIdentifier('mysql', column));
  if (verb === 'update' || verb === 'delete') {
    return sameRows === null
      ? untold
      : { kind: 'asked', sql: `SELECT ${key.join(', ')} ${sameRows}`, table: name, key };
  }
  if (returnsOthers) return without('IGNORE and ON DUPLICATE KEY do not tell which rows they change');
  // A server without RETURNING, MySQL or MariaDB before 10.5, refuses it: then the count alone is told.
  return sampledByReturning(reading, name, key);
}

/** A query besides the statement only reads, and calls nothing unknown. */
function isAsMeant({ kind }: Sampling, { class: judged, calls, isDml }: Classification): boolean {
  return kind === 'returned' ? isDml : judged === 'read' && calls.length === 0;
}

function warningsOf(reading: MysqlReading, facts: TargetFacts): readonly string[] {
  const warnings: string[] = [];
  const makes = reading.verb === 'insert' || reading.verb === 'replace';
  if (reading.movesSequence || (makes && facts.counts)) {
    warnings.push('Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.');
  }
  if (reading.verb === 'replace') {
    warnings.push('Rows removed because another unique value of theirs conflicted are not shown under before.');
  }
  if (reading.verb === 'delete' || reading.verb === 'replace') warnings.push(...cascadeWarning(facts.cascades));
  return warnings;
}
