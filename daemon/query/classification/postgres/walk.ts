/**
 * Walks a whole statement, whatever its nodes are called, and gathers what decides: statements inside statements, calls,
 * relations, row locks. Without recursion, so that no nesting overflows it.
 */

import type { QualifiedName } from '../classification.ts';
import { actingFunction } from './acting-functions.ts';
import { dataChanges, judgeDataChange, relationName } from './data-changes.ts';
import { heldToHarmlessRows } from './harmless-rows.ts';
import { hookedFunctions } from './hooked-functions.ts';
import { type FunctionCall, Names } from './names.ts';
import { operatorsOf } from './operators.ts';
import { enterCommonTables, isCommonTable, type Place, top, type Visit } from './place.ts';
import type { SoughtRelation } from './question.ts';
import { SecretColumns } from './secret-columns.ts';
import { judgeStatement } from './statements.ts';
import { holdsPasswords, holdsSamples, isSystemCatalog, showsServerFiles } from './system-catalogs.ts';
import { fullEffort } from './target.ts';
import { textArguments } from './text-arguments.ts';
import {
  type Fields,
  fieldsOf,
  isFields,
  isOptionOn,
  listOf,
  nameParts,
  optionsOf,
  taggedNode,
  textOf,
} from './tree.ts';
import { destructive, forbidden, type Verdict, write } from './verdict.ts';

/** A verdict, and whether it is the one of an UPDATE or DELETE without a WHERE that restricts. */
export interface Finding extends Verdict {
  readonly isUnbounded?: boolean;
}

/** Statements whose parts run with them; what other statements hold is stored for later. */
const running: ReadonlySet<string> = new Set(
  'SelectStmt InsertStmt UpdateStmt DeleteStmt MergeStmt CreateTableAsStmt CreateSchemaStmt CallStmt'.split(' '),
);
/** Statements that read or change the relations they name; maintenance computes the expressions of indexes anew. */
const queries: ReadonlySet<string> = new Set([
  'SelectStmt',
  ...dataChanges,
  ...['VacuumStmt', 'ReindexStmt', 'ClusterStmt', 'RepackStmt', 'IndexStmt'],
]);
/** Nodes that carry the name of a function they define or hook up, and don't call. */
const namesFunction: ReadonlySet<string> = new Set(['CreateFunctionStmt', 'CreateTrigStmt', 'CreateEventTrigStmt']);
const tableKinds: ReadonlySet<string> = new Set(
  'OBJECT_TABLE OBJECT_VIEW OBJECT_MATVIEW OBJECT_FOREIGN_TABLE'.split(' '),
);

/** Names of acting functions that columns have as well, and whose one argument no ordinary row can be. */
const commonColumns: ReadonlySet<string> = new Set(['http']);

/** Of stored code: where it looks for bare names; null where that is the session's own path. */
export interface Stored {
  readonly path: readonly string[] | null;
}

export class Walk {
  readonly findings: Finding[] = [];
  readonly names: Names;
  /** Queries that functions get as literal text; each must be one that reads. */
  readonly texts: string[] = [];
  /** Names of every function called, without schema. */
  readonly called = new Set<string>();
  /** Whether the statement makes a view: through one a catalog could be changed later. */
  makesView = false;
  private readonly effort = fullEffort();
  private readonly secrets = new SecretColumns();
  private readonly pending: Visit[] = [];

  constructor(statement: unknown, stored: Stored | null = null) {
    this.names = new Names(stored?.path ?? null, stored !== null);
    this.push(statement, top);
    for (let visit = this.pending.pop(); visit !== undefined; visit = this.pending.pop()) {
      this.visit(visit.value, visit.place);
    }
    const verdict = this.secrets.verdict();
    if (verdict !== null) this.findings.push(verdict);
  }

  private push(value: unknown, place: Place): void {
    if (typeof value === 'object' && value !== null) this.pending.push({ value, place });
  }

  /** @param calls true for what is called or read: that counts in stored code, and in a plan, which may call it. */
  private find(finding: Finding, { mode }: Place, calls = false): void {
    if (mode === 'runs' || calls || (mode === 'stored' && finding.class === 'forbidden')) this.findings.push(finding);
  }

  private visit(value: unknown, place: Place): void {
    if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index--) this.push(value[index], place);
      return;
    }
    if (!isFields(value)) return;
    const node = taggedNode(value);
    if (node === null) this.visitFields('', value, place);
    else if (node.tag === 'ExplainStmt') this.visitExplain(node.fields, place);
    else if (node.tag.endsWith('Stmt')) this.visitStatement(node.tag, node.fields, place);
    else this.visitFields(node.tag, node.fields, place);
  }

  private visitStatement(tag: string, fields: Fields, place: Place): void {
    // `SET` in the definition of a function belongs to the function alone.
    const isPartOfFunction = tag === 'VariableSetStmt' && place.mode === 'stored';
    if (!isPartOfFunction) {
      this.find(dataChanges.has(tag) ? judgeDataChange(tag, fields, this.effort) : judgeStatement(tag, fields), place);
    }
    for (const parts of hookedFunctions(tag, fields)) {
      const verdict = actingFunction(parts.at(-2) ?? null, parts.at(-1) ?? '', 0);
      if (verdict !== null) this.find(verdict, place, true);
    }
    if (tag === 'DropStmt' && tableKinds.has(textOf(fields.removeType))) this.noteDropped(fields);
    if (tag === 'VariableShowStmt' && textOf(fields.name).toLowerCase() === 'all') this.names.noteSettings();
    if (tag === 'RefreshMatViewStmt') this.names.addRelation(relationName(fields.relation), 'read');
    if (tag === 'ViewStmt' && fields.replace === true) this.names.addRelation(relationName(fields.view), 'replaced');
    const mode = place.mode === 'runs' && !running.has(tag) ? 'stored' : place.mode;
    const makesView = tag === 'ViewStmt' || fields.objtype === 'OBJECT_MATVIEW';
    this.makesView ||= makesView;
    const inView = makesView || place.inView;
    this.visitFields(tag, fields, { ...place, mode, inView, isQuery: queries.has(tag), isTarget: false });
  }

  private visitExplain(fields: Fields, place: Place): void {
    this.find(judgeStatement('ExplainStmt', fields), place);
    if (isOptionOn(optionsOf(fields.options), 'analyze')) {
      this.push(fields.query, place);
      return;
    }
    this.push(fields.query, { ...place, mode: 'planned' });
  }

  private visitFields(tag: string, fields: Fields, place: Place): void {
    if (typeof fields.relname === 'string') {
      this.noteRelation(relationName(fields), fields, place);
      return;
    }
    this.noteNames(tag, fields, place);
    if (fields.intoClause !== undefined) this.find(write('SELECT INTO makes a table.'), place);
    if (listOf(fields.lockingClause).length > 0) {
      this.find(write('SELECT … FOR UPDATE or SHARE locks rows against other sessions.'), place);
    }
    this.pushChildren(tag, fields, place);
  }

  private pushChildren(tag: string, fields: Fields, place: Place): void {
    let inside = place;
    if (fields.withClause !== undefined) {
      const entered = enterCommonTables(fieldsOf(fields.withClause), place);
      if (entered === null) {
        this.findings.push(forbidden('WITH is nested too deeply to be checked; simplify the statement.'));
        return;
      }
      inside = entered.inside;
      this.pending.push(...entered.visits.reverse());
    }
    const keys = Object.keys(fields);
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] ?? '';
      // OF names aliases, not tables.
      if (key === 'withClause' || key === 'lockingClause') continue;
      // Every column of it may be shown.
      const held = key === 'fromClause' && tag === 'SelectStmt' ? heldToHarmlessRows(fields) : null;
      if (held !== null && !isCommonTable(held, inside)) {
        this.names.addTable({ schema: 'pg_catalog', name: held });
        continue;
      }
      // What is changed is never a common table expression.
      const isTarget = key === 'relation' && dataChanges.has(tag);
      this.push(fields[key], isTarget ? { ...inside, scope: null, isTarget } : inside);
    }
  }

  private noteRelation(relation: QualifiedName, node: Fields, place: Place): void {
    if (relation.schema === null && isCommonTable(relation.name, place)) return;
    if (place.isQuery) this.names.addTable(relation, roleOf(place));
    else this.names.nameTable(relation);
    this.secrets.noteRelation(relation, node);
    if (relation.name === 'pg_settings') this.names.noteSettings();
    const verdict = verdictOnRelation(relation, place.inView && place.isQuery);
    if (verdict !== null) this.find(verdict, place, true);
  }

  private noteDropped(fields: Fields): void {
    for (const object of listOf(fields.objects)) {
      const parts = nameParts(fieldsOf(taggedNode(object)?.fields).items);
      const name = parts.at(-1);
      if (name !== undefined) this.names.nameTable({ schema: parts.at(-2) ?? null, name });
    }
  }

  private noteNames(tag: string, fields: Fields, place: Place): void {
    if (Array.isArray(fields.funcname) && !namesFunction.has(tag)) {
      // What an ordered-set aggregate sorts by is an argument too.
      const argumentCount = fields.agg_within_group === true ? null : listOf(fields.args).length;
      this.noteCall({ parts: nameParts(fields.funcname), argumentCount }, place, listOf(fields.args));
    }
    if (tag === 'RangeTableSample') this.noteCall({ parts: nameParts(fields.method), argumentCount: 1 }, place);
    for (const operator of operatorsOf(tag, fields)) this.names.addOperator(operator);
    if (tag === 'RangeFunction') this.names.noteFunctionAsTable();
    if (tag === 'JoinExpr') this.secrets.noteJoin(fields);
    if (Array.isArray(fields.names) && 'typemod' in fields) this.noteType(fields);
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

  /** `('/etc/passwd').pg_read_file` calls the function: PostgreSQL takes a field that isn't there for one. */
  private noteFields(fields: readonly string[], place: Place): void {
    for (const field of fields) this.noteCall({ parts: [field], argumentCount: 1 }, place);
  }

  /** `x.pg_read_file` does so too, with a row of `x`, or with its value where `x` is a function in FROM that gives one. */
  private noteAttribute(name: string, place: Place): void {
    const verdict = actingFunction(null, name, 1);
    if (verdict !== null && !commonColumns.has(name)) this.find(verdict, place, true);
    if (name === 'current_setting') this.names.noteSettings();
    this.names.addAttribute(name);
  }

  private noteCall(call: FunctionCall, place: Place, given: readonly unknown[] = []): void {
    const name = call.parts.at(-1) ?? '';
    this.called.add(name);
    this.secrets.noteCall(name);
    const text = textArguments(name, given);
    if (text?.kind === 'queries') this.texts.push(...text.texts);
    if (text?.kind === 'table') this.noteRelation(text.table, {}, { ...place, isQuery: true, scope: null });
    if (text?.kind === 'anySetting') this.names.noteSettings();
    if (text?.kind === 'setting' && text.isSecret) {
      this.find(forbidden('This setting may hold a password, which no client may see.'), place, true);
    }
    const isJudgedByText = text?.kind === 'queries' || text?.kind === 'table';
    const verdict = this.names.addCall(call, isJudgedByText);
    if (verdict !== null) this.find(verdict, place, true);
  }
}

/** A plan reads; a change is only planned there. */
function roleOf({ mode, isTarget }: Place): SoughtRelation['role'] {
  return isTarget && mode !== 'planned' ? 'changed' : 'read';
}

/** @param isOfView true where a view is made that reads it. */
export function verdictOnRelation(relation: QualifiedName, isOfView: boolean): Verdict | null {
  const { name } = relation;
  if (holdsPasswords(relation)) {
    return forbidden(`${name} holds passwords, which no client may see; pg_roles shows roles without them.`);
  }
  if (holdsSamples(relation)) {
    return forbidden(`${name} holds values of every table, those of password catalogs too; use pg_stats.`);
  }
  if (showsServerFiles(relation))
    return forbidden(`${name} shows a file of the database server, which no client may see.`);
  if (!isOfView || !isSystemCatalog(relation)) return null;
  return destructive(`A view over ${name}, a catalog of the server, would let the catalog be changed through it.`);
}
