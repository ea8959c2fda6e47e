/**
 * What a column takes, where the database refused a value without saying it: the labels of an enum, the condition of a CHECK, the
 * table's or the domain's. Asked for
 * once the statement has failed.
 */

import type { QualifiedName } from '../guard/types.ts';
import type { CallContext, Database, DatabaseFailure, TableDescription } from './engine.ts';
import { lookUp } from './look-up.ts';
import { writtenName } from './object-name.ts';
import { beginning } from './shorten.ts';

type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

const mostTables = 4;
const mostLabels = 30;
const longestCondition = 300;

/** PostgreSQL: a text that is no value of its type. */
const invalidText = '22P02';
/** MySQL and MariaDB: a value cut to what the column holds, an enum among others. */
const truncated = '1265';
/** PostgreSQL's, MySQL's and MariaDB's; SQLite says it in words. */
const checkFailed: ReadonlySet<string | null> = new Set(['23514', '3819', '4025']);

const labelsSql = `SELECT CAST(e.enumlabel AS pg_catalog.text) FROM pg_catalog.pg_enum AS e
  WHERE e.enumtypid = pg_catalog.to_regtype($1) ORDER BY e.enumsortorder`;

/** @param tables those that the statement names */
export async function allowedValues(
  database: Database,
  context: CallContext,
  { code, message }: QueryFailed,
  tables: readonly QualifiedName[],
): Promise<string | null> {
  const [first = ''] = message.split('\n');
  const type = code === invalidText ? enumIn(first) : null;
  if (type !== null) {
    const labels = await lookUp(database, context, labelsSql, [type]);
    return labels.kind === 'done'
      ? takes(
          type,
          labels.value.map(([label]) => String(label)),
        )
      : null;
  }
  const ofSqlite = /^CHECK constraint failed: (.+)$/.exec(first)?.[1];
  const isCheck = ofSqlite !== undefined || checkFailed.has(code);
  if (!isCheck && code !== truncated) return null;
  const names = ofSqlite === undefined ? quotedIn(first) : [ofSqlite];
  for (const { schema, name } of tables.slice(0, mostTables)) {
    const described = await database.describeTables({ ...context, schema: schema ?? context.schema }, [name], false);
    const table = described.kind === 'done' ? described.value[0] : null;
    const found = table && (isCheck ? conditionOf(table, names) : labelsOf(database, table, names));
    if (found) return found;
  }
  return null;
}

/** `invalid input value for enum mood: "glad"`, in any language. */
function enumIn(message: string): string | null {
  const [head = ''] = message.split(':', 1);
  const at = head.toLowerCase().lastIndexOf('enum ');
  return at < 0 ? null : head.slice(at + 'enum '.length).trim();
}

function conditionOf({ checks, columns }: TableDescription, names: readonly string[]): string | null {
  const found = [...checks, ...columns.flatMap(column => column.checks ?? [])].find(
    ({ name }) => name !== null && names.includes(name),
  );
  return found === undefined ? null : `${found.name} is ${beginning(found.expression, longestCondition)}.`;
}

function labelsOf({ engine }: Database, { columns }: TableDescription, names: readonly string[]): string | null {
  const found = columns.find(({ name, allowedValues: labels }) => labels !== null && names.includes(name));
  return found?.allowedValues ? takes(writtenName(engine, found.name), found.allowedValues) : null;
}

function takes(what: string, labels: readonly string[]): string | null {
  if (labels.length === 0) return null;
  const shown = labels.slice(0, mostLabels).map(label => `'${label.replaceAll("'", "''")}'`);
  return `${what} takes ${shown.join(', ')}${labels.length > mostLabels ? `, … ${labels.length} in all` : ''}.`;
}

/** In the quotes of the server's language. */
function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/["'`«„“]([^"'`«»„“”]+)["'`»“”]/g)].map(([, name = '']) => name.split('.').at(-1) ?? name);
}
