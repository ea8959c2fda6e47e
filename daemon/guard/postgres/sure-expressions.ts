/**
 * Whether an expression of a default, an index or a CHECK is known to give a value for whatever
 * other people write, today and later.
 */

import { type Fields, fieldsOf, listOf, nameParts, taggedNode } from './tree.ts';

const operators: ReadonlySet<string> = new Set('= <> < > <= >= -> ->> #> #>> || + - ~~ ~~* !~~ !~~*'.split(' '));

const functions: ReadonlySet<string> = new Set(
  `lower upper btrim ltrim rtrim length md5 to_tsvector jsonb_to_tsvector setweight now clock_timestamp statement_timestamp
   transaction_timestamp timezone gen_random_uuid uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 uuidv4 uuidv7 random`.split(
    /\s+/,
  ),
);

const parts: ReadonlySet<string> = new Set(
  `A_Const ColumnRef NullTest BooleanTest BoolExpr A_Expr CoalesceExpr FuncCall CollateClause TypeCast TypeName A_ArrayExpr List
   CaseExpr CaseWhen SQLValueFunction String`.split(/\s+/),
);

/** @param columns the columns that it may name; null: any. */
export function surelyGivesAValue(expression: unknown, columns: readonly string[] | null = null): boolean {
  const pending: unknown[] = [expression];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) pending.push(...value);
    const node = taggedNode(value);
    if (node === null) continue;
    if (!parts.has(node.tag) || !isSure(node.tag, node.fields, columns)) return false;
    pending.push(...Object.values(node.fields));
  }
  return true;
}

function isSure(tag: string, fields: Fields, columns: readonly string[] | null): boolean {
  if (tag === 'A_Expr')
    return operators.has(nameParts(fields.name).join('.')) || /IN|BETWEEN/.test(String(fields.kind));
  if (tag === 'FuncCall') return isKnownFunction(nameParts(fields.funcname));
  if (tag === 'ColumnRef') return columns === null || columns.includes(nameParts(fields.fields).at(-1) ?? '');
  // A cast of a row's value may fail to give a value.
  if (tag === 'TypeCast') return isConstant(fields.arg) || nameParts(fieldsOf(fields.typeName).names).at(-1) === 'text';
  return true;
}

function isKnownFunction(name: readonly string[]): boolean {
  return functions.has(name.at(-1) ?? '') && (name.length === 1 || name[0] === 'pg_catalog');
}

export function isConstant(expression: unknown): boolean {
  const node = taggedNode(expression);
  if (node?.tag === 'TypeCast') return isConstant(node.fields.arg);
  if (node?.tag === 'A_ArrayExpr') return listOf(node.fields.elements).every(isConstant);
  return node?.tag === 'A_Const';
}

export function isNull(expression: unknown): boolean {
  const node = taggedNode(expression);
  if (node?.tag === 'TypeCast') return isNull(node.fields.arg);
  return node?.tag === 'A_Const' && node.fields.isnull === true;
}
