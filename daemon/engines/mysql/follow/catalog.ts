/**
 * Reads from the server's catalog what `raisedByCatalog` needs to know of a statement's names:
 * one query a round.
 */

import type { CatalogAnswer, CatalogObject } from '../../../guard/mysql/catalog.ts';
import type { CatalogItem, KeyValue } from '../../../guard/mysql/question.ts';
import { keepsKeys, ownRows } from '../../../guard/mysql/storage-engines.ts';
import { passwordVariableNames } from '../../../guard/mysql/variables.ts';
import type { WiderColumn } from '../../../guard/mysql/wider-column.ts';
import type { Answer, CallContext, Database, Precondition } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import type { Cell } from '../../row-text.ts';
import { literal, place } from '../dialect/literal.ts';
import { type IsOurs, mark, markOf } from '../run/made-tables.ts';

export async function askCatalog(
  database: Database,
  context: CallContext,
  items: readonly CatalogItem[],
  isOurs: IsOurs,
): Promise<Answer<readonly CatalogAnswer[]>> {
  const objects: CatalogObject[][] = items.map(() => []);
  const questions = items.flatMap((item, index) => questionsOf(item, index));
  if (questions.length > 0) {
    const found = await lookUp(database, context, questions.join('\nUNION ALL '), []);
    if (found.kind !== 'done') return found;
    for (const row of found.value) {
      const object = row[1] === 'mark' ? (isOurs(markOf(row[2])) ? null : there) : objectOf(row);
      if (object !== null) objects[Number(row[0])]?.push(object);
    }
  }
  for (const [kind, question] of ofTheServer) {
    const index = items.findIndex(item => item.kind === kind);
    if (index < 0) continue;
    const set = await lookUp(database, context, question, []);
    if (set.kind !== 'done') return set;
    if (set.value.length > 0) objects[index]?.push(there);
  }
  return { kind: 'done', value: items.map((item, index) => ({ item, objects: objects[index] ?? [] })) };
}

const there: CatalogObject = { kind: 'there', definition: null, sqlMode: '' };

/**
 * One condition: none of these is a view or routine, or has a trigger. Null if they were asked
 * about otherwise.
 */
export function nothingBehind(items: readonly CatalogItem[]): Precondition | null {
  if (items.some(item => ofTheServer.some(([kind]) => kind === item.kind))) return null;
  const questions = items.flatMap((item, index) =>
    item.kind === 'read' ? isView(item, index) : questionsOf(item, index),
  );
  return questions.length === 0
    ? null
    : { sql: `SELECT NOT EXISTS (${questions.join('\nUNION ALL ')})`, parameters: [] };
}

/** MariaDB opens no definition for this, so it takes a third of the time. */
function isView({ schema, name }: CatalogItem, index: number): string[] {
  if (isNoName(schema + name)) return [];
  return [
    `SELECT ${index}, 'view', '', '' FROM information_schema.TABLES WHERE ${place(schema, name)} AND TABLE_TYPE = 'VIEW'`,
  ];
}

const variablesQuestion = `SHOW GLOBAL VARIABLES WHERE Value <> '' AND Variable_name IN (${passwordVariableNames
  .map(name => `'${name}'`)
  .join(', ')})`;

/**
 * MySQL shows no password hash since 5.7.6; this table came with 8.0. MariaDB doesn't have it, and
 * its version may be set to any text.
 */
const grantsQuestion = `SELECT 1 FROM DUAL WHERE VERSION() LIKE '%mariadb%' OR NOT EXISTS (
SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'information_schema' AND TABLE_NAME = 'RESOURCE_GROUPS')`;

/** Questions about the whole server; a row means that the statement would show a secret. */
const ofTheServer = [
  ['variables', variablesQuestion],
  ['grants', grantsQuestion],
] as const;

/**
 * One question per name, with `=`: MariaDB then opens that object alone, while a list makes it open
 * every object of the schema. A name with an impossible character doesn't exist.
 */
function questionsOf({ kind, schema, name, by = [], wider }: CatalogItem, index: number): string[] {
  if (isNoName(schema + name)) return [];
  const [where, what] = [literal(schema), literal(name)];
  const view = `SELECT ${index}, 'view', VIEW_DEFINITION, '' FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${where} AND TABLE_NAME = ${what}`;
  const triggers = `SELECT ${index}, 'trigger', ACTION_STATEMENT, SQL_MODE FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ${where} AND EVENT_OBJECT_TABLE = ${what}`;
  const fired = `SELECT ${index}, 'fired', JSON_ARRAY(TRIGGER_NAME, ACTION_STATEMENT), SQL_MODE FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ${where} AND EVENT_OBJECT_TABLE = ${what}`;
  const routine = (type: string): string =>
    `SELECT ${index}, 'routine', IF(ROUTINE_BODY = 'SQL', ROUTINE_DEFINITION, NULL), SQL_MODE FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${where} AND ROUTINE_NAME = ${what} AND ROUTINE_TYPE = '${type}'`;
  const table = `SELECT ${index}, 'there', '', '' FROM information_schema.TABLES WHERE ${place(schema, name)}`;
  const old = `SELECT ${index}, 'mark', ${mark}, '' FROM information_schema.TABLES WHERE ${place(schema, name)}`;
  const remote = `SELECT ${index}, 'engine', ENGINE, '' FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${where} AND TABLE_NAME = ${what} AND ENGINE IN (${remoteEngines})`;
  const isCascade = "(UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION') OR DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION'))";
  const cascade = `SELECT ${index}, 'follower', JSON_ARRAY(CONSTRAINT_SCHEMA, TABLE_NAME), '' FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ${where} AND REFERENCED_TABLE_NAME = ${what}`;
  // Never true on MariaDB, which would open every table of the server for it.
  const followers = `SELECT ${index}, 'follower', JSON_ARRAY(CONSTRAINT_SCHEMA, TABLE_NAME), '' FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE VERSION() NOT LIKE '%mariadb%' AND UNIQUE_CONSTRAINT_SCHEMA = ${where} AND REFERENCED_TABLE_NAME = ${what} AND ${isCascade}`;
  switch (kind) {
    case 'read':
      return [view];
    case 'added':
      return [view, triggers, `${table} AND TABLE_TYPE = 'SEQUENCE'`];
    case 'changed':
    case 'keyed':
      return [
        view,
        triggers,
        followers,
        `SELECT ${index}, 'engine', ENGINE, '' FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${where} AND TABLE_NAME = ${what} AND ENGINE IS NOT NULL${unlessKeyed(where, what, by)}`,
      ];
    case 'cascaded':
      return [triggers, followers];
    case 'replaced':
      return [table];
    case 'altered':
      return [remote];
    case 'constrained':
      return [remote, old];
    case 'rebuilt':
      return [remote, `${old} AND ENGINE <> 'InnoDB'`];
    case 'described':
      return [remote, `${old} AND TABLE_COMMENT <> ''`];
    case 'widened':
      return [remote, ...(wider === undefined ? [old] : [`${old} AND ${isNotWidened(schema, name, wider)}`])];
    case 'shown':
      return [`${table} AND ENGINE IN (${remoteEngines})`];
    case 'function':
    case 'hidden':
      return [routine('FUNCTION')];
    case 'procedure':
      return [routine('PROCEDURE')];
    case 'unseen':
      return [table];
    case 'elsewhere':
      return [`${table} AND ${isElsewhere}`];
    case 'receives':
      return [`${fired} AND EVENT_MANIPULATION = 'INSERT'`];
    case 'fires':
      return [fired];
    case 'follows':
      return [`${cascade} AND ${isCascade}`];
    case 'followsUpdate':
      return [`${cascade} AND UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION')`];
    case 'columns':
      return [
        `SELECT ${index}, 'column', JSON_ARRAY(COLUMN_NAME, ${computedFrom}), '' FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ${where} AND TABLE_NAME = ${what}`,
      ];
    case 'variables':
    case 'grants':
      return [];
  }
}

/**
 * What a column is computed from. DEFAULT may name another one as well: MySQL says so, MariaDB
 * shows the expression.
 */
export const computedFrom = `CONCAT(IFNULL(GENERATION_EXPRESSION, ''), ' ',
IF(VERSION() LIKE '%mariadb%' OR EXTRA LIKE '%DEFAULT_GENERATED%', IFNULL(COLUMN_DEFAULT, ''), ''))`;

/**
 * Looks for a unique key whose columns all have a value. This opens the table, which is slow;
 * ENGINE inside the condition keeps MariaDB from opening every table first.
 */
function unlessKeyed(where: string, what: string, by: readonly KeyValue[]): string {
  if (by.length === 0 || by.some(({ column }) => isNoName(column))) return '';
  const place = `TABLE_SCHEMA = ${where} AND TABLE_NAME = ${what}`;
  const names = (given: readonly KeyValue[]) => given.map(({ column }) => literal(column)).join(', ') || 'NULL';
  const meets = `COLUMN_NAME IN (${names(by.filter(({ isText }) => isText))}) OR COLUMN_NAME IN (${names(by)}) AND COLUMN_NAME IN (
SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE ${place} AND DATA_TYPE IN (${numbers}))`;
  return ` AND NOT (ENGINE IN ('${keepsKeys.join("', '")}') AND EXISTS (
SELECT 1 FROM information_schema.STATISTICS WHERE ${place} AND NON_UNIQUE = 0 AND ENGINE <> ''
GROUP BY INDEX_NAME HAVING COUNT(*) = SUM(SUB_PART IS NULL AND (${meets}))))`;
}

/**
 * MariaDB shows a default as it would be written, MySQL its text alone, and a rule of a column as
 * one of the table's.
 */
function isNotWidened(schema: string, table: string, wider: WiderColumn): string {
  const isMariadb = "VERSION() LIKE '%mariadb%'";
  const given = wider.default;
  const keepsDefault =
    given === null
      ? `(COLUMN_DEFAULT IS NULL OR ${isMariadb} AND COLUMN_DEFAULT = 'NULL')`
      : `HEX(COLUMN_DEFAULT) = HEX(IF(${isMariadb}, ${literal(`'${given}'`)}, ${literal(given)}))`;
  return `NOT EXISTS (SELECT 1 FROM information_schema.COLUMNS WHERE ${place(schema, table)} AND COLUMN_NAME = ${literal(wider.name)}
AND COLUMN_TYPE = CONCAT('varchar(', CHARACTER_MAXIMUM_LENGTH, ')') AND CHARACTER_MAXIMUM_LENGTH <= ${wider.length} AND COLLATION_NAME = TABLE_COLLATION
AND IS_NULLABLE = '${wider.takesNull ? 'YES' : 'NO'}' AND ${keepsDefault} AND EXTRA = '' AND COLUMN_COMMENT = ''
AND NOT EXISTS (SELECT 1 FROM information_schema.TABLE_CONSTRAINTS WHERE ${place(schema, table)} AND CONSTRAINT_TYPE = 'CHECK' AND ${isMariadb}))`;
}

/** Engines whose rows are on another server, or in files that the definition names. */
const remoteEngines = "'FEDERATED', 'CONNECT', 'SPIDER', 'S3'";
/**
 * A condition: the table's rows may be those of other tables, here or on another server. True of
 * each engine that isn't known, and of none without an engine, such as a view.
 */
export const isElsewhere = `UPPER(ENGINE) NOT IN ('${ownRows.join("', '")}')`;

/** For these types a constant of any kind equals one value. */
const numbers = "'tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'date', 'datetime', 'timestamp'";

function isNoName(text: string): boolean {
  return /[\u{10000}-\u{10ffff}]/u.test(text);
}

function objectOf([, kind, definition, sqlMode]: readonly Cell[]): CatalogObject {
  const known = kinds.find(each => each === kind);
  return {
    kind: known ?? 'there',
    definition: typeof definition === 'string' ? definition : null,
    sqlMode: String(sqlMode),
  };
}

const kinds = ['view', 'routine', 'trigger', 'engine', 'follower', 'fired', 'column'] as const;
