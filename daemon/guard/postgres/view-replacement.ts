/**
 * Whether CREATE OR REPLACE VIEW gives a view the query that it already has: then nothing is lost.
 */

import type { Parse } from './parser.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

const places: ReadonlySet<string> = new Set(['location', 'list_start', 'list_end', 'stmt_location', 'stmt_len']);

/**
 * @param definition as the catalog prints it.
 * @param replacement the new query as a node.
 * @param columnsOf gives the columns of a table that the query reads, in order.
 */
export function isSameView(
  definition: string,
  replacement: unknown,
  columnsOf: (table: string) => readonly string[],
  parse: Parse,
): boolean {
  const parsed = parse(definition);
  const [old] = parsed.kind === 'statements' ? parsed.statements : [];
  return old !== undefined && formOf(old, columnsOf) === formOf(replacement, columnsOf);
}

/**
 * Two queries with the same form are the same query. In a query of one table, columns lose their
 * qualifier, and `*` is written out.
 */
function formOf(query: unknown, columnsOf: (table: string) => readonly string[]): string {
  const node = taggedNode(query);
  if (node === null) return '';
  const { targetList, ...rest } = node.fields;
  const [from, other] = listOf(rest.fromClause);
  const table = taggedNode(from);
  const only = table?.tag === 'RangeVar' && other === undefined ? table.fields : null;
  const targets = listOf(targetList).flatMap(target => targetsOf(target, only, columnsOf));
  const name = only === null ? null : nameOf(only);
  return JSON.stringify([node.tag, targets, rest], (key, value) => {
    if (places.has(key)) return undefined;
    const column = taggedNode(value);
    if (column?.tag !== 'ColumnRef') return value;
    const parts = nameParts(column.fields.fields);
    return parts.length === 2 && parts[0] === name ? parts[1] : parts.length === 1 ? parts[0] : value;
  });
}

function targetsOf(
  target: unknown,
  only: Fields | null,
  columnsOf: (table: string) => readonly string[],
): readonly unknown[] {
  const column = taggedNode(fieldsOf(taggedNode(target)?.fields).val);
  const [star, other] = column?.tag === 'ColumnRef' ? listOf(column.fields.fields) : [];
  const isStar = other === undefined && taggedNode(star)?.tag === 'A_Star';
  if (!isStar || only === null) return [target];
  return columnsOf(textOf(only.relname)).map(name => ({
    ResTarget: { val: { ColumnRef: { fields: [{ String: { sval: name } }] } } },
  }));
}

function nameOf({ alias, relname }: Fields): string {
  return textOf(fieldsOf(alias).aliasname) || textOf(relname);
}
