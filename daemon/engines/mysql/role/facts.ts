/**
 * What a MySQL or MariaDB server says about itself, the present account, and the databases that a
 * user is made for.
 */

import { type Readable, readableAmong } from '../../../guard/mysql/readable-among.ts';
import { patternOf, wholeSight } from '../../../guard/sight.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import type { Answer, CallContext, Database, WantedRole } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import type { Cell } from '../../row-text.ts';
import { computedFrom, isElsewhere } from '../follow/catalog.ts';
import { hasPrivilege } from '../follow/grants.ts';
import { schemaCondition } from '../schema.ts';

export interface MysqlRoleFacts {
  readonly isMariadb: boolean;
  /** The host pattern of the present account. */
  readonly host: string;
  /** Also false if the present account may not look. */
  readonly isTaken: boolean;
  /** True if the present account may make accounts, and may pass on all its own rights. */
  readonly mayCreateUsers: boolean;
  /** Without the server's own. */
  readonly databases: readonly string[];
  /** MySQL's `partial_revokes`: `_` and `%` in a grant are then literal. */
  readonly namesAreLiteral: boolean;
  /** Null if nothing is out of sight or masked; else what is granted by its name. */
  readonly inSight: readonly Readable[] | null;
}

const databasesQuestion = `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA
WHERE LOWER(SCHEMA_NAME) NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys', 'ndbinfo') ORDER BY SCHEMA_NAME`;

export async function mysqlRoleFacts(
  database: Database,
  context: CallContext,
  wanted: WantedRole,
): Promise<Answer<MysqlRoleFacts>> {
  const ask = (sql: string, parameters: readonly string[] = []) => lookUp(database, context, sql, parameters);
  const server = await ask('SELECT VERSION(), CURRENT_USER()');
  if (server.kind !== 'done') return server;
  const [version, account] = (server.value[0] ?? []).map(text);
  const host = (account ?? '').slice((account ?? '').lastIndexOf('@') + 1) || '%';
  const databases = await ask(databasesQuestion);
  if (databases.kind !== 'done') return databases;
  const literal = await ask(`SHOW VARIABLES LIKE 'partial\\_revokes'`);
  if (literal.kind !== 'done') return literal;
  const granted = await ask('SHOW GRANTS');
  if (granted.kind !== 'done') return granted;
  const grants = granted.value.map(([line]) => text(line));
  const same = await ask('SELECT User FROM mysql.user WHERE User = ? AND Host = ?', [wanted.name, host]);
  if (same.kind !== 'done' && same.kind !== 'query_failed') return same;
  const inSight = await readableTables(database, context);
  if (inSight.kind !== 'done') return inSight;
  const met = new Set(inSight.value?.map(({ schema }) => schema));
  return {
    kind: 'done',
    value: {
      isMariadb: /mariadb/i.test(version ?? ''),
      host,
      mayCreateUsers:
        hasPrivilege(grants, 'CREATE USER', { schema: '', name: null }) &&
        grants.some(line => line.includes(' ON *.* TO ') && line.endsWith(' WITH GRANT OPTION')),
      isTaken: same.kind === 'done' && same.value.length > 0,
      databases: databases.value.map(([name]) => text(name)).filter(name => inSight.value === null || met.has(name)),
      inSight: inSight.value,
      namesAreLiteral: literal.value.some(([, value]) => /^on$/i.test(text(value))),
    },
  };
}

/**
 * What has its rows elsewhere is granted to nobody, nor are the views over it: who may read it
 * needs no right to those.
 */
async function readableTables(database: Database, context: CallContext): Promise<Answer<readonly Readable[] | null>> {
  if (context.sight === undefined && context.masks === undefined) return { kind: 'done', value: null };
  const found = await lookUp(database, context, elsewhereQuestion, []);
  if (found.kind !== 'done') return found;
  const elsewhere = found.value.map(row => ({ schema: text(row[0]), name: text(row[1]) }));
  const { hide, only, show } = context.sight ?? wholeSight;
  const sight = elsewhere.length === 0 ? context.sight : { hide: [...hide, ...elsewhere.map(patternOf)], only, show };
  const readable = await readableInName(database, { ...context, ...(sight !== undefined && { sight }) });
  if (readable.kind !== 'done' || readable.value === null) return readable;
  // Those that a person shows by name too.
  const isOut = (table: Readable): boolean =>
    elsewhere.some(each => each.schema === table.schema && each.name === table.name);
  return { kind: 'done', value: readable.value.filter(table => !isOut(table)) };
}

const elsewhereQuestion = `SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES
WHERE ${schemaCondition(null)} AND ${isElsewhere}`;

async function readableInName(database: Database, context: CallContext): Promise<Answer<readonly Readable[] | null>> {
  const { masks } = context;
  const seen = await tablesInSight(database, context);
  if (seen.kind !== 'done' || masks === undefined) {
    return seen.kind !== 'done' || seen.value === null
      ? (seen as Answer<null>)
      : { kind: 'done', value: seen.value.map(table => ({ ...table, columns: null })) };
  }
  const columns = await lookUp(
    database,
    context,
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ${computedFrom} FROM information_schema.COLUMNS WHERE ${schemaCondition(null)} ORDER BY ORDINAL_POSITION`,
    [],
  );
  if (columns.kind !== 'done') return columns;
  const views = await lookUp(
    database,
    context,
    `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE ${schemaCondition(null)}`,
    [],
  );
  if (views.kind !== 'done') return views;
  const keyOf = (schema: string, name: string): string => `${schema}\0${name}`;
  const ofTable = new Map<string, [string, string][]>();
  for (const [schema, name, column, from] of columns.value.map(row => row.map(text))) {
    const key = keyOf(schema ?? '', name ?? '');
    ofTable.set(key, [...(ofTable.get(key) ?? []), [column ?? '', from ?? '']]);
  }
  const definitions = new Map(views.value.map(([schema, name, sql]) => [keyOf(text(schema), text(name)), text(sql)]));
  const all =
    seen.value ??
    [...ofTable.keys()].map(key => ({ schema: key.split('\0')[0] ?? '', name: key.split('\0')[1] ?? '' }));
  const tables = all.map(({ schema, name }) => {
    const key = keyOf(schema, name);
    return { schema, name, columns: ofTable.get(key) ?? [], definition: definitions.get(key) ?? null };
  });
  return { kind: 'done', value: readableAmong(masks, tables) };
}

interface Named {
  readonly schema: string;
  readonly name: string;
}

async function tablesInSight(database: Database, context: CallContext): Promise<Answer<readonly Named[] | null>> {
  if (context.sight === undefined) return { kind: 'done', value: null };
  const hidden = await database.hiddenTables?.(context);
  if (hidden === undefined) return { kind: 'unsupported', message: 'Hidden tables can not be told here.' };
  if (hidden.kind !== 'done') return hidden;
  const tables = await database.listTables(context, false, 'everywhere');
  if (tables.kind !== 'done') return tables;
  const isOut = ({ schema, name }: QualifiedName): boolean =>
    hidden.value.tables.some(each => each.schema === schema && each.name === name);
  const named = tables.value.filter(({ kind }) => kind === 'table' || kind === 'view' || kind === 'sequence');
  return {
    kind: 'done',
    value: named.filter(table => !isOut(table)).map(({ schema, name }) => ({ schema: schema ?? '', name })),
  };
}

function text(cell: Cell | undefined): string {
  return typeof cell === 'string' ? cell : '';
}
