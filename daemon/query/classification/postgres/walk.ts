/**
 * Walks a whole statement, whatever its nodes are called, and gathers what decides: statements inside statements, calls,
 * relations, row locks. Without recursion, so that no nesting overflows it.
 */

import type { QualifiedName } from '../classification.ts';
import { actingFunction } from './acting-functions.ts';
import { dataChanges, judgeDataChange, relationName } from './data-changes.ts';
import { hookedFunctions } from './hooked-functions.ts';
import { type FunctionCall, Names } from './names.ts';
import { enterCommonTables, isCommonTable, type Place, top, type Visit } from './place.ts';
import { judgeStatement } from './statements.ts';
import { SubscriptionWatch } from './subscriptions.ts';
import { holdsPasswords, showsServerFiles } from './system-catalogs.ts';
import { fullEffort } from './target.ts';
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
import { forbidden, type Verdict, write } from './verdict.ts';

/** A verdict, and whether it is the one of an UPDATE or DELETE without a WHERE that restricts. */
export interface Finding extends Verdict {
  readonly isUnbounded?: boolean;
}

/** Statements whose parts run with them; what other statements hold is stored for later. */
const running: ReadonlySet<string> = new Set(
  'SelectStmt InsertStmt UpdateStmt DeleteStmt MergeStmt CreateTableAsStmt CreateSchemaStmt CallStmt'.split(' '),
);
/** Nodes that carry the name of a function they define or hook up, and don't call. */
const namesFunction: ReadonlySet<string> = new Set(['CreateFunctionStmt', 'CreateTrigStmt', 'CreateEventTrigStmt']);
const tableKinds: ReadonlySet<string> = new Set(
  'OBJECT_TABLE OBJECT_VIEW OBJECT_MATVIEW OBJECT_FOREIGN_TABLE'.split(' '),
);

/** Names of acting functions that columns have as well, and whose one argument no ordinary row can be. */
const commonColumns: ReadonlySet<string> = new Set(['http']);

export class Walk {
  readonly findings: Finding[] = [];
  readonly names = new Names();
  private readonly effort = fullEffort();
  private readonly subscriptions = new SubscriptionWatch();
  private readonly pending: Visit[] = [];

  constructor(statement: unknown) {
    this.push(statement, top);
    for (let visit = this.pending.pop(); visit !== undefined; visit = this.pending.pop()) {
      this.visit(visit.value, visit.place);
    }
    const verdict = this.subscriptions.verdict();
    if (verdict !== null) this.findings.push(verdict);
  }

  private push(value: unknown, place: Place): void {
    if (typeof value === 'object' && value !== null) this.pending.push({ value, place });
  }

  private find(finding: Finding, { mode }: Place, countsWhenStored = false): void {
    const counts = mode === 'runs' || (mode === 'stored' && (countsWhenStored || finding.class === 'forbidden'));
    if (counts) this.findings.push(finding);
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
    const isStored = place.mode === 'runs' && !running.has(tag);
    this.visitFields(tag, fields, isStored ? { ...place, mode: 'stored' } : place);
  }

  private visitExplain(fields: Fields, place: Place): void {
    this.find(judgeStatement('ExplainStmt', fields), place);
    if (isOptionOn(optionsOf(fields.options), 'analyze')) {
      this.push(fields.query, place);
      return;
    }
    this.push(fields.query, { ...place, mode: 'planned' });
    // Planning EXECUTE computes its arguments, calls and all.
    const query = taggedNode(fields.query);
    const execute = query?.tag === 'CreateTableAsStmt' ? taggedNode(query.fields.query) : query;
    if (execute?.tag === 'ExecuteStmt') this.push(execute.fields.params, place);
  }

  private visitFields(tag: string, fields: Fields, place: Place): void {
    if (typeof fields.relname === 'string') {
      this.noteRelation(relationName(fields), fieldsOf(fields.alias).colnames !== undefined, place);
      return;
    }
    if (place.mode !== 'planned') this.noteNames(tag, fields, place);
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
      // What is changed is never a common table expression.
      const isTarget = key === 'relation' && dataChanges.has(tag);
      this.push(fields[key], isTarget ? { ...inside, scope: null } : inside);
    }
  }

  private noteRelation(relation: QualifiedName, renamesColumns: boolean, place: Place): void {
    if (relation.schema !== null || !isCommonTable(relation.name, place)) this.names.addTable(relation);
    if (place.mode !== 'planned') this.subscriptions.noteRelation(relation, renamesColumns);
    if (holdsPasswords(relation)) {
      const reason = `${relation.name} holds passwords, which no client may see; pg_roles shows roles without them.`;
      this.find(forbidden(reason), place);
    }
    if (showsServerFiles(relation)) {
      this.find(forbidden(`${relation.name} shows a file of the database server, which no client may see.`), place);
    }
  }

  private noteDropped(fields: Fields): void {
    for (const object of listOf(fields.objects)) {
      const parts = nameParts(fieldsOf(taggedNode(object)?.fields).items);
      const name = parts.at(-1);
      if (name !== undefined) this.names.addTable({ schema: parts.at(-2) ?? null, name });
    }
  }

  private noteNames(tag: string, fields: Fields, place: Place): void {
    if (Array.isArray(fields.funcname) && !namesFunction.has(tag)) {
      this.noteCall({ parts: nameParts(fields.funcname), argumentCount: listOf(fields.args).length }, place);
    }
    if (tag === 'RangeTableSample') this.noteCall({ parts: nameParts(fields.method), argumentCount: 1 }, place);
    if (tag === 'A_Expr') this.names.addOperator(nameParts(fields.name));
    if (tag === 'SubLink') this.names.addOperator(nameParts(fields.operName));
    if (tag === 'SortBy') this.names.addOperator(nameParts(fields.useOp));
    if (tag === 'RangeFunction') this.names.noteFunctionAsTable();
    if (tag === 'A_Indirection') this.noteFields(nameParts(fields.indirection), place);
    if (tag !== 'ColumnRef') return;
    const field = nameParts(fields.fields).slice(1).at(-1);
    if (field !== undefined) this.noteAttribute(field, place);
    this.subscriptions.noteColumn(fields);
  }

  /** `('/etc/passwd').pg_read_file` calls the function: PostgreSQL takes a field that isn't there for one. */
  private noteFields(fields: readonly string[], place: Place): void {
    for (const field of fields) this.noteCall({ parts: [field], argumentCount: 1 }, place);
  }

  /** `x.pg_read_file` does so too, with a row of `x`, or with its value where `x` is a function in FROM that gives one. */
  private noteAttribute(name: string, place: Place): void {
    const verdict = actingFunction(null, name, 1);
    if (verdict !== null && !commonColumns.has(name)) this.find(verdict, place, true);
    this.names.addAttribute(name);
  }

  private noteCall(call: FunctionCall, place: Place): void {
    const verdict = this.names.addCall(call);
    if (verdict !== null) this.find(verdict, place, true);
  }
}
