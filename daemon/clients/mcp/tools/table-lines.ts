/**
 * A description as answered: columns, keys and indexes as lines of SQL, without empty or default
 * values. A model reads such lines like DDL, for a third of the cost of an object with ten keys per
 * column.
 */

import type { Dialect } from '../../../engines/dialect.ts';
import type {
  Check,
  Index,
  ObjectDescription,
  TableColumn,
  TableDescription,
  Trigger,
  Unseen,
} from '../../../engines/engine.ts';
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
  const quoted = (name: string) => writtenName(dialect, name);
  const primaryKey = table.primaryKey.map(quoted);
  // PostgreSQL gives index columns as expressions, in which names are quoted if necessary.
  // Elsewhere an index of expressions alone has no names, like a table without a key.
  const isKey = ({ columns }: Index) =>
    primaryKey.length > 0 && (sameKey(columns) || columns.join('\n') === primaryKey.join('\n'));
  const isTable = table.kind === 'table' || table.kind === 'foreign_table' || table.kind === 'virtual_table';
  const { partitioning, inheritance, referencedBy, approximateRowCount: rows } = table;
  return withoutEmpty({
    name: qualified(table.schema, table.name),
    kind: table.kind === 'table' ? null : table.kind,
    comment: table.comment,
    columns: table.kind === 'sequence' ? null : table.columns.map(column => columnLine(dialect, column)),
    primary_key: primaryKey,
    foreign_keys: table.foreignKeys.map(key => {
      const actions = [...action('update', key.onUpdate), ...action('delete', key.onDelete)];
      const columns = (of: readonly string[]) =>
        key.isPeriod === true
          ? [...of.slice(0, -1).map(quoted), `period ${of.slice(-1).map(quoted)}`].join(', ')
          : names(of);
      const to = `${qualified(key.referencedSchema, key.referencedTable)}(${columns(key.referencedColumns)})`;
      return [`${columns(key.columns)} -> ${to}`, ...actions, ...stateWords(key)].join(' ');
    }),
    referenced_by: referencedBy?.slice(0, mostReferences).map(key => {
      const from = `${qualified(key.schema, key.table)}(${names(key.columns)})`;
      const to = sameKey(key.referencedColumns) ? [] : [`-> ${names(key.referencedColumns)}`];
      return [from, ...to, ...stateWords(key)].join(' ');
    }),
    referenced_by_count: referencedBy !== null && referencedBy.length > mostReferences ? referencedBy.length : null,
    referenced_by_unknown: referencedBy === null ? 'The server has too many tables to look through.' : null,
    indexes: table.indexes
      .filter(index => !(index.unique && isKey(index) && !index.state))
      .map(index => indexLine(dialect, index)),
    checks: table.checks.map(check => (check.state ? checkWords(check).join(' ') : check.expression)),
    row_level_security: securityShown(table),
    strict: table.isStrict === true ? true : null,
    system_versioned: table.isVersioned === true ? true : null,
    triggers: table.triggers.map(trigger => triggerLine(trigger, withDdl ? null : triggerLength)),
    rules: table.rules?.map(rule => triggerLine(rule, triggerLength)),
    partitioned_by: partitioning?.by,
    partition_of: partitioning?.of,
    partitions: partitioning && partsShown(partitioning),
    inherits: inheritance?.from,
    children: inheritance?.children && childrenShown(inheritance.children),
    rows: rows === null || table.isCounted === true ? rows : `~${rows}`,
    size_bytes: table.sizeBytes,
    definition: isTable || withDdl ? null : table.ddl,
    ddl: withDdl ? table.ddl : null,
    hidden: hiddenSentence(table.unseen ?? []),
  });
}

/** `billing.inv_ln.hdr_id = billing.inv_hdr.id`, as ON takes it. */
export function joinLine(dialect: Dialect, { child, columns, parent, parentColumns }: Join): string {
  const column = ({ schema, name }: Join['child'], of = '') =>
    `${qualifiedName(dialect, schema, name)}.${writtenName(dialect, of)}`;
  return columns.map((own, at) => `${column(child, own)} = ${column(parent, parentColumns[at])}`).join(' and ');
}

/** Null if nothing may be missing. */
function hiddenSentence(unseen: readonly Unseen[]): string | null {
  if (unseen.length === 0) return null;
  const some = unseen.map(what => (what === 'columns' ? 'other columns' : what));
  return `This account may not see its ${some.join(', ').replace(/, ([^,]*)$/, ' and $1')}, if there are any.`;
}

function securityShown({ rowSecurity }: TableDescription): readonly string[] {
  if (!rowSecurity) return [];
  const { isForThisRole, policies } = rowSecurity;
  return [
    ...(isForThisRole ? [] : ['not for this account']),
    ...(policies.length === 0 ? ['no policy: no rows'] : policies.map(policy => cut(policy, triggerLength))),
  ];
}

function triggerLine({ definition, state }: Trigger, length: number | null): string {
  const line = length === null ? definition : cut(definition, length);
  return state === null || state === undefined ? line : `${line} -- ${state}`;
}

/** How a rule differs from one in force, in lower case like the words around. */
function stateWords({ state }: { readonly state?: string | null }): readonly string[] {
  return state ? [state.toLowerCase()] : [];
}

function checkWords(check: Check): readonly string[] {
  return [`(${cut(check.expression, checkLength)})`, ...stateWords(check)];
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
  const hidden = definition === null ? 'This account may not see its definition.' : null;
  return withoutEmpty({ name: qualifiedName(dialect, schema, name), kind, comment, definition, hidden });
}

/** Each is like its parent; the first one shows the naming. */
function childrenShown({ count, first }: { readonly count: number; readonly first: string }): string {
  return count === 1 ? first : `${count}, such as ${first}`;
}

function columnLine(dialect: Dialect, column: TableColumn): string {
  const words = [writtenName(dialect, column.name), column.type];
  if (!column.nullable) words.push('not null', ...stateWords({ state: column.notNullState ?? null }));
  words.push(...(column.terms ?? []));
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
  for (const check of column.checks ?? []) words.push('check', ...checkWords(check));
  if (column.isInvisible === true) words.push('invisible');
  if (column.isMasked === true) words.push('masked');
  else if (column.isUnreadable === true) words.push('may not be read');
  if (column.comment !== null) words.push(`-- ${cut(column.comment, commentLength)}`);
  return words.filter(word => word !== '').join(' ');
}

/** PostgreSQL puts an expression into parentheses of its own. */
function unwrapped(expression: string): string {
  return /^\([^()]*(?:\([^()]*\)[^()]*)*\)$/.test(expression) ? expression.slice(1, -1) : expression;
}

function action(event: 'update' | 'delete', rule: string | null): readonly string[] {
  const words = rule?.replace(/^[A-Z ]+/, verb => verb.toLowerCase()) ?? '';
  return ['', 'no action', 'restrict'].includes(words) ? [] : [`on ${event} ${words}`];
}

/** `unique by_name (lower(name)) where deleted is null`: its definition after the table's name. */
function indexLine(dialect: Dialect, index: Index): string {
  const { name, unique, excludes, method, columns, definition } = index;
  const start = definition === null ? -1 : firstParenthesis(definition);
  const rest = definition === null || start < 0 ? `(${columns.join(', ')})` : definition.slice(start);
  const isUsual = method === null || method.toLowerCase() === 'btree';
  return [
    unique ? 'unique' : excludes === true ? 'exclude' : '',
    writtenName(dialect, name),
    isUsual ? '' : `using ${method}`,
    rest.replace(/ USING BTREE$/, ''),
    ...stateWords(index),
  ]
    .filter(word => word !== '')
    .join(' ');
}

/** A quoted text or a parenthesis: one in a quoted name or a comment opens no list. */
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
