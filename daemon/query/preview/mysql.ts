/** Plans the preview of a MySQL or MariaDB data change, or says why there is none: what a rollback can't take back isn't run. */

import type { Classification } from '../classification/classification.ts';
import type { Reading } from '../classification/mysql/reading.ts';
import type { Answer, CallContext, Database, Parameter } from '../database.ts';
import { quoteIdentifier, quoteQualified } from '../identifiers.ts';
import type { Judging } from '../judging.ts';
import { lookUp } from '../look-up.ts';
import { mostKeys } from './images.ts';
import { isMariadbSince105, serverFacts, type TargetFacts, targetFacts } from './mysql-facts.ts';
import { type MysqlReading, readingOf } from './mysql-reading.ts';
import { type ReadCode, whyNotTransactional } from './mysql-transactional.ts';
import { cascadeWarning, done, type Plan, type Planned, planned, refusedPlan, unsampled } from './plan.ts';

export async function planMysql(
  judging: Judging,
  database: Database,
  context: CallContext,
  classification: Classification,
  ownDatabase: string | null,
  sql: string,
): Promise<Planned> {
  const ask = (question: string, parameters: readonly Parameter[] = []) =>
    lookUp(database, context, question, parameters);
  const server = await serverFacts(ask);
  if (server.kind !== 'done') return { kind: 'failed', failure: server };
  const { version, sqlMode, current } = server.value;
  const serverReading = readingOf(version, sqlMode);
  const read = await judging.ask(context, 'mysqlReading', sql, serverReading);
  if (read.kind !== 'done') return { kind: 'failed', failure: read };
  const reading = read.value;
  if (reading === null || reading.writes.length === 0) {
    return refusedPlan(
      'Which tables the statement changes can not be told, so it is not previewed; write it more plainly.',
    );
  }
  if (reading.setsSequence)
    return refusedPlan('What SETVAL does outlives a rollback, so the statement is not previewed.');
  const schema = context.schema ?? context.database ?? current ?? ownDatabase;
  const readCode: ReadCode = (...given) => judging.ask(context, 'mysqlReachOfCode', ...given);
  const reason = await whyNotTransactional({ ask, read: readCode }, schema, {
    writes: reading.writes,
    reads: classification.tables,
    calls: classification.calls,
  });
  if (reason.kind !== 'done') return { kind: 'failed', failure: reason };
  if (reason.value !== null) {
    return refusedPlan(`${reason.value} A preview could not be undone for sure, so the statement was not run.`);
  }
  const target =
    reading.target === null ? null : { schema: reading.target.schema ?? schema ?? '', name: reading.target.name };
  const removes = reading.verb === 'delete' || reading.verb === 'replace';
  const facts = await targetFacts(ask, target, removes);
  if (facts.kind !== 'done') return { kind: 'failed', failure: facts };
  const name = target === null ? '' : quoteQualified('mysql', target.schema, target.name);
  const returns = isMariadbSince105(version);
  return planned(
    await planOf({
      judging,
      context,
      sql,
      reading,
      serverReading,
      facts: facts.value,
      name,
      returns,
      schema: schema ?? '',
    }),
  );
}

interface Given {
  readonly judging: Judging;
  readonly context: CallContext;
  readonly sql: string;
  readonly reading: MysqlReading;
  readonly serverReading: Reading;
  readonly facts: TargetFacts;
  /** Where names without a schema are looked up; '' where there is none. */
  readonly schema: string;
  /** The target's, quoted with its schema. */
  readonly name: string;
  /** Whether the server's INSERT, REPLACE and DELETE have RETURNING. */
  readonly returns: boolean;
}

async function planOf(given: Given): Promise<Answer<Plan>> {
  const { sql, reading, facts, name } = given;
  const base = {
    ...unsampled,
    verb: reading.verb,
    sql,
    bare: sql,
    ownReturning: reading.ownReturning,
    countsRows: reading.ownReturning,
    target: name,
    mayReplace: reading.verb === 'replace' || reading.isUpsert,
    warnings: warningsOf(given),
  } as const;
  if (reading.target === null) return done({ ...base, noSample: 'the statement changes several tables' });
  const key = facts.key.map(column => quoteIdentifier('mysql', column));
  const returning = await returningText(given, key);
  if (returning.kind !== 'done') return returning;
  if (returning.value !== null) {
    return done({ ...base, ...returning.value, key, countsRows: true, movesKeys: movesKeys(given), noSample: null });
  }
  if (key.length === 0) return done({ ...base, noSample: 'the table has no primary key' });
  if (movesKeys(given)) return done({ ...base, noSample: 'the statement gives rows another key' });
  const candidates = await candidatesSql(given, key);
  if (candidates.kind !== 'done') return candidates;
  const firstMadeKey = firstMadeSql(given, key);
  if (candidates.value === null && firstMadeKey === null) {
    return done({ ...base, noSample: 'the rows it changes can not be told beforehand' });
  }
  return done({ ...base, key, candidates: candidates.value, firstMadeKey, noSample: null });
}

function movesKeys({ reading: { sets }, facts }: Given): boolean {
  return sets === null || facts.key.some(column => sets.includes(column.toLowerCase()));
}

/** Only where each returned row is one that was changed: IGNORE and upserts return others too. */
async function returningText(given: Given, key: readonly string[]): Promise<Answer<Pick<Plan, 'sql' | 'adds'> | null>> {
  const { reading, returns, sql, serverReading, judging, context, schema } = given;
  const isSure = reading.verb === 'delete' ? reading.sameRows !== null : !reading.ignores && !reading.isUpsert;
  if (!returns || reading.verb === 'update' || !isSure || (key.length === 0 && reading.ownReturning)) return done(null);
  const list = key.length === 0 ? '*' : key.join(', ');
  const text = await judging.ask(context, 'mysqlWithReturning', sql, reading.ownReturning, list, serverReading);
  if (text.kind !== 'done') return text;
  if (text.value === null) return done(null);
  const judged = await judging.ask(context, 'mysqlClass', text.value, schema);
  if (judged.kind !== 'done') return judged;
  return done(judged.value.isDml ? { sql: text.value, adds: key.length === 0 ? 'row' : 'key' } : null);
}

/** A query for the same rows, if it is one that only reads and calls nothing unknown: it runs besides the statement. */
async function candidatesSql(
  { reading: { sameRows }, judging, context, schema }: Given,
  key: readonly string[],
): Promise<Answer<string | null>> {
  if (sameRows === null) return done(null);
  const keys = key.join(', ');
  const query = `SELECT ${keys} FROM ${sameRows.from}\n${sameRows.rest}`;
  const text = sameRows.isLimited
    ? `SELECT ${keys} FROM (${query}\n) AS s LIMIT ${mostKeys}`
    : `${query}\nLIMIT ${mostKeys}`;
  const judged = await judging.ask(context, 'mysqlClass', text, schema);
  if (judged.kind !== 'done') return judged;
  return done(judged.value.class === 'read' && judged.value.calls.length === 0 ? text : null);
}

function firstMadeSql({ reading, facts, name }: Given, key: readonly string[]): string | null {
  const [column] = key;
  const makes = reading.verb === 'insert' || reading.verb === 'replace';
  if (!makes || !facts.counts || key.length !== 1 || column === undefined) return null;
  return `SELECT ${column} FROM ${name} WHERE LAST_INSERT_ID() > 0 AND ${column} >= LAST_INSERT_ID() ORDER BY ${column} LIMIT ${mostKeys}`;
}

function warningsOf({ reading, facts }: Given): readonly string[] {
  const warnings: string[] = [];
  const makes = reading.verb === 'insert' || reading.verb === 'replace';
  if (reading.movesSequence || (makes && facts.counts)) {
    warnings.push('Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.');
  }
  if (reading.verb === 'replace') {
    warnings.push('Rows removed because another unique value of theirs conflicted are not shown under before.');
  }
  warnings.push(...cascadeWarning(facts.cascades));
  return warnings;
}
