/**
 * Walks a whole statement, whatever its nodes are called, and gathers what decides: statements
 * inside statements, calls, relations, row locks. It doesn't recurse, so no nesting overflows it.
 */

import type { QualifiedName } from '../types.ts';
import { classifyDataChange, dataChanges, relationName } from './changing-nodes.ts';
import { actingFunction } from './functions.ts';
import { heldToHarmlessRows } from './harmless-rows.ts';
import { hookedFunctions } from './hooked-functions.ts';
import { Notes, type Stored } from './notes.ts';
import { enterCommonTables, isCommonTable, type Place, topLevel, type Visit } from './statement-place.ts';
import { classifyKind } from './statements.ts';
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
/**
 * What defines nothing, or what the catalogs can't tell of before a COMMIT: an extension brings
 * objects that are trusted, a value of an enum shows only later.
 */
const definesNothing: ReadonlySet<string> = new Set([
  ...dataChanges,
  ...'SelectStmt CallStmt LockStmt NotifyStmt VacuumStmt RefreshMatViewStmt CreateExtensionStmt AlterEnumStmt'.split(
    ' ',
  ),
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
  /** The relations that a definition names and doesn't read; null if nothing is defined. */
  defines: QualifiedName[] | null = null;
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
      this.find(dataChanges.has(tag) ? classifyDataChange(tag, fields, this.effort) : classifyKind(tag, fields), place);
    }
    if (place.mode === 'runs' && dataChanges.has(tag)) this.changes.push({ tag, fields });
    if (place.mode === 'runs' && !definesNothing.has(tag)) this.defines ??= [];
    if (tag === 'IndexStmt') this.defines?.push(relationName(fields.relation));
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
    const mode = place.mode === 'runs' && !running.has(tag) ? 'stored' : place.mode;
    const makesView = tag === 'ViewStmt' || fields.objtype === 'OBJECT_MATVIEW';
    this.makesView ||= makesView;
    const inView = makesView || place.inView;
    this.visitFields(tag, fields, { ...place, mode, inView, isQuery: queries.has(tag), isTarget: false });
  }

  private visitExplain(fields: Fields, place: Place): void {
    this.find(classifyKind('ExplainStmt', fields), place);
    if (isOptionOn(optionsOf(fields.options), 'analyze')) {
      this.push(fields.query, place);
      return;
    }
    this.push(fields.query, { ...place, mode: 'planned' });
  }

  private visitFields(tag: string, fields: Fields, place: Place): void {
    if (typeof fields.relname === 'string') {
      if (!place.isQuery) this.defines?.push(relationName(fields));
      this.notes.noteRelation(relationName(fields), fields, place);
      return;
    }
    this.notes.note(tag, fields, place);
    if (fields.intoClause !== undefined) {
      if (place.mode === 'runs') this.defines ??= [];
      this.find(write(say('SELECT INTO makes a table.')), place);
    }
    if (listOf(fields.lockingClause).length > 0) {
      this.find(write(say('SELECT … FOR UPDATE or SHARE locks rows against other sessions.')), place);
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

  private noteDropped(fields: Fields): void {
    for (const object of listOf(fields.objects)) {
      const parts = nameParts(fieldsOf(taggedNode(object)?.fields).items);
      const name = parts.at(-1);
      if (name !== undefined) this.notes.names.nameTable({ schema: parts.at(-2) ?? null, name });
    }
  }
}
