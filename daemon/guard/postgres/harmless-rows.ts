/**
 * Whether a SELECT from `pg_stats` or `pg_settings` alone is limited to rows without secrets, so
 * every column may be shown: `WHERE schemaname = 'public'`, `WHERE name LIKE 'work%'`.
 */

import { isSecretSetting, secretSettings } from './secret-settings.ts';
import { isKnownSecret } from './system-catalogs.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

/**
 * For each relation: the columns that tell rows apart, and whether rows with a value are harmless.
 */
const harmless: Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>> = {
  pg_stats: {
    tablename: value => !isKnownSecret(value),
    schemaname: value => !/^(pg_|information_schema)/.test(value),
  },
  pg_settings: { name: value => !isSecretSetting(value) },
};

/** @returns the relation's name; null if rows with secrets may be among those selected. */
export function heldToHarmlessRows(select: Fields): string | null {
  const [from, other] = listOf(select.fromClause);
  const relation = taggedNode(from);
  if (other !== undefined || relation?.tag !== 'RangeVar') return null;
  const { relname, schemaname, alias } = relation.fields;
  const name = textOf(relname);
  const columns = Object.hasOwn(harmless, name) ? harmless[name] : undefined;
  if (columns === undefined || (schemaname !== undefined && schemaname !== 'pg_catalog')) return null;
  if (fieldsOf(alias).colnames !== undefined) return null;
  const own = textOf(fieldsOf(alias).aliasname) || name;
  const pending = [select.whereClause];
  let isHeld = false;
  for (let condition = taggedNode(pending.pop()); condition !== null; condition = taggedNode(pending.pop())) {
    const { tag, fields } = condition;
    if (tag === 'BoolExpr' && fields.boolop === 'AND_EXPR') pending.push(...listOf(fields.args));
    else if (tag === 'A_Expr' && comparesOwnColumn(fields, own)) isHeld ||= holds(fields, columns);
    // Any other condition may see a row before the row is left out, and show the row in an error.
    else if (tag !== 'NullTest' || taggedNode(fields.arg)?.tag !== 'ColumnRef') return null;
  }
  return isHeld ? name : null;
}

/**
 * True for a column of this relation compared with literals: no other relation's column of that
 * name, and nothing that computes.
 */
function comparesOwnColumn({ lexpr, rexpr }: Fields, relation: string): boolean {
  const column = taggedNode(lexpr);
  if (column?.tag !== 'ColumnRef') return false;
  const [qualifier = relation] = nameParts(column.fields.fields).slice(-2, -1);
  const right = taggedNode(rexpr);
  const items = right?.tag === 'List' ? listOf(right.fields.items) : [rexpr];
  return qualifier === relation && items.every(item => taggedNode(item)?.tag === 'A_Const');
}

/** `column = 'value'`, `column IN ('value', …)`, `column LIKE 'prefix%'`. */
function holds(
  { kind, name, lexpr, rexpr }: Fields,
  columns: Readonly<Record<string, (value: string) => boolean>>,
): boolean {
  const column = taggedNode(lexpr);
  const [what = ''] = column?.tag === 'ColumnRef' ? nameParts(column.fields.fields).slice(-1) : [];
  const isHarmless = Object.hasOwn(columns, what) ? columns[what] : undefined;
  const operator = nameParts(name).join('.');
  if (isHarmless === undefined) return false;
  if (kind === 'AEXPR_LIKE') {
    const prefix = /^[^%_\\]*/.exec(literalOf(rexpr) ?? '')?.[0] ?? '';
    return (
      operator === '~~' && prefix !== '' && what === 'name' && !secretSettings.some(each => each.startsWith(prefix))
    );
  }
  if (operator !== '=' || (kind !== 'AEXPR_OP' && kind !== 'AEXPR_IN')) return false;
  const items = kind === 'AEXPR_IN' ? listOf(fieldsOf(taggedNode(rexpr)?.fields).items) : [rexpr];
  return items.length > 0 && items.map(literalOf).every(value => value !== null && isHarmless(value));
}

function literalOf(node: unknown): string | null {
  const found = taggedNode(node);
  const { sval } = fieldsOf(found?.tag === 'A_Const' ? fieldsOf(found.fields.sval) : null);
  return typeof sval === 'string' ? sval : null;
}
