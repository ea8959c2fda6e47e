/**
 * Whether a step of a plan may be tried before anybody has said yes (spec §12): a trial runs no code
 * that the plan brings, and uses up no numbers. What isn't known to be so plain isn't tried.
 */

import type { Parse } from './parser.ts';
import { type Fields, fieldsOf, isFields, nameParts, taggedNode, textOf } from './tree.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** All that a plain definition is made of: no expression but a constant, no query, no code. */
const plain =
  words(`CreateStmt AlterTableStmt AlterTableCmd ColumnDef Constraint TypeCast A_Const String Integer Float Boolean
  RangeVar TypeName List IndexStmt IndexElem DropStmt TruncateStmt RenameStmt CommentStmt DefElem PartitionSpec PartitionElem
  PartitionBoundSpec ObjectWithArgs`);
const plainAlterations =
  words(`AT_AddColumn AT_DropColumn AT_AddConstraint AT_DropConstraint AT_SetNotNull AT_DropNotNull
  AT_ColumnDefault`);
/** Others may have a default, a check or an input function of their own. */
const plainTypes =
  words(`int2 int4 int8 smallserial serial bigserial serial2 serial4 serial8 float4 float8 numeric bool text varchar
  bpchar char date time timetz timestamp timestamptz interval uuid json jsonb bytea inet cidr macaddr xml bit varbit`);
const changes = words('InsertStmt UpdateStmt DeleteStmt MergeStmt');
/** Functions of PostgreSQL's own that leave nothing behind a rollback, and are common in changes. */
const plainFunctions =
  words(`generate_series lower upper initcap trim btrim ltrim rtrim length char_length concat concat_ws replace
  substring substr left right lpad rpad md5 now date_trunc date_part extract to_char coalesce nullif greatest least abs round
  ceil floor mod random gen_random_uuid count sum min max avg string_agg array_agg json_build_object jsonb_build_object
  row_number timezone overlay position strpos split_part to_date to_timestamp to_number`);

/** @param sql one statement; its calls of functions that aren't built in are judged elsewhere. */
export function mayBeTried(parse: Parse, sql: string): boolean {
  const parsed = parse(sql);
  if (parsed.kind !== 'statements' || parsed.statements.length !== 1) return false;
  const tag = taggedNode(parsed.statements[0])?.tag ?? '';
  const isChange = changes.has(tag);
  return everyNode(parsed.statements[0], (node, fields) => {
    if (node === 'FuncCall') return isChange && plainFunctions.has(nameParts(fields.funcname).at(-1) ?? '');
    if (isChange) return true;
    if (node === 'AlterTableCmd' && !plainAlterations.has(textOf(fields.subtype))) return false;
    if (node === 'ColumnDef' && !isPlainType(fieldsOf(fields.typeName))) return false;
    return plain.has(node) && (node !== 'TypeCast' || isPlainType(fieldsOf(fields.typeName)));
  });
}

function isPlainType(type: Fields): boolean {
  const names = nameParts(type.names);
  const [schema, name] = names.length === 1 ? ['pg_catalog', names[0]] : names;
  return schema === 'pg_catalog' && name !== undefined && plainTypes.has(name);
}

/** Doesn't recurse, so no nesting overflows it. */
function everyNode(tree: unknown, holds: (tag: string, fields: Fields) => boolean): boolean {
  const pending = [tree];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const node = taggedNode(value);
    if (node !== null && !holds(node.tag, node.fields)) return false;
    if (Array.isArray(value)) pending.push(...value.filter(each => each != null));
    else if (isFields(value))
      pending.push(...Object.values(value).filter(each => typeof each === 'object' && each !== null));
  }
  return true;
}
