/**
 * Functions that take a query or a table's name as text. A plain literal is classified as if it
 * were written out. A text that is put together while the statement runs can't be, except a count
 * of the rows of a table that `format` names.
 */

import type { QualifiedName } from '../types.ts';
import { isSecretSetting } from './secret-settings.ts';
import { fieldsOf, listOf, nameParts, taggedNode } from './tree.ts';

type TextArguments =
  | { readonly kind: 'queries'; readonly texts: readonly string[] }
  /** The rows of a table or view are counted, and nothing else of it is read. Null: of any. */
  | { readonly kind: 'counts'; readonly table: QualifiedName | null }
  | { readonly kind: 'table'; readonly table: QualifiedName }
  /** The parts of the type's name. */
  | { readonly kind: 'type'; readonly parts: readonly string[] }
  /** True if the setting may hold a password. */
  | { readonly kind: 'setting'; readonly isSecret: boolean }
  | { readonly kind: 'anySetting' };

const takesQuery = /^(query_to_xml(schema|_and_xmlschema)?|crosstab[2-4]?|crosstabn?|ts_stat)$/;
/** `%I` makes a quoted name of whatever it is given. */
const countsRows =
  /^\s*select\s+count\((?:\*|1)\)(?:\s+(?:as\s+)?[a-z_][a-z0-9_]*)?\s+from\s+((?:[a-z_][a-z0-9_]*\.)?%(?:\d\$)?I(?:\.%(?:\d\$)?I)?)\s*$/i;
const takesTable = /^table_to_xml(schema|_and_xmlschema)?$/;
const takesType = /^pg_input_(is_valid|error_info)$/;
/** `app.email`, `numeric(10,2)[]`. A type's name of several words is a built-in's. */
const plainType = /^([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?)(?:[ ([][a-z0-9 ,()[\]]*)?$/;
const plainName = /^[a-z_][a-z0-9_$]*(?:\.[a-z_][a-z0-9_$]*)?$/;

/** @returns null for any other function, and if a query or name isn't a literal. */
export function textArguments(name: string, given: readonly unknown[]): TextArguments | null {
  if (takesQuery.test(name)) {
    const counted = name.startsWith('query_to_xml') ? countsByFormat(given[0]) : null;
    if (counted !== null) return counted;
    // The second text of `crosstab` is a query, too. The other arguments of these functions aren't
    // text.
    const queries = given
      .filter((_, at) => at === 0 || name.startsWith('crosstab'))
      .filter(isNoNumber)
      .map(literalText);
    const texts = queries.filter(text => text !== null);
    return texts.length > 0 && texts.length === queries.length ? { kind: 'queries', texts } : null;
  }
  if (takesTable.test(name)) {
    const text = literalText(given[0]);
    if (text === null || !plainName.test(text)) return null;
    const [last = '', schema = null] = text.split('.').reverse();
    return { kind: 'table', table: { schema, name: last } };
  }
  if (takesType.test(name)) {
    const type = plainType.exec(literalText(given[1]) ?? '')?.[1];
    return type === undefined ? null : { kind: 'type', parts: type.split('.') };
  }
  if (name === 'pg_show_all_settings') return { kind: 'anySetting' };
  if (name !== 'current_setting') return null;
  const setting = literalText(given[0]);
  return setting === null ? { kind: 'anySetting' } : { kind: 'setting', isSecret: isSecretSetting(setting) };
}

/** `format('select count(*) from %I.%I', …)`. @returns null for anything else. */
function countsByFormat(node: unknown): Extract<TextArguments, { kind: 'counts' }> | null {
  const call = taggedNode(node);
  const [name, schema = 'pg_catalog'] = [...nameParts(call?.fields.funcname)].reverse();
  if (call?.tag !== 'FuncCall' || name !== 'format' || schema !== 'pg_catalog') return null;
  const { args, func_variadic } = call.fields;
  const [text, ...names] = listOf(args);
  const written = countsRows.exec(literalText(text) ?? '')?.[1];
  if (func_variadic === true || written === undefined) return null;
  const literals = names.map(literalText);
  const parts = literals.filter(part => part !== null);
  const isPlain = parts.length === literals.length && (written === '%I' || written === '%I.%I');
  const [last, first = null] = parts.toReversed();
  if (!isPlain || last === undefined || parts.length !== written.split('.').length)
    return { kind: 'counts', table: null };
  return { kind: 'counts', table: { schema: first, name: last } };
}

function isNoNumber(node: unknown): boolean {
  return fieldsOf(taggedNode(node)?.fields).ival === undefined;
}

/** Reads `'…'`, also with a cast to text or regclass. */
function literalText(node: unknown): string | null {
  const found = taggedNode(node);
  if (found?.tag === 'TypeCast') {
    const type = nameParts(fieldsOf(found.fields.typeName).names).at(-1);
    return type === 'text' || type === 'regclass' ? literalText(found.fields.arg) : null;
  }
  const { sval } = fieldsOf(found?.tag === 'A_Const' ? fieldsOf(found.fields.sval) : null);
  return typeof sval === 'string' ? sval : null;
}
