/** Describes one table from `information_schema` and `SHOW CREATE`, foreign keys both ways. */

import { answered, answering } from '../../query/answering.ts';
import type { TableDescription } from '../../query/database.ts';
import { quoteIdentifier, quoteQualified } from '../../query/identifiers.ts';
import { columnOf } from './describe-columns.ts';
import { foreignKeys, incomingKeys, indexesOf } from './describe-keys.ts';
import type { LookUp } from './look-up.ts';
import { text } from './parameters.ts';
import { numberOrNull, tableComment, tableKind } from './schema.ts';

export async function describeTable(
  lookUp: LookUp,
  database: string | null,
  table: string,
): Promise<TableDescription | null> {
  if (database === null) {
    const message = 'This connection has no default database: name the database of the table.';
    return answered({ kind: 'unsupported', message });
  }
  const candidates = await lookUp(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH, VERSION()
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${text(database)} AND TABLE_NAME = ${text(table)}`,
  );
  // The catalog compares without regard to case; where the server does too, the one row has the real name.
  const found = candidates.find(row => row[1] === table) ?? candidates[0];
  if (found === undefined) return null;
  const [schema, name, type, comment, rowCount, size, version] = found.map(cell => cell ?? null);
  const own = (schemaColumn: string, tableColumn: string): string =>
    `${schemaColumn} = ${text(schema ?? database)} AND ${tableColumn} = ${text(name ?? table)}`;
  const kind = tableKind(type ?? '');
  const isMariadb = /mariadb/i.test(version ?? '');
  const columns = (
    await lookUp(
      `SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, COLUMN_KEY, COLUMN_COMMENT, GENERATION_EXPRESSION
       FROM information_schema.COLUMNS WHERE ${own('TABLE_SCHEMA', 'TABLE_NAME')} ORDER BY ORDINAL_POSITION`,
    )
  ).map(row => columnOf(row, isMariadb));
  const keys = await lookUp(
    `SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
     FROM information_schema.KEY_COLUMN_USAGE WHERE ${own('TABLE_SCHEMA', 'TABLE_NAME')}
     ORDER BY CONSTRAINT_NAME, ORDINAL_POSITION`,
  );
  const rules = await lookUp(
    `SELECT CONSTRAINT_NAME, UPDATE_RULE, DELETE_RULE FROM information_schema.REFERENTIAL_CONSTRAINTS
     WHERE ${own('CONSTRAINT_SCHEMA', 'TABLE_NAME')}`,
  );
  const incoming = await incomingKeys(lookUp, own('UNIQUE_CONSTRAINT_SCHEMA', 'REFERENCED_TABLE_NAME'), isMariadb);
  const indexes = await lookUp(
    `SELECT INDEX_NAME, NON_UNIQUE, COLUMN_NAME, INDEX_TYPE FROM information_schema.STATISTICS
     WHERE ${own('TABLE_SCHEMA', 'TABLE_NAME')} ORDER BY INDEX_NAME, SEQ_IN_INDEX`,
  );
  const triggers = await lookUp(
    `SELECT TRIGGER_NAME, ACTION_TIMING, EVENT_MANIPULATION, ACTION_STATEMENT FROM information_schema.TRIGGERS
     WHERE ${own('EVENT_OBJECT_SCHEMA', 'EVENT_OBJECT_TABLE')} ORDER BY TRIGGER_NAME`,
  );
  const parts = await lookUp(
    `SELECT PARTITION_NAME, PARTITION_METHOD, PARTITION_EXPRESSION, PARTITION_DESCRIPTION FROM information_schema.PARTITIONS
     WHERE ${own('TABLE_SCHEMA', 'TABLE_NAME')} AND PARTITION_NAME IS NOT NULL ORDER BY PARTITION_ORDINAL_POSITION`,
  );
  const checks = await answering(() => lookUp(checksQuery(own, isMariadb)));
  const qualified = quoteQualified('mysql', schema ?? database, name ?? table);
  // Refused without the privilege to see it, which is no reason to hide the rest.
  const shown = await answering(() => lookUp(`SHOW CREATE ${kind === 'sequence' ? 'SEQUENCE' : 'TABLE'} ${qualified}`));
  const definition = shown.kind === 'done' ? (shown.value[0]?.[1] ?? null) : null;
  // CONNECTION='mysql://user:password@host' and its like.
  const isRemote = /\bENGINE=(FEDERATED|CONNECT|SPIDER|S3)\b/i.test(definition ?? '');
  const ddl = isRemote ? null : definition;
  return {
    name: name ?? table,
    schema: schema ?? database,
    kind,
    comment: tableComment(kind, comment ?? null),
    columns,
    primaryKey: keys.filter(row => row[0] === 'PRIMARY').map(row => row[1] ?? ''),
    foreignKeys: foreignKeys(keys, rules),
    referencedBy: incoming,
    indexes: indexesOf(indexes, ddl),
    // MySQL 5.7 has no such catalog, as it has no checks.
    checks:
      checks.kind === 'done'
        ? checks.value.map(([of, clause]) => ({ name: of ?? null, expression: clause ?? '' }))
        : [],
    triggers: triggers.map(([trigger, timing, event, body]) => ({
      name: trigger ?? '',
      definition: `CREATE TRIGGER ${quoteIdentifier('mysql', trigger ?? '')} ${timing} ${event} ON ${qualified} FOR EACH ROW ${body}`,
    })),
    partitioning: partitioningOf(parts),
    ddl,
    approximateRowCount: kind === 'table' ? numberOrNull(rowCount ?? null) : null,
    sizeBytes: numberOrNull(size ?? null),
  };
}

function partitioningOf(rows: readonly (readonly (string | null)[])[]): TableDescription['partitioning'] {
  const [first] = rows;
  if (first === undefined) return null;
  const parts = [
    ...new Map(rows.map(([name, , , bound]) => [name, bound ? `${name}: ${bound}` : (name ?? '')])).values(),
  ];
  return { by: `${first[1]} (${first[2] ?? ''})`, of: null, parts };
}

function checksQuery(own: (schema: string, table: string) => string, mariadb: boolean): string {
  if (mariadb) {
    return `SELECT CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
      WHERE ${own('CONSTRAINT_SCHEMA', 'TABLE_NAME')} ORDER BY CONSTRAINT_NAME`;
  }
  return `SELECT k.CONSTRAINT_NAME, k.CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS k
    JOIN information_schema.TABLE_CONSTRAINTS t
      ON t.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = k.CONSTRAINT_NAME
    WHERE t.CONSTRAINT_TYPE = 'CHECK' AND ${own('t.TABLE_SCHEMA', 't.TABLE_NAME')} ORDER BY k.CONSTRAINT_NAME`;
}
