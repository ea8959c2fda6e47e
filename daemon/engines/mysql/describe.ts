/**
 * Describes tables from `information_schema` with foreign keys in both directions, and with SHOW
 * CREATE if asked.
 */

import { quoteIdentifier, quoteQualified } from '../../guard/identifiers.ts';
import { answered, answering } from '../answering.ts';
import type { TableDescription } from '../engine.ts';
import { catalogOf, type FoundTable, findTables } from './describe/catalog.ts';
import { columnOf, expressionText } from './describe/columns.ts';
import { incomingKeys } from './describe/incoming.ts';
import { foreignKeys, indexesOf } from './describe/keys.ts';
import type { LookUp } from './look-up.ts';
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
    return answered({ kind: 'unsupported', message });
  }
  const found = await findTables(lookUp, database, names);
  const tables = [...new Set(found.filter(table => table !== null))];
  if (tables.length === 0) return found.map(() => null);
  const catalog = await catalogOf(lookUp, tables);
  const incoming = await incomingKeys(lookUp, tables);
  const definitions: (string | null)[] = [];
  for (const table of tables)
    definitions.push(withDdl || table.kind !== 'table' ? await definitionOf(lookUp, table) : null);
  const described = new Map(
    tables.map((table, place): [FoundTable, TableDescription] => {
      const of = (rows: readonly Rows[]): Rows => rows[place] ?? [];
      const keys = of(catalog.keys);
      return [
        table,
        {
          name: table.name,
          schema: table.schema,
          kind: table.kind,
          comment: table.comment,
          columns: of(catalog.columns).map(row => columnOf(row, table.isMariadb)),
          primaryKey: keys.filter(row => row[0] === 'PRIMARY').map(row => row[1] ?? ''),
          foreignKeys: foreignKeys(keys, of(catalog.rules)),
          referencedBy: incoming?.[place] ?? null,
          indexes: indexesOf(of(catalog.indexes)),
          checks: of(catalog.checks).map(([name, clause]) => ({
            name: name ?? null,
            expression: expressionText(clause ?? '', table.isMariadb),
          })),
          triggers: of(catalog.triggers).map(([trigger, timing, event, body]) => ({
            name: trigger ?? '',
            definition: `CREATE TRIGGER ${quoteIdentifier('mysql', trigger ?? '')} ${timing} ${event} ON ${qualified(table)} FOR EACH ROW ${body}`,
          })),
          partitioning: partitioningOf(of(catalog.parts)),
          ddl: definitions[place] ?? null,
          approximateRowCount: table.kind === 'table' ? numberOrNull(table.rows) : null,
          sizeBytes: numberOrNull(table.bytes),
        },
      ];
    }),
  );
  return found.map(table => (table === null ? null : (described.get(table) ?? null)));
}

type Rows = readonly (readonly (string | null)[])[];

const qualified = ({ schema, name }: FoundTable): string => quoteQualified('mysql', schema, name);

/** SHOW CREATE may be forbidden; the rest of the description is still shown. */
async function definitionOf(lookUp: LookUp, table: FoundTable): Promise<string | null> {
  const kind = table.kind === 'sequence' ? 'SEQUENCE' : 'TABLE';
  const shown = await answering(() => lookUp(`SHOW CREATE ${kind} ${qualified(table)}`));
  const definition = shown.kind === 'done' ? (shown.value[0]?.[1] ?? null) : null;
  // Its definition may hold CONNECTION='mysql://user:password@host' or similar.
  const isRemote = /\bENGINE=(FEDERATED|CONNECT|SPIDER|S3)\b/i.test(definition ?? '');
  return isRemote ? null : definition;
}

function partitioningOf(rows: Rows): TableDescription['partitioning'] {
  const [first] = rows;
  if (first === undefined) return null;
  const parts = [
    ...new Map(rows.map(([name, , , bound]) => [name, bound ? `${name}: ${bound}` : (name ?? '')])).values(),
  ];
  return { by: `${first[1]} (${first[2] ?? ''})`, of: null, parts, partCount: parts.length };
}
