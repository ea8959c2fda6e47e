/** Writes the statements that would make a described relation again, from what the catalog gave. No round trip. */

import type { ColumnRow, RelationRow } from './describe-rows.ts';

export function assembleDdl(row: RelationRow): string | null {
  const made = create(row);
  if (made === null) return null;
  const indexes = row.indexes.filter(index => !index.ofConstraint).map(index => `${index.definition};`);
  const triggers = row.triggers.map(trigger => `${trigger.definition};`);
  return [`${made};`, ...indexes, ...triggers, ...comments(row)].join('\n');
}

function create(row: RelationRow): string | null {
  switch (row.relkind) {
    case 'r':
    case 'p':
    case 'f':
      return createTable(row);
    case 'v':
      return `CREATE VIEW ${row.qualified} AS\n${withoutSemicolon(row.viewDefinition)}`;
    case 'm':
      return `CREATE MATERIALIZED VIEW ${row.qualified} AS\n${withoutSemicolon(row.viewDefinition)}`;
    case 'S':
      return `CREATE SEQUENCE ${row.qualified} ${row.sequence ?? ''}`.trimEnd();
    default:
      return null;
  }
}

function withoutSemicolon(definition: string | null): string {
  return (definition ?? '').replace(/;\s*$/, '');
}

function createTable(row: RelationRow): string {
  const kind = row.relkind === 'f' ? 'FOREIGN TABLE' : row.unlogged ? 'UNLOGGED TABLE' : 'TABLE';
  const [parent] = row.parents;
  const tail = tableTail(row);
  if (row.partitionBound !== null && parent !== undefined) {
    return `CREATE ${kind} ${row.qualified} PARTITION OF ${parent}\n  ${[row.partitionBound, ...tail].join('\n')}`;
  }
  const lines = [
    ...row.columns.map(columnLine),
    ...row.constraints.map(constraint => `CONSTRAINT ${quoteIdentifier(constraint.name)} ${constraint.definition}`),
  ];
  const inherits = row.parents.length > 0 ? [`INHERITS (${row.parents.join(', ')})`] : [];
  const body = lines.length > 0 ? `(\n${lines.map(line => `  ${line}`).join(',\n')}\n)` : '()';
  return [`CREATE ${kind} ${row.qualified} ${body}`, ...inherits, ...tail].join('\n');
}

function tableTail(row: RelationRow): string[] {
  const tail: string[] = [];
  if (row.partitionKey !== null) tail.push(`PARTITION BY ${row.partitionKey}`);
  if (row.foreignServer !== null) tail.push(`SERVER ${row.foreignServer}`);
  if (row.foreignOptions !== null && row.foreignOptions.length > 0)
    tail.push(`OPTIONS (${row.foreignOptions.join(', ')})`);
  if (row.options !== null && row.options.length > 0) tail.push(`WITH (${row.options.join(', ')})`);
  return tail;
}

function columnLine(column: ColumnRow): string {
  const parts = [quoteIdentifier(column.name), column.type];
  if (column.collation !== null) parts.push(`COLLATE ${column.collation}`);
  if (column.identity !== '') parts.push(`GENERATED ${column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  else if (column.generated === 's') parts.push(`GENERATED ALWAYS AS (${column.default ?? ''}) STORED`);
  else if (column.generated === 'v') parts.push(`GENERATED ALWAYS AS (${column.default ?? ''}) VIRTUAL`);
  else if (column.default !== null) parts.push(`DEFAULT ${column.default}`);
  if (column.notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

function comments(row: RelationRow): string[] {
  const noun: Readonly<Record<string, string>> = {
    v: 'VIEW',
    m: 'MATERIALIZED VIEW',
    f: 'FOREIGN TABLE',
    S: 'SEQUENCE',
  };
  const whole =
    row.comment === null
      ? []
      : [`COMMENT ON ${noun[row.relkind] ?? 'TABLE'} ${row.qualified} IS ${quoteLiteral(row.comment)};`];
  const columns = row.columns.flatMap(({ name, comment }) =>
    comment === null
      ? []
      : [`COMMENT ON COLUMN ${row.qualified}.${quoteIdentifier(name)} IS ${quoteLiteral(comment)};`],
  );
  return [...whole, ...columns];
}

/** Always quoted where a key word or a capital could be meant; a plain word stays readable. */
function quoteIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Reserved as a column name (PostgreSQL manual, appendix C). */
const reserved: ReadonlySet<string> = new Set(
  (
    'all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column ' +
    'concurrently constraint create cross current_catalog current_date current_role current_schema current_time ' +
    'current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from ' +
    'full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit ' +
    'localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references ' +
    'returning right select session_user similar some symmetric system_user table tablesample then to trailing true union ' +
    'unique user using variadic verbose when where window with'
  ).split(' '),
);
