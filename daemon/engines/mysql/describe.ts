/**
 * Describes tables from `information_schema` with foreign keys in both directions, and with SHOW
 * CREATE if asked.
 */

import { quoteIdentifier, quoteQualified } from '../../guard/identifiers.ts';
import { answering, valueOrThrow } from '../answering.ts';
import type { TableDescription } from '../engine.ts';
import { catalogOf, type FoundTable, findTables } from './describe/catalog.ts';
import { columnOf, expressionText, mayGoOn, withWholeDefault } from './describe/columns.ts';
import { incomingKeys } from './describe/incoming.ts';
import { foreignKeys, hidesActions, indexesOf, mayBePeriod, withActions, withPeriod } from './describe/keys.ts';
import { unseenOf } from './describe/unseen.ts';
import type { LookUp } from './look-up.ts';
import { inPlainMode, leavesOut, toModeBefore, toPlainMode } from './run/session-contract.ts';
import { numberOrNull } from './schema.ts';

/** @param withDdl false: only views and sequences have their DDL. */
export async function describeTables(
  lookUp: LookUp,
  database: string | null,
  names: readonly string[],
  withDdl: boolean,
): Promise<readonly (TableDescription | null)[]> {
  if (database === null) {
    const message = 'This connection has no default database: name the database of the table.';
    return valueOrThrow({ kind: 'unsupported', message });
  }
  const found = await findTables(lookUp, database, names);
  const tables = [...new Set(found.filter(table => table !== null))];
  if (tables.length === 0) return found.map(() => null);
  const catalog = await catalogOf(lookUp, tables);
  const incoming = await incomingKeys(lookUp, tables);
  const shown = await answering(() => lookUp('SHOW GRANTS'));
  // A server without accounts refuses it, and hides nothing.
  const grants = shown.kind === 'done' ? shown.value.map(([line]) => line ?? '') : null;
  const described = new Map<FoundTable, TableDescription>();
  for (const [place, table] of tables.entries()) {
    const of = (rows: readonly Rows[]): Rows => rows[place] ?? [];
    // The key of a versioned table ends with the row's end, which is the same for all rows of now.
    const rowEnd = table.isVersioned ? rowEndIn(of(catalog.columns)) : null;
    const keys = of(catalog.keys).filter(row => row[1] !== rowEnd);
    const indexes = indexesOf(
      of(catalog.indexes).filter(row => rowEnd === null || row[1] !== '0' || row[2] !== rowEnd),
    );
    const checks = of(catalog.checks).map(([name, clause, state]) => ({
      name: name ?? null,
      expression: expressionText(clause ?? '', table.isMariadb),
      state: state ?? null,
    }));
    const isShown = withDdl || table.kind !== 'table';
    const hasPeriod = table.isMariadb && indexes.some(index => mayBePeriod(index, checks));
    const pointing = foreignKeys(keys, of(catalog.rules));
    const columns = of(catalog.columns).map(row => columnOf(row, table));
    const isRead = isShown || hasPeriod || pointing.some(hidesActions) || columns.some(mayGoOn);
    const { ddl, isHidden } = isRead ? await definitionOf(lookUp, table) : { ddl: null, isHidden: false };
    described.set(table, {
      name: table.name,
      schema: table.schema,
      kind: table.kind,
      comment: table.comment,
      columns: columns.map(column => (mayGoOn(column) ? withWholeDefault(column, ddl) : column)),
      primaryKey: keys.filter(row => row[0] === 'PRIMARY').map(row => row[1] ?? ''),
      foreignKeys: pointing.map(key => (hidesActions(key) ? withActions(key, ddl ?? '') : key)),
      referencedBy: incoming?.[place] ?? null,
      indexes: hasPeriod ? indexes.map(index => withPeriod(index, ddl ?? '')) : indexes,
      checks,
      triggers: of(catalog.triggers).map(([trigger, timing, event, body]) => ({
        name: trigger ?? '',
        definition: `CREATE TRIGGER ${quoteIdentifier('mysql', trigger ?? '')} ${timing} ${event} ON ${qualified(table)} FOR EACH ROW ${body ?? '…'}`,
      })),
      isVersioned: table.isVersioned,
      partitioning: partitioningOf(of(catalog.parts)),
      ddl: isShown ? ddl : null,
      unseen: unseenOf(table, grants, isShown && isHidden),
      approximateRowCount: table.kind === 'table' ? numberOrNull(table.rows) : null,
      sizeBytes: numberOrNull(table.bytes),
    });
  }
  return found.map(table => (table === null ? null : (described.get(table) ?? null)));
}

type Rows = readonly (readonly (string | null)[])[];

const qualified = ({ schema, name }: FoundTable): string => quoteQualified('mysql', schema, name);

/**
 * SHOW CREATE may be forbidden; the rest of the description is still shown. What connects to
 * another server is withheld.
 */
async function definitionOf(
  lookUp: LookUp,
  table: FoundTable,
): Promise<{ readonly ddl: string | null; readonly isHidden: boolean }> {
  const kind = table.kind === 'sequence' ? 'SEQUENCE' : 'TABLE';
  const isSwitched = !table.isMariadb && leavesOut(table.sqlMode);
  if (isSwitched) await lookUp(toPlainMode);
  const shown = await answering(() => lookUp(`${inPlainMode}SHOW CREATE ${kind} ${qualified(table)}`));
  if (isSwitched) await lookUp(toModeBefore);
  const ddl = shown.kind === 'done' ? (shown.value[0]?.[1] ?? null) : null;
  // Its definition may hold CONNECTION='mysql://user:password@host' or similar. TYPE is of old modes.
  const isRemote = /\b(?:ENGINE|TYPE)=(?:FEDERATED|CONNECT|SPIDER|S3)\b/i.test(ddl ?? '');
  return { ddl: isRemote ? null : ddl, isHidden: ddl === null };
}

/** Implicit, and so in no catalog of columns; or as its maker called it. */
function rowEndIn(columns: Rows): string {
  return columns.find(row => row[7]?.toUpperCase() === 'ROW END')?.[0] ?? 'row_end';
}

function partitioningOf(rows: Rows): TableDescription['partitioning'] {
  const [first] = rows;
  if (first === undefined) return null;
  const parts = [
    ...new Map(rows.map(([name, , , bound]) => [name, bound ? `${name}: ${bound}` : (name ?? '')])).values(),
  ];
  return { by: `${first[1]} (${first[2] ?? ''})`, of: null, parts, partCount: parts.length };
}
