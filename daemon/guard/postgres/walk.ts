/**
 * Walks a whole statement, whatever its nodes are called, and gathers what decides: statements
 * inside statements, calls, relations, row locks. It doesn't recurse, so no nesting overflows it.
 */

import { classifyDataChange, dataChanges, relationName } from './changing-nodes.ts';
import { createdNames, intoName, schemaOf } from './created-names.ts';
import { actingFunction } from './functions.ts';
import { heldToHarmlessRows } from './harmless-rows.ts';
import { hookedFunctions } from './hooked-functions.ts';
import { Notes, type Stored } from './notes.ts';
import { enterCommonTables, isCommonTable, type Place, topLevel, type Visit } from './statement-place.ts';
import { classifyAndDecide } from './statements.ts';
import { fullNodeBudget } from './target.ts';
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
import { forbidden, say, type Verdict, write } from './verdict.ts';

/** A verdict; for a data change also whether it says which rows (`changing-nodes`). */
export interface Finding extends Verdict {
  readonly isUnbounded?: boolean;
}

/** Statements whose parts run with them. What other statements hold is stored for later. */
const running: ReadonlySet<string> = new Set(
  'SelectStmt InsertStmt UpdateStmt DeleteStmt MergeStmt CreateTableAsStmt CreateSchemaStmt CallStmt'.split(' '),
);
/**
 * Statements that read or change the relations that they name. Maintenance computes the expressions
 * of indexes again.
 */
const queries: ReadonlySet<string> = new Set([
  'SelectStmt',
  ...dataChanges,
  'VacuumStmt',
  'ReindexStmt',
  'ClusterStmt',
  'RepackStmt',
  'IndexStmt',
]);
const tableKinds: ReadonlySet<string> = new Set(
  'OBJECT_TABLE OBJECT_VIEW OBJECT_MATVIEW OBJECT_FOREIGN_TABLE'.split(' '),
);

export class Walk {
  readonly findings: Finding[] = [];
  readonly notes: Notes;
  /** The data changes that run with the statement, in its order: itself first. */
  readonly changes: { readonly tag: string; readonly fields: Fields }[] = [];
  /** True if the statement makes a view: a catalog could later be changed through it. */
  makesView = false;
  private readonly effort = fullNodeBudget();
  private readonly pending: Visit[] = [];

  constructor(statement: unknown, stored: Stored | null = null) {
    this.notes = new Notes(stored, (finding, place) => this.find(finding, place, true));
    this.push(statement, topLevel);
    for (let visit = this.pending.pop(); visit !== undefined; visit = this.pending.pop()) {
      this.visit(visit.value, visit.place);
    }
    this.findings.push(...this.notes.secrets.verdicts());
  }

  private push(value: unknown, place: Place): void {
    if (typeof value === 'object' && value !== null) this.pending.push({ value, place });
  }

  /**
   * @param calls true for what is called or read. It counts in stored code, too, and in a plan,
   *   which may call it.
   */
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
    // `SET` in a function's definition only concerns the function.
    const isPartOfFunction = tag === 'VariableSetStmt' && place.mode === 'stored';
    if (!isPartOfFunction) {
      this.find(
        dataChanges.has(tag) ? classifyDataChange(tag, fields, this.effort) : classifyAndDecide(tag, fields),
        place,
      );
    }
    if (place.mode === 'runs') this.noteDefined(tag, fields, place);
    if (place.mode === 'runs' && dataChanges.has(tag)) this.changes.push({ tag, fields });
    for (const parts of hookedFunctions(tag, fields)) {
      const verdict = actingFunction(parts.at(-2) ?? null, parts.at(-1) ?? '', 0);
      if (verdict !== null) this.find(verdict, place, true);
    }
    // Only a query needs no privilege but SELECT. SHOW, a cursor or the plan of a data change may
    // need others.
    if (tag !== 'SelectStmt') this.notes.names.noteRole();
    if (tag === 'DropStmt' && tableKinds.has(textOf(fields.removeType))) this.noteDropped(fields);
    if (tag === 'VariableShowStmt' && textOf(fields.name).toLowerCase() === 'all') this.notes.names.noteSettings();
    if (tag === 'RefreshMatViewStmt') this.notes.names.addRelation(relationName(fields.relation), 'read');
    if (tag === 'ViewStmt' && fields.replace === true)
      this.notes.names.addRelation(relationName(fields.view), 'replaced');
    const mode = place.mode === 'runs' && !running.has(tag) ? 'stored' : place.mode;
    const inSchema = tag === 'CreateSchemaStmt' ? schemaOf(fields) : place.inSchema;
    const makesView = tag === 'ViewStmt' || fields.objtype === 'OBJECT_MATVIEW';
    this.makesView ||= makesView;
    const inView = makesView || place.inView;
    this.visitFields(tag, fields, { ...place, inSchema, mode, inView, isQuery: queries.has(tag), isTarget: false });
  }

  private visitExplain(fields: Fields, place: Place): void {
    this.find(classifyAndDecide('ExplainStmt', fields), place);
    if (isOptionOn(optionsOf(fields.options), 'analyze')) {
      this.push(fields.query, place);
      return;
    }
    this.push(fields.query, { ...place, mode: 'planned' });
  }

  private visitFields(tag: string, fields: Fields, place: Place): void {
    if (typeof fields.relname === 'string') {
      this.notes.noteRelation(relationName(fields), fields, place);
      return;
    }
    this.notes.note(tag, fields, place);
    if (fields.intoClause !== undefined) {
      this.find(write(say`SELECT INTO makes a table.`), place);
      for (const created of intoName(fields.intoClause)) this.notes.names.addCreated(created);
    }
    if (listOf(fields.lockingClause).length > 0) {
      this.find(write(say`SELECT … FOR UPDATE or SHARE locks rows against other sessions.`), place);
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
      // OF in a locking clause names aliases, not tables.
      if (key === 'withClause' || key === 'lockingClause') continue;
      // Every column of such a relation may be shown.
      const mayBeHeld = key === 'fromClause' && tag === 'SelectStmt' && !inside.inView;
      const held = mayBeHeld ? heldToHarmlessRows(fields) : null;
      if (held !== null && !isCommonTable(held, inside)) {
        this.notes.names.addTable({ schema: 'pg_catalog', name: held });
        continue;
      }
      // What is changed is never a common table expression.
      const isTarget = key === 'relation' && dataChanges.has(tag);
      this.push(fields[key], isTarget ? { ...inside, scope: null, isTarget } : inside);
    }
  }

  /** Notes the new names, and the tables that decide whether the statement asks. */
  private noteDefined(tag: string, fields: Fields, place: Place): void {
    for (const created of createdNames(tag, fields, place.inSchema)) this.notes.names.addCreated(created);
    const conditions = this.findings.at(-1)?.conditions ?? [];
    for (const { table } of conditions) this.notes.names.addRelation(table, 'altered');
    // ALTER TABLE takes a foreign table, too.
    if (tag === 'AlterTableStmt' && fields.objtype === 'OBJECT_TABLE') {
      this.notes.names.addRelation(relationName(fields.relation), 'altered');
    }
  }

  private noteDropped(fields: Fields): void {
    for (const object of listOf(fields.objects)) {
      const parts = nameParts(fieldsOf(taggedNode(object)?.fields).items);
      const name = parts.at(-1);
      if (name !== undefined) this.notes.names.nameTable({ schema: parts.at(-2) ?? null, name });
    }
  }
}
