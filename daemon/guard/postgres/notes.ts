/**
 * What the nodes of a statement name, and what each name alone decides: relations, calls, types,
 * fields that may be calls.
 */

import type { QualifiedName } from '../types.ts';
import { actingFunction } from './functions.ts';
import { type FunctionCall, Names } from './names.ts';
import { isSystemUser, newWordOf } from './new-words.ts';
import { operatorsOf } from './operators.ts';
import type { SoughtRelation } from './question.ts';
import { isRoleValue } from './role-dependence.ts';
import { SecretColumns } from './secret-columns.ts';
import { isCommonTable, type Place } from './statement-place.ts';
import { holdsPasswords, holdsSamples, isSystemCatalog, showsServerFiles } from './system-catalogs.ts';
import { textArguments } from './text-arguments.ts';
import { type Fields, listOf, nameParts, taggedNode } from './tree.ts';
import { destructive, forbidden, say, type Verdict } from './verdict.ts';

/** Nodes that carry the name of a function. They define it or hook it up, and don't call it. */
const namesFunction: ReadonlySet<string> = new Set(['CreateFunctionStmt', 'CreateTrigStmt', 'CreateEventTrigStmt']);
/**
 * Names of acting functions that columns have as well. No ordinary row can be the function's one
 * argument.
 */
const commonColumns: ReadonlySet<string> = new Set(['http']);

/**
 * Nodes with which a row gets columns' defaults: the row is added, or a column is set to its
 * default.
 */
const givingDefaults: ReadonlySet<string> = new Set(['InsertStmt', 'MergeStmt', 'SetToDefault']);

/** Where stored code looks for bare names; null for the session's own path. */
export interface Stored {
  readonly path: readonly string[] | null;
}

export class Notes {
  readonly names: Names;
  /** Queries that functions get as literal text; each must be one that reads. */
  readonly texts: string[] = [];
  /** Names of every function called, without schema. */
  readonly called = new Set<string>();
  usesDefaults = false;
  readonly secrets = new SecretColumns();
  private readonly find: (verdict: Verdict, place: Place) => void;

  /** @param find is told what a name decides at its place. */
  constructor(stored: Stored | null, find: (verdict: Verdict, place: Place) => void) {
    this.names = new Names(stored?.path ?? null, stored !== null);
    this.find = find;
  }

  /** @param node the `RangeVar` that names it. */
  noteRelation(relation: QualifiedName, node: Fields, place: Place): void {
    if (relation.schema === null && isCommonTable(relation.name, place)) return;
    if (place.isQuery) this.names.addTable(relation, roleOf(place));
    else this.names.nameTable(relation);
    this.secrets.noteRelation(relation, node);
    if (relation.name === 'pg_settings') this.names.noteSettings();
    const verdict = verdictOnRelation(relation, place.inView && place.isQuery);
    if (verdict !== null) this.find(verdict, place);
  }

  note(tag: string, fields: Fields, place: Place): void {
    if (Array.isArray(fields.funcname) && !namesFunction.has(tag)) {
      // What an ordered-set aggregate sorts by is an argument, too.
      const given = listOf(fields.args);
      const argumentCount = fields.agg_within_group === true ? null : given.length;
      const parts = nameParts(fields.funcname);
      this.noteCall({ parts, argumentCount, constants: constantsOf(given) }, place, given);
      if (isSystemUser(fields)) this.names.addRelation({ schema: null, name: 'system_user' }, 'read');
    }
    const word = newWordOf(tag, fields);
    if (word !== null) this.noteCall({ parts: [word], argumentCount: null }, place);
    if (givingDefaults.has(tag)) this.usesDefaults = true;
    if (tag === 'RangeTableSample') this.noteCall({ parts: nameParts(fields.method), argumentCount: 1 }, place);
    for (const operator of operatorsOf(tag, fields)) this.names.addOperator(operator);
    if (tag === 'RangeFunction') this.names.noteFunctionAsTable();
    if (isRoleValue(tag, fields.op)) this.names.noteRole();
    if (tag === 'JoinExpr') this.secrets.noteJoin(fields);
    this.secrets.noteSelect(tag, fields);
    if (Array.isArray(fields.names)) this.noteType(fields);
    if (tag === 'A_Indirection') this.noteFields(nameParts(fields.indirection), place);
    if (tag !== 'ColumnRef') return;
    const field = nameParts(fields.fields).slice(1).at(-1);
    if (field !== undefined) this.noteAttribute(field, place);
    this.secrets.noteColumn(fields);
  }

  /** `t.c%TYPE` names a column. */
  private noteType(type: Fields): void {
    const parts = nameParts(type.names);
    const name = parts.at(-2);
    if (type.pct_type !== true) this.names.addType(parts);
    else if (name !== undefined) this.names.addRelation({ schema: parts.at(-3) ?? null, name }, 'read');
  }

  /**
   * `('/etc/passwd').pg_read_file` calls the function: PostgreSQL takes a field that doesn't exist
   * for a function.
   */
  private noteFields(fields: readonly string[], place: Place): void {
    for (const field of fields) this.noteCall({ parts: [field], argumentCount: 1, constants: [1] }, place);
  }

  /**
   * `x.pg_read_file` calls it, too, with a row of `x`. If `x` is a function in FROM that gives a
   * value, it is called with that.
   */
  private noteAttribute(name: string, place: Place): void {
    const verdict = actingFunction(null, name, 1);
    if (verdict !== null && !commonColumns.has(name)) this.find(verdict, place);
    if (name === 'current_setting') this.names.noteSettings();
    this.names.addAttribute(name);
  }

  private noteCall(call: FunctionCall, place: Place, given: readonly unknown[] = []): void {
    const name = call.parts.at(-1) ?? '';
    this.called.add(name);
    this.secrets.noteCall(name);
    const text = textArguments(name, given);
    if (text?.kind === 'queries') this.texts.push(...text.texts);
    if (text?.kind === 'counts' && text.table === null) this.names.noteAnyRelation();
    if (text?.kind === 'counts' && text.table !== null)
      this.noteRelation(text.table, {}, { ...place, isQuery: true, scope: null });
    if (text?.kind === 'table') {
      this.noteRelation(text.table, {}, { ...place, isQuery: true, scope: null });
      this.secrets.noteEveryColumn();
    }
    if (text?.kind === 'type') this.names.addType(text.parts);
    if (text?.kind === 'anySetting') this.names.noteSettings();
    if (text?.kind === 'setting' && text.isSecret) {
      this.find(forbidden('This setting may hold a password, which no client may see.'), place);
    }
    const isClassifiedByText = text !== null && ['queries', 'counts', 'table', 'type'].includes(text.kind);
    const verdict = this.names.addCall(call, isClassifiedByText);
    if (verdict !== null) this.find(verdict, place);
  }
}

/** If one argument is given by name, any argument may be a constant. */
function constantsOf(given: readonly unknown[]): readonly number[] {
  const tags = given.map(argument => taggedNode(argument)?.tag);
  const isNamed = tags.includes('NamedArgExpr');
  return tags.flatMap((tag, index) => (isNamed || tag === 'A_Const' ? [index + 1] : []));
}

/** A plan only reads: a change in it is planned, not made. */
function roleOf({ mode, isTarget }: Place): SoughtRelation['role'] {
  return isTarget && mode !== 'planned' ? 'changed' : 'read';
}

/** @param isOfView true if a view that reads the relation is made. */
export function verdictOnRelation(relation: QualifiedName, isOfView: boolean): Verdict | null {
  const { name } = relation;
  if (holdsPasswords(relation)) {
    const others = /user_mapping/.test(name)
      ? 'information_schema.user_mappings shows the mappings'
      : 'pg_roles shows roles';
    return forbidden(`${name} holds passwords, which no client may see; ${others} without them.`);
  }
  if (holdsSamples(relation)) {
    return forbidden(`${name} holds values of every table, those of password catalogs too; use pg_stats.`);
  }
  if (showsServerFiles(relation))
    return forbidden(`${name} shows a file of the database server, which no client may see.`);
  if (!isOfView || !isSystemCatalog(relation)) return null;
  return destructive(
    say('A view over %@, a catalog of the server, would let the catalog be changed through it.', name),
  );
}
