/**
 * Writes the statements that would make a described relation again, from the catalog's answer. No
 * round trip.
 */

import { columnLine, isAdded, partitionColumnChanges, partitionColumnLine } from './ddl-columns.ts';
import type { RelationRow } from './rows.ts';

export function assembleDdl(row: RelationRow): string | null {
  const made = create(row);
  if (made === null) return null;
  const sequences = row.ownedSequences.map(({ qualified, options }) => `CREATE SEQUENCE ${qualified} ${options};`);
  const owned = row.ownedSequences.map(
    ({ qualified, column }) => `ALTER SEQUENCE ${qualified} OWNED BY ${row.qualified}.${column};`,
  );
  const indexes = row.indexes
    // One whose making failed would fail again.
    .filter(index => !index.ofConstraint && !index.ofParent && (index.isValid || row.relkind === 'p'))
    .map(index => `${index.definition};`);
  const statistics = row.statistics.map(definition => `${definition};`);
  const triggers = row.triggers.flatMap(({ definition, quoted, state, ofParent, altered }) => [
    ...(ofParent ? [] : [`${definition};`]),
    ...(altered ? [`ALTER TABLE ${row.qualified} ${state ?? 'ENABLE'} TRIGGER ${quoted};`] : []),
  ]);
  const rules = row.rules.flatMap(({ definition, quoted, state }) => [
    definition,
    ...(state ? [`ALTER TABLE ${row.qualified} ${state} RULE ${quoted};`] : []),
  ]);
  const parts = [
    owned,
    addedConstraints(row),
    indexes,
    statistics,
    triggers,
    rules,
    rowSecurity(row),
    row.alterations,
    comments(row),
  ];
  return [...sequences, `${made};`, ...partitionChanges(row), ...parts.flat()].join('\n');
}

function rowSecurity(row: RelationRow): string[] {
  return [
    ...(row.rowSecurity ? [`ALTER TABLE ${row.qualified} ENABLE ROW LEVEL SECURITY;`] : []),
    ...(row.forcedRowSecurity ? [`ALTER TABLE ${row.qualified} FORCE ROW LEVEL SECURITY;`] : []),
    ...row.policies.map(({ quoted, terms }) => `CREATE POLICY ${quoted} ON ${row.qualified}${terms};`),
  ];
}

/** CREATE TABLE would make them valid. */
function addedConstraints({ qualified, columns, constraints }: RelationRow): string[] {
  const notNull = columns.filter(isAdded).flatMap(({ notNullRule }) => notNullRule ?? []);
  return [...notNull, ...constraints.filter(({ isValid, ofParent }) => !isValid && !ofParent)].map(
    ({ definition }) => `ALTER TABLE ${qualified} ADD ${definition};`,
  );
}

function create(row: RelationRow): string | null {
  switch (row.relkind) {
    case 'r':
    case 'p':
    case 'f':
      return createTable(row);
    case 'v':
      return `CREATE VIEW ${row.qualified}${viewOptions(row)} AS\n${withoutSemicolon(row.viewDefinition)}`;
    case 'm':
      return `CREATE MATERIALIZED VIEW ${row.qualified}${viewOptions(row)} AS\n${withoutSemicolon(row.viewDefinition)}${row.isPopulated ? '' : '\nWITH NO DATA'}`;
    case 'S':
      return `CREATE SEQUENCE ${row.qualified} ${row.sequence ?? ''}`.trimEnd();
    default:
      return null;
  }
}

function viewOptions({ options }: RelationRow): string {
  return options === null || options.length === 0 ? '' : ` WITH (${options.join(', ')})`;
}

export function withoutSemicolon(definition: string | null): string {
  return (definition ?? '').replace(/;\s*$/, '');
}

function createTable(row: RelationRow): string {
  const kind = row.relkind === 'f' ? 'FOREIGN TABLE' : row.unlogged ? 'UNLOGGED TABLE' : 'TABLE';
  const [parent] = row.parents;
  const tail = tableTail(row);
  const own = row.constraints
    .filter(({ isValid, ofParent }) => isValid && !ofParent)
    .map(({ definition }) => definition);
  const isPartition = row.partitionBound !== null && parent !== undefined;
  if (isPartition || row.ofType !== null) {
    const lines = [...row.columns.flatMap(partitionColumnLine), ...own];
    const body = lines.length > 0 ? ` ${inBrackets(lines)}` : '';
    if (!isPartition) return [`CREATE ${kind} ${row.qualified} OF ${row.ofType}${body}`, ...tail].join('\n');
    return `CREATE ${kind} ${row.qualified} PARTITION OF ${parent}${body}\n  ${[row.partitionBound, ...tail].join('\n')}`;
  }
  const lines = [...row.columns.filter(({ isLocal }) => isLocal).map(columnLine), ...own];
  const inherits = row.parents.length > 0 ? [`INHERITS (${row.parents.join(', ')})`] : [];
  const body = lines.length > 0 ? inBrackets(lines) : '()';
  return [`CREATE ${kind} ${row.qualified} ${body}`, ...inherits, ...tail].join('\n');
}

function inBrackets(lines: readonly string[]): string {
  return `(\n${lines.map(line => `  ${line}`).join(',\n')}\n)`;
}

function partitionChanges(row: RelationRow): string[] {
  if (row.partitionBound === null) return [];
  return row.columns.flatMap(partitionColumnChanges).map(change => `ALTER TABLE ${row.qualified} ${change};`);
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
  const columns = row.columns.flatMap(({ quoted, comment }) =>
    comment === null ? [] : [`COMMENT ON COLUMN ${row.qualified}.${quoted} IS ${quoteLiteral(comment)};`],
  );
  return [...whole, ...columns];
}

function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
