/**
 * A description as answered: columns, keys and indexes as lines of SQL, without empty or default
 * values. A model reads such lines like DDL, for a third of the cost of an object with ten keys per
 * column.
 */

import type { Dialect } from '../../../engines/dialect.ts';
import type { Index, ObjectDescription, TableColumn, TableDescription } from '../../../engines/engine.ts';
import { qualifiedName, writtenName, writtenNames } from '../../../engines/object-name.ts';
import { beginning } from '../../../engines/shorten.ts';
import type { Join } from '../../../statement/join-path.ts';

export const mostReferences = 10;
const mostLabels = 30;
const commentLength = 300;
const triggerLength = 200;
const checkLength = 200;

export function tableLines(dialect: Dialect, table: TableDescription, withDdl: boolean): Record<string, unknown> {
  const qualified = (schema: string | null, name: string) => qualifiedName(dialect, schema, name);
  const names = (of: readonly string[]) => writtenNames(dialect, of);
  const sameKey = (columns: readonly string[]) => columns.join('\n') === table.primaryKey.join('\n');
  // PostgreSQL gives index columns as expressions, in which names are quoted if necessary.
  const quoted = table.primaryKey.map(name => writtenName(dialect, name));
  const isKey = ({ columns }: Index) => sameKey(columns) || columns.join('\n') === quoted.join('\n');
  const isTable = table.kind === 'table' || table.kind === 'foreign_table' || table.kind === 'virtual_table';
  const { partitioning, inheritance, referencedBy, approximateRowCount: rows } = table;
  return withoutEmpty({
    name: qualified(table.schema, table.name),
    kind: table.kind === 'table' ? null : table.kind,
    comment: table.comment,
    columns: table.kind === 'sequence' ? null : table.columns.map(column => columnLine(dialect, column)),
    primary_key: quoted,
    foreign_keys: table.foreignKeys.map(key => {
      const actions = [...action('update', key.onUpdate), ...action('delete', key.onDelete)];
      const to = `${qualified(key.referencedSchema, key.referencedTable)}(${names(key.referencedColumns)})`;
      return [`${names(key.columns)} -> ${to}`, ...actions].join(' ');
    }),
    referenced_by: referencedBy
      ?.slice(0, mostReferences)
      .map(
        key =>
          `${qualified(key.schema, key.table)}(${names(key.columns)})${sameKey(key.referencedColumns) ? '' : ` -> ${names(key.referencedColumns)}`}`,
      ),
    referenced_by_count: referencedBy !== null && referencedBy.length > mostReferences ? referencedBy.length : null,
    referenced_by_unknown: referencedBy === null ? 'The server has too many tables to look through.' : null,
    indexes: table.indexes.filter(index => !(index.unique && isKey(index))).map(index => indexLine(dialect, index)),
    checks: table.checks.map(({ expression }) => expression),
    triggers: table.triggers.map(({ definition, state }) => {
      const line = withDdl ? definition : cut(definition, triggerLength);
      return state === null || state === undefined ? line : `${line} -- ${state}`;
    }),
    rules: table.rules?.map(rule => cut(rule, triggerLength)),
    partitioned_by: partitioning?.by,
    partition_of: partitioning?.of,
    partitions: partitioning && partsShown(partitioning),
    inherits: inheritance?.from,
    children: inheritance?.children && childrenShown(inheritance.children),
    rows: rows === null || table.isCounted === true ? rows : `~${rows}`,
    size_bytes: table.sizeBytes,
    definition: isTable || withDdl ? null : table.ddl,
    ddl: withDdl ? table.ddl : null,
  });
}

/** `billing.inv_ln.hdr_id = billing.inv_hdr.id`, as ON takes it. */
export function joinLine(dialect: Dialect, { child, columns, parent, parentColumns }: Join): string {
  const column = ({ schema, name }: Join['child'], of = '') =>
    `${qualifiedName(dialect, schema, name)}.${writtenName(dialect, of)}`;
  return columns.map((own, at) => `${column(child, own)} = ${column(parent, parentColumns[at])}`).join(' and ');
}

const mostParts = 4;

/**
 * The first and the last show the rule of those in between; the default one is named, as it follows
 * no rule.
 */
function partsShown({ parts, partCount }: NonNullable<TableDescription['partitioning']>): readonly string[] {
  if (partCount <= mostParts) return parts;
  const isRest = (part: string) => / DEFAULT$|: MAXVALUE$/.test(part);
  const ruled = parts.filter(part => !isRest(part));
  const ends = [...ruled.slice(0, 1), ...ruled.slice(1).slice(-1)];
  const rest = parts.filter(isRest);
  return [...ends.slice(0, 1), `… ${partCount - ends.length - rest.length} more`, ...ends.slice(1), ...rest];
}

export function objectLines(dialect: Dialect, object: ObjectDescription): Record<string, unknown> {
  const { schema, name, kind, comment, definition } = object;
  return withoutEmpty({ name: qualifiedName(dialect, schema, name), kind, comment, definition });
}

/** Each is like its parent; the first one shows the naming. */
function childrenShown({ count, first }: { readonly count: number; readonly first: string }): string {
  return count === 1 ? first : `${count}, such as ${first}`;
}

function columnLine(dialect: Dialect, column: TableColumn): string {
  const words = [writtenName(dialect, column.name), column.type];
  if (!column.nullable) words.push('not null');
  switch (column.generated) {
    case 'always':
    case 'by_default':
      words.push(dialect.numbered(column.generated));
      break;
    case 'stored':
    case 'virtual':
      words.push(`generated ${column.generated}`);
      if (column.default !== null) words.push(`as (${unwrapped(column.default)})`);
      break;
    default:
      if (column.default !== null) words.push(`default ${column.default}`);
  }
  if (column.onUpdate) words.push(`on update ${column.onUpdate}`);
  const labels = column.allowedValues;
  // MySQL writes them in the type.
  if (labels !== null && !/^(?:enum|set)\(/i.test(column.type)) {
    const quoted = labels.slice(0, mostLabels).map(label => `'${label.replaceAll("'", "''")}'`);
    words.push(`in (${quoted.join(', ')}${labels.length > mostLabels ? `, … ${labels.length} in all` : ''})`);
  }
  for (const { expression } of column.checks ?? []) words.push(`check (${cut(expression, checkLength)})`);
  if (column.comment !== null) words.push(`-- ${cut(column.comment, commentLength)}`);
  return words.filter(word => word !== '').join(' ');
}

/** PostgreSQL puts an expression into parentheses of its own. */
function unwrapped(expression: string): string {
  return /^\([^()]*(?:\([^()]*\)[^()]*)*\)$/.test(expression) ? expression.slice(1, -1) : expression;
}

function action(event: 'update' | 'delete', rule: string | null): readonly string[] {
  return rule === null || rule === 'NO ACTION' || rule === 'RESTRICT' ? [] : [`on ${event} ${rule.toLowerCase()}`];
}

/** `unique by_name (lower(name)) where deleted is null`: its definition after the table's name. */
function indexLine(dialect: Dialect, { name, unique, method, columns, definition }: Index): string {
  const start = definition === null ? -1 : firstParenthesis(definition);
  const rest = definition === null || start < 0 ? `(${columns.join(', ')})` : definition.slice(start);
  const isUsual = method === null || method.toLowerCase() === 'btree';
  return [
    unique ? 'unique' : '',
    writtenName(dialect, name),
    isUsual ? '' : `using ${method}`,
    rest.replace(/ USING BTREE$/, ''),
  ]
    .filter(word => word !== '')
    .join(' ');
}

/** In a quoted name or a comment it opens no list. */
const quotedOrParenthesis =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|\(/g;

function firstParenthesis(definition: string): number {
  for (const { 0: text, index } of definition.matchAll(quotedOrParenthesis)) if (text === '(') return index;
  return -1;
}

function cut(text: string, length: number): string {
  return beginning(text.replace(/\s+/g, ' ').trim(), length);
}

function withoutEmpty(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
