/**
 * What the grammar of PostgreSQL 17 takes for words of its own, and an older server looks up by its
 * search path.
 */

import type { QualifiedName } from '../types.ts';
import { type Fields, nameParts, textOf } from './tree.ts';

/** A type and a function that the grammar itself puts into `pg_catalog`. */
const qualified: ReadonlySet<string> = new Set(['json', 'json_object']);

/** @param parts as the grammar gives them. */
export function nameOf(parts: readonly string[]): QualifiedName {
  const [name = '', schema = null] = parts.toReversed();
  return { schema: qualified.has(name) && schema === 'pg_catalog' ? null : schema, name };
}

const calls: ReadonlyMap<string, string> = new Map([
  ['JsonParseExpr', 'json'],
  ['JsonScalarExpr', 'json_scalar'],
  ['JsonSerializeExpr', 'json_serialize'],
  ['JsonObjectConstructor', 'json_object'],
  ['JsonArrayConstructor', 'json_array'],
  ['JsonObjectAgg', 'json_objectagg'],
  ['JsonArrayAgg', 'json_arrayagg'],
  ['MergeSupportFunc', 'merge_action'],
]);

/** The function that an older server calls. `JSON_VALUE_OP`: json_value. */
export function newWordOf(tag: string, { op }: Fields): string | null {
  return tag === 'JsonFuncExpr' ? textOf(op).replace(/_OP$/, '').toLowerCase() : (calls.get(tag) ?? null);
}

/** SYSTEM_USER, which is a table's or a column's name to an older server. */
export function isSystemUser({ funcname, funcformat }: Fields): boolean {
  return funcformat === 'COERCE_SQL_SYNTAX' && nameParts(funcname).at(-1) === 'system_user';
}
