/**
 * Which settings a program may give a session that reads for it, by name and with constants, and
 * the texts that set them. What decides how a text is read, or which role reads, isn't among them.
 */

import { type Fields, fieldsOf, listOf, nameParts, optionsOf, taggedNode, textOf } from '../tree.ts';
import { literal } from './literal.ts';

/** Each changes only what this session sees, how long it waits or how a query is planned. */
const free: ReadonlySet<string> = new Set(
  `application_name array_nulls bytea_output client_min_messages cursor_tuple_fraction datestyle
  default_transaction_deferrable default_transaction_isolation enable_bitmapscan enable_hashagg enable_hashjoin
  enable_indexonlyscan enable_indexscan enable_material enable_mergejoin enable_nestloop enable_seqscan enable_sort
  escape_string_warning extra_float_digits from_collapse_limit geqo idle_in_transaction_session_timeout
  idle_session_timeout intervalstyle jit join_collapse_limit lock_timeout max_parallel_workers_per_gather
  plan_cache_mode quote_all_identifiers random_page_cost row_security search_path statement_timeout
  synchronize_seqscans timezone transaction_deferrable transaction_isolation transaction_timeout xmlbinary
  xmloption`.split(/\s+/),
);

const ofTransaction = /^transaction_(?!timeout)/;

const path = 'search_path';
const on = /^(on|true|yes|1|t)$/i;

/** May be named, but keep the one value that they have. */
const fixed: ReadonlyMap<string, RegExp> = new Map([
  ['client_encoding', /^(utf-?8|unicode)$/i],
  ['standard_conforming_strings', on],
  ['backslash_quote', /^safe_encoding$/i],
  ['default_transaction_read_only', on],
  ['transaction_read_only', on],
]);

/** @returns why a program may not set it, as a clause, or null. */
export function settingProblem(name: string, value: string): string | null {
  const known = name.toLowerCase();
  const only = fixed.get(known);
  if (only !== undefined) return only.test(value.replace(/^'(.*)'$/, '$1')) ? null : `${known} is fixed here`;
  return free.has(known) ? null : `the setting ${JSON.stringify(known.slice(0, 64))} can't be changed here`;
}

/** The server keeps the word UNICODE as it was given, and would then tell of no UTF8. */
export function settingValue(name: string, value: string): string {
  return name.toLowerCase() === 'client_encoding' ? 'UTF8' : value;
}

/** @returns null if it isn't one constant. */
export function constantOf(node: unknown): string | null {
  const constant = taggedNode(node);
  if (constant?.tag !== 'A_Const') return null;
  const { sval, ival, fval, boolval } = constant.fields;
  if (sval !== undefined) return textOf(fieldsOf(sval).sval);
  if (ival !== undefined) return String(fieldsOf(ival).ival ?? 0);
  if (fval !== undefined) return textOf(fieldsOf(fval).fval);
  return boolval === undefined ? null : String(fieldsOf(boolval).boolval === true);
}

/** `renames`: what names stand for may be something else behind it. */
type SessionText = { readonly sql: string; readonly renames: boolean } | { readonly problem: string };

/** SET, RESET and their kin, written anew. */
export function settingText(fields: Fields): SessionText {
  const name = textOf(fields.name);
  const scope = fields.is_local === true ? 'LOCAL ' : '';
  switch (fields.kind) {
    case 'VAR_RESET_ALL':
      return { sql: 'RESET ALL', renames: true };
    case 'VAR_SET_MULTI':
      return several(name, fields);
    case 'VAR_RESET':
    case 'VAR_SET_DEFAULT':
      // Before PostgreSQL 16 a reset isn't checked: a transaction that reads could write again.
      if (!free.has(name) || ofTransaction.test(name))
        return { problem: `${JSON.stringify(name.slice(0, 64))} can't be reset here` };
      return {
        sql: fields.kind === 'VAR_RESET' ? `RESET ${name}` : `SET ${scope}${name} TO DEFAULT`,
        renames: name === path,
      };
    case 'VAR_SET_VALUE': {
      const zone = name === 'timezone' ? intervalOf(fields.args) : null;
      if (zone !== null)
        return { sql: `SET ${scope}TIME ZONE INTERVAL ${literal(zone)} HOUR TO MINUTE`, renames: false };
      const values = listOf(fields.args).map(constantOf);
      if (!values.every(value => value !== null)) return { problem: 'settings take constants here' };
      const problem = values.map(value => settingProblem(name, value)).find(found => found !== null);
      if (problem !== undefined) return { problem };
      const given = values.map(value => literal(settingValue(name, value))).join(', ');
      return { sql: `SET ${scope}${name} TO ${given}`, renames: name === path };
    }
    default:
      return { problem: 'this kind of SET is not known' };
  }
}

/** `HOUR TO MINUTE` in the server's bits (datetime.h). */
const hourToMinute = '3072';

/** Of `SET TIME ZONE INTERVAL '+01:00' HOUR TO MINUTE`, as Sequelize sends it; else null. */
function intervalOf(args: unknown): string | null {
  const [value, ...others] = listOf(args);
  const cast = taggedNode(value);
  if (others.length > 0 || cast?.tag !== 'TypeCast') return null;
  const { names, typmods } = fieldsOf(cast.fields.typeName);
  const isInterval = nameParts(names).join('.') === 'pg_catalog.interval';
  const within = listOf(typmods).map(constantOf);
  return isInterval && within.length === 1 && within[0] === hourToMinute ? constantOf(cast.fields.arg) : null;
}

function several(name: string, { args }: Fields): SessionText {
  if (name === 'TRANSACTION SNAPSHOT') {
    const snapshot = constantOf(listOf(args)[0]);
    return snapshot === null
      ? { problem: 'no snapshot is named' }
      : { sql: `SET ${name} ${literal(snapshot)}`, renames: false };
  }
  const modes = transactionModes(args);
  if (modes === null) return { problem: 'transactions only read here' };
  const what = name === 'TRANSACTION' ? name : 'SESSION CHARACTERISTICS AS TRANSACTION';
  return { sql: `SET ${what} ${modes}`, renames: false };
}

const levels = /^(serializable|repeatable read|read committed|read uncommitted)$/i;

/** The modes of a transaction that only reads; null if it shall write, or isn't understood. */
export function transactionModes(options: unknown): string | null {
  const modes: string[] = [];
  for (const { name, value } of optionsOf(options)) {
    const given = constantOf(value) ?? '';
    if (name === 'transaction_isolation' && levels.test(given)) modes.push(`ISOLATION LEVEL ${given.toUpperCase()}`);
    else if (name === 'transaction_deferrable') modes.push(given === '0' ? 'NOT DEFERRABLE' : 'DEFERRABLE');
    else if (name !== 'transaction_read_only' || given === '0') return null;
  }
  return [...modes, 'READ ONLY'].join(', ');
}

const noClauses = new Set(['targetList', 'limitOption', 'op']);

/** What pg_dump of a newer version asks; its values are constants but for the name. */
const ofDump =
  "SELECT set_config(name, 'view, foreign-table', false) FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind'";

/** A call without arguments that is a whole query. */
export function isCallOf(fields: Fields, name: string): boolean {
  const [target, ...others] = listOf(fields.targetList);
  const { val } = fieldsOf(taggedNode(target)?.fields);
  const call = taggedNode(val);
  const isPlain = others.length === 0 && Object.keys(fields).every(key => noClauses.has(key));
  const parts = nameParts(call?.fields.funcname);
  const isIts = parts.at(-1) === name && ['', 'pg_catalog'].includes(parts.slice(0, -1).join('.'));
  return isPlain && call?.tag === 'FuncCall' && isIts && call.fields.args === undefined;
}

/** `SELECT set_config('…', '…', false)`, written anew; null for any other query. */
export function configText(fields: Fields, text: string): SessionText | null {
  if (text.split(/\s+/).join(' ').trim() === ofDump) {
    const name = "'restrict_nonsystem_relation_kind'";
    const found = `pg_catalog.current_setting(${name}, true) IS NOT NULL`;
    return {
      sql: `SELECT pg_catalog.set_config(${name}, 'view, foreign-table', false) WHERE ${found}`,
      renames: false,
    };
  }
  const targets = listOf(fields.targetList).map(target => fieldsOf(taggedNode(target)?.fields));
  const calls = targets.map(({ val }) => fieldsOf(taggedNode(val)?.fields));
  const isConfig = (call: Fields): boolean => nameParts(call.funcname).at(-1)?.toLowerCase() === 'set_config';
  if (!calls.some(isConfig)) return null;
  const isPlain =
    Object.keys(fields).every(key => noClauses.has(key)) &&
    targets.every(({ name }) => name === undefined) &&
    calls.every(call => isConfig(call) && ['', 'pg_catalog'].includes(nameParts(call.funcname).slice(0, -1).join('.')));
  const texts: string[] = [];
  let renames = false;
  for (const call of calls) {
    const [name = null, value = null, local = null] = listOf(call.args).map(constantOf);
    if (!isPlain || name === null || value === null || (local !== 'true' && local !== 'false'))
      return { problem: 'set_config takes constants here, and stands alone' };
    const problem = settingProblem(name, value);
    if (problem !== null) return { problem };
    renames ||= name.toLowerCase() === path;
    texts.push(`pg_catalog.set_config(${literal(name)}, ${literal(settingValue(name, value))}, ${local})`);
  }
  return { sql: `SELECT ${texts.join(', ')}`, renames };
}
