/**
 * Every place of a text that could read a column, with the tables that it can see there, for a
 * connection that masks some (spec §6). What it doesn't know is walked through: what is overlooked
 * would be shown.
 */

import { type Fields, fieldsOf, isFields, listOf, nameParts, taggedNode, textOf } from './tree.ts';

/** A table, view or common table expression as a name of the text sees it. */
export interface Source {
  readonly schema: string | null;
  readonly name: string;
  readonly alias: string;
  /** True if its columns have other names there. */
  readonly isRenamed: boolean;
}

/** What one SELECT or data change sees by itself; `parent` is the place of the one around it. */
export interface Level {
  readonly parent: number | null;
  readonly sources: readonly Source[];
}

export interface ColumnReads {
  readonly levels: readonly Level[];
  /** Names as they stand there, null for `*`: `[null]`, `['u', null]`, `['u', 'email']`. */
  readonly names: readonly { readonly level: number; readonly parts: readonly (string | null)[] }[];
  /** Each column of these counts as read: NATURAL JOIN, what copies or moves a table. */
  readonly wholes: readonly Source[];
  /** Names of what isn't a table: subqueries, functions, common table expressions. */
  readonly derived: readonly string[];
}

/** Kinds of ALTER TABLE that leave the columns that they don't name where and what they are. */
const plainAlterations = new Set(
  `AddColumn DropColumn SetNotNull DropNotNull ColumnDefault AlterColumnType AddConstraint DropConstraint ValidateConstraint
   SetStatistics SetStorage SetCompression ClusterOn DropCluster SetLogged SetUnLogged ReplicaIdentity SetRelOptions
   ResetRelOptions EnableTrig DisableTrig AddIdentity SetIdentity DropIdentity AlterConstraint`
    .split(/\s+/)
    .map(name => `AT_${name}`),
);

/** These see some of the sources beside them at most: FROM, WITH, USING of DELETE and MERGE. */
const seesSome = new Set(['fromClause', 'withClause', 'usingClause', 'sourceRelation']);

/**
 * Bounds the sources gathered, and the names with what each sees: the daemon's own thread looks.
 */
const mostLooks = 200_000;

export class ColumnWalk {
  readonly levels: Level[] = [{ parent: null, sources: [] }];
  readonly names: { level: number; parts: (string | null)[] }[] = [];
  readonly wholes: Source[] = [];
  readonly derived = new Set<string>();
  private readonly settled = new Set<unknown>();
  /** Those that have a second one for FROM and WITH. */
  private readonly opened = new Set<number>();
  private readonly named = new Set<string>();
  private walked = 0;
  private readonly pending: [value: unknown, level: number][] = [];

  node(root: unknown): void {
    this.pending.push([root, 0]);
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) this.step(...next);
  }

  found(): ColumnReads | null {
    if (this.isLong()) return null;
    const { levels, names, wholes } = this;
    return { levels, names, wholes, derived: [...this.derived] };
  }

  private isLong(): boolean {
    const looks: number[] = [];
    // A level's parent stands before it.
    for (const { parent, sources } of this.levels) looks.push((looks[parent ?? -1] ?? 0) + 1 + sources.length);
    let sum = this.walked + this.wholes.length;
    for (const { level } of this.names) sum += looks[level] ?? 0;
    return sum > mostLooks;
  }

  private step(value: unknown, level: number): void {
    if (Array.isArray(value)) {
      for (const each of value) this.pending.push([each, level]);
      return;
    }
    if (!isFields(value) || this.settled.has(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (typeof child !== 'object' || child === null) continue;
      const isTag = key >= 'A' && key <= '[' && isFields(child);
      // The grammar's field says the type of a UNION's sides.
      const isSide = (key === 'larg' || key === 'rarg') && taggedNode(child) === null;
      const tag = isSide ? 'SelectStmt' : key;
      const at = seesSome.has(key) && this.opened.has(level) ? level + 1 : level;
      this.pending.push([child, (isTag || isSide) && isFields(child) ? this.tagged(tag, child, level) : at]);
    }
  }

  /** @returns the level of what is in it. */
  private tagged(tag: string, fields: Fields, level: number): number {
    switch (tag) {
      case 'ColumnRef':
        this.name(level, listOf(fields.fields).map(partOf));
        return level;
      case 'SelectStmt':
        return this.open(
          level,
          listOf(fields.fromClause).flatMap(item => this.sourcesOf(item)),
        );
      case 'InsertStmt':
      case 'UpdateStmt':
      case 'DeleteStmt':
      case 'MergeStmt':
        return this.change(fields, level);
      case 'JoinExpr':
        this.join(fields);
        return level;
      case 'CommonTableExpr':
        this.derived.add(textOf(fields.ctename));
        return level;
      case 'IndexElem':
        this.columns(level, [textOf(fields.name)]);
        return level;
      case 'Constraint':
        this.constraint(fields, level);
        return level;
      case 'IndexStmt':
        return this.open(level, this.sourcesOf({ RangeVar: fields.relation }));
      case 'AlterTableStmt':
        return this.alter(fields, level);
      case 'RenameStmt':
        this.rename(fields);
        return level;
      case 'CreateStmt':
        this.wholes.push(...listOf(fields.inhRelations).flatMap(item => this.sourcesOf(item)));
        return level;
      case 'TableLikeClause':
        this.wholes.push(...this.sourcesOf({ RangeVar: fields.relation }));
        return level;
      default:
        return level;
    }
  }

  private open(parent: number, sources: readonly Source[]): number {
    for (const source of sources) if (source.isRenamed) this.wholes.push(source);
    const at = this.levels.push({ parent, sources }) - 1;
    this.opened.add(at);
    // FROM and WITH are the next: what stands there sees some of them at most, so none is sure.
    this.levels.push({ parent, sources: sources.map(each => ({ ...each, isRenamed: true })) });
    return at;
  }

  private columns(level: number, names: readonly string[]): void {
    for (const name of names) if (name !== '') this.name(level, [name]);
  }

  private name(level: number, parts: (string | null)[]): void {
    const key = JSON.stringify([level, parts]);
    if (this.named.has(key)) return;
    this.named.add(key);
    this.names.push({ level, parts });
  }

  private sourcesOf(item: unknown): Source[] {
    const node = taggedNode(item);
    if (node === null || ++this.walked > mostLooks) return [];
    const { tag, fields } = node;
    const { aliasname, colnames } = fieldsOf(fields.alias);
    const isRenamed = listOf(colnames).length > 0;
    if (tag === 'RangeVar') {
      const name = textOf(fields.relname);
      return [{ schema: textOf(fields.schemaname) || null, name, alias: textOf(aliasname) || name, isRenamed }];
    }
    if (tag === 'RangeTableSample') return this.sourcesOf(fields.relation);
    if (tag !== 'JoinExpr') {
      this.derived.add(textOf(aliasname));
      return [];
    }
    this.derived.add(textOf(fieldsOf(fields.join_using_alias).aliasname));
    const members = [...this.sourcesOf(fields.larg), ...this.sourcesOf(fields.rarg)];
    if (typeof aliasname !== 'string') return members;
    this.derived.add(aliasname);
    // Behind it no member is seen by a name of its own; each table once, or nested ones double.
    const tables = new Map(members.map(each => [JSON.stringify([each.schema, each.name]), each]));
    return [...members, ...[...tables.values()].map(each => ({ ...each, alias: aliasname }))].map(each => ({
      ...each,
      isRenamed: each.isRenamed || isRenamed,
    }));
  }

  private join(fields: Fields): void {
    if (fields.isNatural !== true && listOf(fields.usingClause).length === 0) return;
    const members = [...this.sourcesOf(fields.larg), ...this.sourcesOf(fields.rarg)];
    if (fields.isNatural === true) for (const each of members) this.wholes.push(each);
    const using = nameParts(fields.usingClause);
    if (using.length > 0) this.columns(this.levels.push({ parent: null, sources: members }) - 1, using);
  }

  private change(fields: Fields, level: number): number {
    const target = this.sourcesOf({ RangeVar: fields.relation });
    const rows = ['old', 'new', ...returnedRows(fields.returningClause)];
    const conflict = fieldsOf(fields.onConflictClause);
    if (fields.onConflictClause !== undefined) rows.push('excluded');
    const beside = [...listOf(fields.fromClause), ...listOf(fields.usingClause), fields.sourceRelation];
    const inner = this.open(level, [
      ...target,
      ...rows.flatMap(alias => target.map(each => ({ ...each, alias }))),
      ...beside.flatMap(item => this.sourcesOf(item)),
    ]);
    // What a statement itself sends for a column goes nowhere but there.
    for (const set of listOf(conflict.targetList)) {
      const { name, val } = fieldsOf(taggedNode(set)?.fields);
      const value = taggedNode(val);
      const [row, column, ...more] = value?.tag === 'ColumnRef' ? nameParts(value.fields.fields) : [];
      if (row === 'excluded' && column === name && more.length === 0) this.settled.add(val);
    }
    // The source of an INSERT doesn't see its table.
    if (isFields(fields.selectStmt)) {
      const source = taggedNode(fields.selectStmt);
      if (source !== null) {
        this.settled.add(fields.selectStmt);
        this.pending.push([source.fields, this.tagged(source.tag, source.fields, level)]);
      }
    }
    return inner;
  }

  private constraint(fields: Fields, level: number): void {
    this.columns(level, [...nameParts(fields.keys), ...nameParts(fields.including), ...nameParts(fields.fk_attrs)]);
    const referred = this.sourcesOf({ RangeVar: fields.pktable });
    if (!isFields(fields.pktable)) return;
    const key = nameParts(fields.pk_attrs);
    // Its primary key is meant, which the text doesn't tell.
    if (key.length === 0) this.wholes.push(...referred);
    this.columns(this.levels.push({ parent: null, sources: referred }) - 1, key);
  }

  private alter(fields: Fields, level: number): number {
    const table = this.sourcesOf({ RangeVar: fields.relation });
    const inner = this.open(level, table);
    for (const command of listOf(fields.cmds)) {
      const { subtype, name, def } = fieldsOf(taggedNode(command)?.fields);
      if (subtype === 'AT_AlterColumnType') this.columns(inner, [textOf(name)]);
      if (plainAlterations.has(textOf(subtype))) continue;
      const other = taggedNode(def);
      const partition = fieldsOf(other?.fields).name;
      const named = other?.tag === 'PartitionCmd' && isFields(partition) ? { RangeVar: partition } : def;
      this.wholes.push(...table, ...this.sourcesOf(named));
    }
    return inner;
  }

  /** A column under another name, or of a table under one, would no longer be masked. */
  private rename({ renameType, relation, subname }: Fields): void {
    const table = this.sourcesOf({ RangeVar: relation });
    if (renameType === 'OBJECT_COLUMN')
      this.columns(this.levels.push({ parent: null, sources: table }) - 1, [textOf(subname)]);
    else if (renameType !== 'OBJECT_TABCONSTRAINT') this.wholes.push(...table);
  }
}

/** `RETURNING WITH (OLD AS o)`. */
function returnedRows(clause: unknown): readonly string[] {
  return listOf(fieldsOf(clause).options).map(option => textOf(fieldsOf(taggedNode(option)?.fields).value));
}

function partOf(field: unknown): string | null {
  const node = taggedNode(field);
  return node?.tag === 'String' ? textOf(node.fields.sval) : null;
}
