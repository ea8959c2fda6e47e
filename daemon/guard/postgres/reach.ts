/**
 * Finds every name in a text by which it could reach a table, for a connection that hides some
 * tables (spec §6). It looks at each node of the tree, whatever it is: a name that it overlooked
 * would show a hidden table.
 */

import { ColumnWalk } from './column-reads.ts';
import { isSystemUser, nameOf, newWordOf } from './new-words.ts';
import type { Parse } from './parser.ts';
import { plpgsqlTexts } from './plpgsql.ts';
import { mostReachNames, ofManyNames, type Reach, type ReachText, type SoughtByReach } from './reach-facts.ts';
import { isSilentFunction, isTelling, takesTableNames } from './table-telling.ts';
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

/** The kinds of a client's statements in which this walk finds every name of a table. */
const judged: ReadonlySet<string> = new Set(
  `Select Insert Update Delete Merge Explain Create CreateTableAs View Index AlterTable Rename Drop Truncate Comment
   CreateSeq AlterSeq CreateEnum AlterEnum CreateDomain CompositeType Vacuum Reindex RefreshMatView Call VariableShow SetOperation`
    .split(/\s+/)
    .map(name => `${name}Stmt`),
);
/** Statements that are refused in stored code, too: the text that they run isn't in the tree. */
const unseen = new Set([
  'ExecuteStmt',
  'DoStmt',
  'PrepareStmt',
  'LoadStmt',
  'CreateFunctionStmt',
  'ImportForeignSchemaStmt',
  // Each of these may set search_path, after which a bare name means another table.
  ...['VariableSetStmt', 'AlterRoleSetStmt', 'AlterDatabaseSetStmt', 'AlterFunctionStmt', 'AlterSystemStmt'],
]);
/** The kinds of objects whose names DROP, RENAME and COMMENT may give (`ObjectType`). */
const dropped = new Set(['TABLE', 'VIEW', 'MATVIEW', 'INDEX', 'SEQUENCE', 'FOREIGN_TABLE', 'TYPE', 'DOMAIN']);
const renamed = new Set(['TABLE', 'VIEW', 'MATVIEW', 'INDEX', 'SEQUENCE', 'FOREIGN_TABLE', 'COLUMN', 'TABCONSTRAINT']);
const commented = new Set(['TABLE', 'VIEW', 'MATVIEW', 'INDEX', 'SEQUENCE', 'FOREIGN_TABLE', 'COLUMN']);

/** Collects what the trees of one text name; `Reach` says what the members mean. */
class Walk {
  readonly relations: SoughtByReach[] = [];
  readonly functions: SoughtByReach[] = [];
  readonly types: SoughtByReach[] = [];
  readonly creates: SoughtByReach[] = [];
  readonly operators = new Set<string>();
  readonly attributes = new Set<string>();
  readonly columns = new ColumnWalk();
  /** The type names of casts that `cast` has dealt with, so `type` passes over them. */
  private readonly castTypes = new Set<Fields>();
  changes = false;
  truncates = false;
  explains: Reach['explains'] = 'no';
  isConstant = false;
  asTable = false;
  /** The first thing that can't be judged, in the words of SQL; null if there is none. */
  unjudged: string | null = null;

  private readonly isStored: boolean;

  constructor(isStored: boolean) {
    this.isStored = isStored;
  }

  refuse(what: string): void {
    this.unjudged ??= what;
  }

  node(root: unknown): void {
    this.columns.node(root);
    const pending: unknown[] = [root];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (Array.isArray(value)) {
        pending.push(...value);
        continue;
      }
      if (!isFields(value)) continue;
      this.fields(value);
      for (const [key, child] of Object.entries(value)) {
        if (typeof child !== 'object' || child === null) continue;
        if (key >= 'A' && key <= '[' && isFields(child)) this.tagged(key, child);
        pending.push(child);
      }
    }
  }

  /** Looks at a node that the grammar may write without a tag, because its field says its type. */
  private fields(fields: Fields): void {
    if (typeof fields.relname === 'string') this.relation(fields);
    if (Array.isArray(fields.funcname)) this.call(fields);
    if (Array.isArray(fields.names) && ('typemod' in fields || 'typeOid' in fields)) this.type(fields);
  }

  private relation({ schemaname, relname, catalogname, location }: Fields): void {
    if (catalogname !== undefined && catalogname !== '') this.refuse('a name of another database');
    this.relations.push({ schema: textOf(schemaname) || null, name: textOf(relname), at: placeOf(location) });
  }

  private call(fields: Fields): void {
    const { funcname, args, location } = fields;
    const parts = nameParts(funcname);
    const { schema, name } = nameOf(parts);
    if (isSystemUser(fields)) this.refuse(name);
    if (parts.length > 2) {
      this.refuse('a name of another database');
      return;
    }
    if (schema === 'information_schema') {
      this.refuse(`${schema}.${name}`);
      return;
    }
    // It sets search_path as SET does.
    if (this.isStored && name === 'set_config') this.refuse(name);
    const given = listOf(args);
    this.functions.push({ schema, name, at: placeOf(location), constants: given.map(constantOf) });
    if (schema !== null && schema !== 'pg_catalog') return;
    if (!takesTableNames(name)) return;
    const isPrivilege = name.startsWith('has_');
    for (const [at, argument] of given.entries()) {
      if (at === 0 || isPrivilege) this.namedByText(name, argument, isPrivilege);
    }
  }

  /** Only a literal text names a table that we can look at. A number could be any table's. */
  private namedByText(what: string, node: unknown, mayBePrivilege = false): void {
    const constant = constantText(node);
    if (constant === null) {
      this.refuse(`${what} of a name that isn't written out`);
      return;
    }
    const parts = writtenParts(constant.text);
    if (parts === null) {
      if (!(mayBePrivilege && /^[a-z ,]+$/i.test(constant.text))) this.refuse(`${what} of such a name`);
      return;
    }
    const [name = '', schema = null] = parts.toReversed();
    this.relations.push({ schema, name, at: constant.at });
  }

  private type(fields: Fields): void {
    const { names, location } = fields;
    if (this.castTypes.has(fields)) return;
    const { schema, name } = nameOf(nameParts(names));
    if (/^_?reg/.test(name) && (schema === null || schema === 'pg_catalog')) {
      this.refuse(`a value of the type ${name}`);
      return;
    }
    this.types.push({ schema, name, at: placeOf(location) });
  }

  private tagged(tag: string, fields: Fields): void {
    if (tag.endsWith('Stmt')) this.statement(tag, fields);
    const word = newWordOf(tag, fields);
    if (word !== null) this.functions.push({ schema: null, name: word, at: placeOf(fields.location) });
    if (tag === 'TypeCast') this.cast(fields);
    else if (tag === 'ColumnRef') this.calledAsColumns(nameParts(fields.fields).slice(1).slice(-1));
    else if (tag === 'A_Indirection') this.calledAsColumns(nameParts(fields.indirection));
    if (tag === 'RangeFunction') this.asTable = true;
    if (tag === 'A_Expr') this.operators.add(nameParts(fields.name).at(-1) ?? '');
    if (tag === 'SubLink') this.operators.add(nameParts(fields.operName).at(-1) ?? '=');
    if (tag === 'SortBy') this.operators.add(nameParts(fields.useOp).at(-1) ?? '<');
  }

  /** `'orders'::regclass` names a table as the statement's FROM does. */
  private cast({ arg, typeName }: Fields): void {
    const type = fieldsOf(typeName);
    if (nameParts(type.names).at(-1) !== 'regclass' || type.arrayBounds !== undefined) return;
    this.castTypes.add(type);
    this.namedByText('regclass', arg);
  }

  /** `t.f` and each part of `(t).f.g` call a function with the row if there is no such column. */
  private calledAsColumns(names: readonly string[]): void {
    for (const name of names) this.attributes.add(name);
  }

  private statement(tag: string, fields: Fields): void {
    if (unseen.has(tag) && !(this.isStored && tag === 'CreateFunctionStmt')) this.refuse(wordsOf(tag));
    if (!this.isStored && !judged.has(tag)) this.refuse(wordsOf(tag));
    if (!/^(?:Select|Explain|SetOperation|VariableShow|Comment)Stmt$/.test(tag)) this.changes = true;
    if (tag === 'ExplainStmt') this.explains = isOptionOn(optionsOf(fields.options), 'analyze') ? 'run' : 'plan';
    if (tag === 'TruncateStmt' && fields.behavior === 'DROP_CASCADE') this.truncates = true;
    if (tag === 'VacuumStmt' && listOf(fields.rels).length === 0) this.refuse('VACUUM or ANALYZE of all tables');
    if (tag === 'ReindexStmt' && fields.relation === undefined) this.refuse('REINDEX of more than a table');
    if (tag === 'DropStmt') this.objects(textOf(fields.removeType), dropped, listOf(fields.objects));
    if (tag === 'CommentStmt') this.objects(textOf(fields.objtype), commented, [fields.object]);
    if (tag === 'RenameStmt') this.rename(fields);
    if (tag === 'CreateStmt' || tag === 'CreateSeqStmt') this.create(fields.relation ?? fields.sequence);
    if (tag === 'ViewStmt') this.create(fields.view);
    if (tag === 'CompositeTypeStmt') this.create(fields.typevar);
    if (tag === 'CreateTableAsStmt' || tag === 'SelectStmt')
      this.create(fieldsOf(fieldsOf(fields.into ?? fields.intoClause)).rel);
  }

  private objects(kind: string, known: ReadonlySet<string>, objects: readonly unknown[]): void {
    const word = kind.replace('OBJECT_', '');
    if (!known.has(word)) {
      this.refuse(`DROP or COMMENT of ${word.toLowerCase().replaceAll('_', ' ')}s`);
      return;
    }
    for (const object of objects) {
      const node = taggedNode(object);
      if (node?.tag === 'TypeName') continue;
      const parts = nameParts(node?.fields.items);
      const [name = '', schema = null] = (word === 'COLUMN' ? parts.slice(0, -1) : parts).toReversed();
      if (parts.length > 0) this.relations.push({ schema, name, at: null });
    }
  }

  private rename({ renameType, relation, newname }: Fields): void {
    const kind = textOf(renameType).replace('OBJECT_', '');
    if (!renamed.has(kind)) {
      this.refuse('RENAME of that');
      return;
    }
    if (kind === 'COLUMN' || kind === 'TABCONSTRAINT') return;
    const { schemaname } = fieldsOf(relation);
    this.creates.push({ schema: textOf(schemaname) || null, name: textOf(newname), at: null });
  }

  private create(relation: unknown): void {
    const { schemaname, relname } = fieldsOf(taggedNode(relation)?.fields ?? relation);
    if (typeof relname === 'string') this.creates.push({ schema: textOf(schemaname) || null, name: relname, at: null });
  }
}

/** What a client's text names. */
export function readReach(parse: Parse, sql: string): Reach {
  return reachOf({ kind: 'statements', text: sql }, false, parse);
}

/** What each of the catalog's texts names, in their order. */
export function readStoredReach(parse: Parse, texts: readonly ReachText[]): readonly Reach[] {
  return texts.map(text => reachOf(text, true, parse));
}

function reachOf({ kind, text, language }: ReachText, isStored: boolean, parse: Parse): Reach {
  const walk = new Walk(isStored);
  if (kind === 'routine') routine(walk, text, language ?? '', parse);
  else statements(walk, kind === 'expression' ? `SELECT ${text}` : text, parse);
  const {
    relations,
    functions,
    types,
    creates,
    operators,
    attributes,
    changes,
    truncates,
    explains,
    isConstant,
    asTable,
    unjudged,
  } = walk;
  const telling = functions.find(
    ({ schema, name }) => schema === 'pg_catalog' && !isSilentFunction(name) && !takesTableNames(name),
  );
  const called = [...attributes].find(name => isTelling(name) && !isSilentFunction(name));
  const isLong = relations.length + functions.length + types.length > mostReachNames;
  return {
    ...{ relations, types, creates, changes, truncates, explains, isConstant, asTable },
    functions: functions.filter(({ schema }) => schema !== 'pg_catalog'),
    // Joins and comparisons use these without naming them.
    operators: [...new Set([...operators, '=', '<', '>', '<=', '>=', '<>'])],
    attributes: [...attributes],
    reads: walk.columns.found(),
    unjudged: unjudged ?? telling?.name ?? called ?? (isLong ? ofManyNames : null),
  };
}

function statements(walk: Walk, text: string, parse: Parse): void {
  const parsed = parse(text);
  if (parsed.kind !== 'statements') {
    walk.refuse('what the grammar does not take');
    return;
  }
  walk.isConstant = parsed.statements.every(isOfConstants);
  for (const statement of parsed.statements) walk.node([statement]);
}

function isOfConstants(statement: unknown): boolean {
  const { tag, fields = {} } = taggedNode(statement) ?? {};
  const isPlain = Object.keys(fields).every(key => ['targetList', 'limitOption', 'op'].includes(key));
  const isConstant = (target: unknown): boolean =>
    taggedNode(fieldsOf(taggedNode(target)?.fields).val)?.tag === 'A_Const';
  return tag === 'SelectStmt' && isPlain && listOf(fields.targetList).every(isConstant);
}

function routine(walk: Walk, definition: string, language: string, parse: Parse): void {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const node = taggedNode(statement);
  if (node?.tag !== 'CreateFunctionStmt') {
    walk.refuse('a function that is not understood');
    return;
  }
  const { parameters, returnType, sql_body: body, options } = node.fields;
  walk.node([parameters, { returnType }]);
  if (body !== undefined) {
    walk.node([body]);
    return;
  }
  const as = optionsOf(options).find(option => option.name === 'as');
  const items = listOf(fieldsOf(taggedNode(as?.value)?.fields).items);
  const text = textOf(taggedNode(items[0])?.fields.sval);
  if (items.length !== 1) {
    walk.refuse('a function that is not understood');
    return;
  }
  if (language === 'sql') {
    statements(walk, text, parse);
    return;
  }
  const found = language === 'plpgsql' ? plpgsqlTexts(definition, new Set(), parse) : null;
  // The grammar of PL/pgSQL leaves out the defaults of some variables.
  const called = found === null ? null : parse.calledNames(text);
  if (found === null || found.findings.length > 0 || called === null) {
    walk.refuse('a function that puts SQL together');
    return;
  }
  for (const each of found.texts) statements(walk, each, parse);
  for (const parts of called) {
    const [name = '', schema = null] = parts.toReversed();
    walk.functions.push({ schema, name, at: null });
  }
}

function placeOf(location: unknown): number {
  return typeof location === 'number' ? location : 0;
}

/** The type of an argument in the server's words, as far as it is a constant; else `unknown`. */
function constantOf(node: unknown): string {
  const found = taggedNode(node);
  if (found?.tag === 'TypeCast') return nameParts(fieldsOf(found.fields.typeName).names).at(-1) ?? 'unknown';
  const { ival, fval, boolval } = fieldsOf(found?.tag === 'A_Const' ? found.fields : null);
  if (ival !== undefined) return 'integer';
  return fval !== undefined ? 'numeric' : boolval !== undefined ? 'boolean' : 'unknown';
}

/** A literal text and where it stands; null for anything else. */
function constantText(node: unknown): { readonly text: string; readonly at: number } | null {
  const found = taggedNode(node);
  if (found?.tag === 'TypeCast') {
    const type = nameParts(fieldsOf(found.fields.typeName).names).at(-1) ?? '';
    return ['text', 'regclass', 'name', 'varchar'].includes(type) ? constantText(found.fields.arg) : null;
  }
  if (found?.tag !== 'A_Const' || found.fields.sval === undefined) return null;
  return { text: textOf(fieldsOf(found.fields.sval).sval), at: placeOf(found.fields.location) };
}

/**
 * The parts of a name in a text, as PostgreSQL reads it; null for anything else. PostgreSQL folds A
 * to Z alone where a character may take several bytes (scansup.c).
 */
function writtenParts(text: string): readonly string[] | null {
  const whole = /^([\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")+")(?:\.([\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")+"))?$/u.exec(text);
  if (whole === null) return null;
  const parts = whole.slice(1).filter(each => each !== undefined);
  return parts.map(each =>
    each.startsWith('"')
      ? each.slice(1, -1).replaceAll('""', '"')
      : each.replace(/[A-Z]/g, letter => letter.toLowerCase()),
  );
}

/** `CREATE TRIG` for `CreateTrigStmt`. */
function wordsOf(tag: string): string {
  return tag
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
}
